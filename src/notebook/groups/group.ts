import { type CallOptions, runOf } from "../../client/index.ts";
import {
  anyValue,
  type GroupFilter,
  type JobGroup,
  type JobGroupRequest,
  type OptionCheck,
  type RuntimeJob,
  stringValue,
  wholeNumber,
} from "../../contract/index.ts";
import { groupCard, groupTable, type RenderedView } from "../../display/index.ts";
import { Job } from "../jobs/job.ts";
import { JobList } from "../jobs/jobs.ts";
import { startWait, type WaitOptions, waitForAnswer, waitForEnd } from "../jobs/wait.ts";
import type { Session } from "../session.ts";
import { DisplayableList } from "../values/displayable-list.ts";
import { DisplayableValue } from "../values/displayable-value.ts";
import { forwardMembers, LazyValue } from "../values/lazy-value.ts";
import { checkHelperOptions } from "../values/options.ts";
import { Query, type QueryDefinition } from "../values/query.ts";

/** A group of jobs, which is closed or cancelled as a whole. It shows itself as a card. */
export class Group extends DisplayableValue {
  readonly #session: Session;
  #record: JobGroup;
  #failed: readonly RuntimeJob[] = [];

  /** @internal */
  constructor(session: Session, record: JobGroup) {
    super();
    this.#session = session;
    this.#record = record;
  }

  /** Everything that the service said of the group when last fetched. */
  get record(): Readonly<JobGroup> {
    return this.#record;
  }

  /** Resource name of the group. */
  get qrn(): string {
    return this.#record.groupJobQrn;
  }

  /** Status when last fetched. */
  get status(): JobGroup["status"] {
    return this.#record.status;
  }

  /** Looks at the group again. */
  async refresh(options?: CallOptions): Promise<this> {
    this.#record = await this.#session.client.groups.get(this.qrn, options);
    return this;
  }

  /** The jobs in the group. */
  async jobs(options?: CallOptions): Promise<JobList> {
    const records = await this.#session.client.groups.jobs(this.qrn, options);
    this.#failed = records.filter(({ status }) => status === "FAILED");
    const jobs = records.map(record => new Job(this.#session, record));
    return JobList.ofRows(jobs, { unread: records.unread });
  }

  /** Lets no more jobs in; those that are in continue. */
  async close(options?: CallOptions): Promise<this> {
    this.#record = await this.#session.client.groups.close(this.qrn, options);
    return this;
  }

  /** Cancels the group and every job in it that has not ended. */
  async cancel(options?: CallOptions): Promise<this> {
    this.#record = await this.#session.client.groups.cancel(this.qrn, options);
    return this;
  }

  /** Waits until every job that is in the group now has ended, however it ended. */
  async wait(options?: WaitOptions): Promise<this> {
    const limits = startWait(options);
    const title = this.#record.name ?? "Group";
    const jobs = await waitForAnswer({ title, start: () => this.jobs({ signal: limits.signal }) }, limits);
    const records = jobs.map(({ record }) => record);
    const ended = await waitForEnd(this.#session.client, records, limits, title);
    this.#failed = ended.filter(({ status }) => status === "FAILED");
    return waitForAnswer({ title, start: () => this.refresh({ signal: limits.signal }) }, limits);
  }

  /** The group as the service described it when last fetched. */
  toJSON(): JobGroup {
    return this.#record;
  }

  /** @internal */
  protected override render(): RenderedView {
    return groupCard(this.#record, { now: Date.now(), failures: this.#failed });
  }

  /** @internal Resolves when what is shown has become final. */
  async settled(): Promise<void> {
    if ((this.#record.failedCount ?? 0) > this.#failed.length) await this.jobs().catch(() => undefined);
  }

  /** Lets `await using` close the group. */
  async [Symbol.asyncDispose](): Promise<void> {
    if ((await this.refresh()).status === "OPEN") await this.close();
  }
}

/** A group that is being made or looked up. `await` it for the group, or call its methods directly. */
export interface PendingGroup extends Pick<Group, "jobs" | "refresh" | "close" | "cancel"> {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: forwardMembers defines the methods
export class PendingGroup extends LazyValue<Group> {
  /** Everything that the service said of the group. */
  declare readonly record: Promise<Group["record"]>;
  /** Resource name of the group. */
  declare readonly qrn: Promise<string>;
  /** Status of the group. */
  declare readonly status: Promise<Group["status"]>;

  /** Waits until every job that is in the group now has ended, however it ended. */
  async wait(options?: WaitOptions): Promise<Group> {
    const limits = startWait(options);
    const found = await waitForAnswer(this, limits);
    return found.wait(limits);
  }
}

forwardMembers(PendingGroup.prototype, Group.prototype, [
  ...(["record", "qrn", "status"] as const),
  ...(["jobs", "refresh", "close", "cancel"] as const),
]);

export function createGroup<T>(
  session: Session,
  options: JobGroupRequest,
  body?: ((group: Group) => T | Promise<T>) | CallOptions,
): PendingGroup | Promise<T> {
  checkHelperOptions("createGroup", options, checks);
  const call = typeof body === "function" ? {} : body;
  const once = { idempotencyKey: crypto.randomUUID(), ...call };
  const made = new PendingGroup(
    "Group",
    async () => new Group(session, await session.client.groups.create(options, once)),
  );
  return typeof body === "function" ? within(made, body) : made;
}

const checks: Record<keyof JobGroupRequest, OptionCheck> = {
  name: anyValue,
  tags: anyValue,
  metadata: anyValue,
  maxTTL: wholeNumber(1),
};

async function within<T>(made: PendingGroup, body: (group: Group) => T | Promise<T>): Promise<T> {
  const opened = await made;
  try {
    return await body(opened);
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}

/** Groups, the newest first: an array that shows itself as a table. */
export class GroupList extends DisplayableList<Group> {
  /** @internal */
  static override readonly noun: string = "groups";

  /** @internal */
  protected override render(): RenderedView {
    const records = Array.from(this, group => group.record);
    return groupTable(records, { now: Date.now(), ...this.remarks });
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
  list: GroupList,
  tests: { run: ({ record }, run) => runOf(record) === run },
};

/** A query for groups, such as `groups({ status: "OPEN" })`. */
export class Groups extends Query<Group, GroupList> {
  /** @internal */
  static of(session: Session, fields: GroupsFilter, call?: CallOptions): Groups {
    return new Groups(session, kind, { fields, tests: [], call });
  }
}
