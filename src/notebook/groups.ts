import type { GroupFilter } from "../contract/group.ts";
import { type Form, groupTable } from "../display/index.ts";
import { currentClient } from "./connection.ts";
import { Group } from "./group.ts";
import { ShownList } from "./list.ts";
import { Query, type QueryKind } from "./query.ts";

/** Groups, the newest first: an array that shows itself as a table. */
export class GroupList extends ShownList<Group> {
  /** @internal */
  protected override face(): Form {
    return groupTable(
      Array.from(this, group => group.record),
      { now: Date.now() },
    );
  }
}

/** A question for groups, such as `groups().filter({ status: "OPEN" })`. */
export class Groups extends Query<Group, GroupFilter, GroupList> {}

const kind: QueryKind<Group, GroupFilter, GroupList> = {
  what: "Groups",
  defaultLimit: 50,
  async *rows(fields, limit) {
    const client = await currentClient();
    for await (const record of client.groups.list({ ...fields, limit })) yield new Group(record);
  },
  list: rows => GroupList.from(rows) as GroupList,
};

/** Asks for your groups, the newest first: 50 of them when awaited, all of them with `for await`. */
export function groups(): Groups {
  return new Groups(kind, { fields: {}, tests: [] });
}
