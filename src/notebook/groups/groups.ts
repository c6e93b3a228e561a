import type { CallOptions } from "../../client/options.ts";
import { runOf } from "../../client/records.ts";
import type { GroupFilter, JobGroup } from "../../contract/group.ts";
import { stringValue } from "../../contract/options.ts";
import { groupTable, type RenderedView } from "../../display/index.ts";
import type { Session } from "../session.ts";
import { DisplayableList } from "../values/displayable-list.ts";
import { Query, type QueryDefinition } from "../values/query.ts";
import { Group } from "./group.ts";

/** Groups, the newest first: an array that shows itself as a table. */
export class GroupList extends DisplayableList<Group> {
  /** @internal */
  protected override noun(): string {
    return "groups";
  }

  /** @internal */
  protected override render(): RenderedView {
    return groupTable(
      Array.from(this, group => group.record),
      { now: Date.now(), ...this.remarks },
    );
  }
}

/** `run` is the idempotency key of the submission. */
type GroupsFilter = GroupFilter & { run?: string };

const kind: QueryDefinition<Group, GroupsFilter, GroupList> = {
  what: "Groups",
  fields: { status: stringValue, run: stringValue },
  defaultLimit: 50,
  pages: ({ client }, { run, ...fields }, limit, call) => client.groups.list({ ...fields, limit }, call),
  row: (session, record) => new Group(session, record as JobGroup),
  list: rows => GroupList.from(rows) as GroupList,
  tests: ({ run }) => (run === undefined ? [] : [({ record }: Group) => runOf(record) === run]),
};

/** A query for groups, such as `groups({ status: "OPEN" })`. */
export class Groups extends Query<Group, GroupList> {
  /** @internal */
  static of(session: Session, fields: GroupsFilter, call?: CallOptions): Groups {
    return new Groups(session, kind, { fields, tests: [], call });
  }
}
