import type { JobGroup, JobGroupRequest } from "../contract/group.ts";
import type { RuntimeJob } from "../contract/job.ts";
import { type Form, groupCard } from "../display/index.ts";
import { currentClient } from "./connection.ts";
import { Job } from "./job.ts";
import { JobList } from "./jobs.ts";
import { Lazy } from "./lazy.ts";
import { Shown } from "./shown.ts";
import { type WaitOptions, waitForEnd } from "./wait.ts";

/** How a group is made: `{ name, tags, metadata, maxTTL }`. */
export type GroupOptions = JobGroupRequest;

/** A group of jobs, which is closed or cancelled as a whole. It shows itself as a card. */
export class Group extends Shown {
  #record: JobGroup;
  #failed: readonly RuntimeJob[] = [];

  /** @internal */
  constructor(record: JobGroup) {
    super();
    this.#record = record;
  }

  /** Everything that the service said of the group at the latest look. */
  get record(): Readonly<JobGroup> {
    return this.#record;
  }

  /** Resource name of the group. */
  get qrn(): string {
    return this.#record.groupJobQrn;
  }

  /** Status at the latest look. */
  get status(): string {
    return this.#record.status;
  }

  /** Looks at the group again. */
  async refresh(): Promise<this> {
    const client = await currentClient();
    this.#record = await client.groups.get(this.qrn);
    return this;
  }

  /** The jobs in the group. */
  async jobs(): Promise<JobList> {
    const client = await currentClient();
    const records = await client.groups.jobs(this.qrn);
    this.#failed = records.filter(({ status }) => status === "FAILED");
    return JobList.from(records, record => new Job(record)) as JobList;
  }

  /** Lets no more jobs in; those that are in go on. */
  async close(): Promise<this> {
    const client = await currentClient();
    this.#record = await client.groups.close(this.qrn);
    return this;
  }

  /** Cancels the group and every job in it that has not ended. */
  async cancel(): Promise<this> {
    const client = await currentClient();
    this.#record = await client.groups.cancel(this.qrn);
    return this;
  }

  /** Waits until every job that is in the group now has ended, however it ended. */
  async wait(options?: WaitOptions): Promise<this> {
    const jobs = (await this.jobs()).map(({ record }) => record);
    const ended = await waitForEnd(jobs, options, this.#record.name ?? "Group");
    this.#failed = ended.filter(({ status }) => status === "FAILED");
    return this.refresh();
  }

  /** @internal */
  protected override face(): Form {
    return groupCard(this.#record, { now: Date.now(), failures: this.#failed });
  }

  /** @internal Resolves when what is shown has become final. */
  async settled(): Promise<void> {
    if (this.#record.failedCount > this.#failed.length) await this.jobs().catch(() => undefined);
  }

  /** Lets `await using` close the group. */
  async [Symbol.asyncDispose](): Promise<void> {
    if ((await this.refresh()).status === "OPEN") await this.close();
  }
}

/** Makes a group; close it yourself, or declare it with `await using`. */
export function group(options?: GroupOptions): Lazy<Group>;
/** Makes a group, hands it to a function, and closes it when the function has ended. */
export function group<T>(options: GroupOptions, body: (group: Group) => T | Promise<T>): Promise<T>;
export function group<T>(options: GroupOptions = {}, body?: (group: Group) => T | Promise<T>) {
  const made = new Lazy("Group", async () => new Group(await (await currentClient()).groups.create(options)));
  return body ? within(made, body) : made;
}

async function within<T>(made: Lazy<Group>, body: (group: Group) => T | Promise<T>): Promise<T> {
  const opened = await made;
  try {
    return await body(opened);
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}
