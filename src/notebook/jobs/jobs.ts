import { type CallOptions, KetbookError, runOf } from "../../client/index.ts";
import {
  anyValue,
  type JobFilter,
  type JobsDeleted,
  type JobsSummary,
  oneOf,
  RUN_TAG,
  type RuntimeJob,
  stringValue,
  type Tags,
} from "../../contract/index.ts";
import { formatCount, formatNumber, jobTable, type RenderedView, summaryCard } from "../../display/index.ts";
import { isNamed } from "../devices/resolve-device.ts";
import type { Session } from "../session.ts";
import { DisplayableList } from "../values/displayable-list.ts";
import { type DisplayableValue, recordClass, withText } from "../values/displayable-value.ts";
import { moment } from "../values/options.ts";
import { Query, type QueryDefinition } from "../values/query.ts";
import { Job } from "./job.ts";

const summaryOf = recordClass<JobsSummary>(summaryCard);

const maxDeleted = 100;

/** Jobs, the newest first: an array that shows itself as a table. */
export class JobList extends DisplayableList<Job> {
  /** Takes the jobs out of every list, and says of each what happened. Jobs that run continue, and are charged. */
  async delete(options?: CallOptions): Promise<JobsDeleted> {
    const all: JobsDeleted = { successfulIds: [], failedIds: {}, stillRunning: [] };
    for (const [{ client }, jobs] of Map.groupBy(this, ({ session }) => session))
      for (let start = 0; start < jobs.length; start += maxDeleted) {
        const qrns = jobs.slice(start, start + maxDeleted).map(({ qrn }) => qrn);
        const { successfulIds, failedIds, stillRunning } = await client.jobs.deleteMany(qrns, options);
        all.successfulIds.push(...successfulIds);
        all.stillRunning.push(...stillRunning);
        Object.assign(all.failedIds, failedIds);
      }
    const { successfulIds, failedIds, stillRunning } = all;
    const failed = Object.keys(failedIds).length;
    const words = [
      `${formatCount(successfulIds.length, "jobs")} deleted`,
      ...(stillRunning.length > 0 ? [`${formatNumber(stillRunning.length)} still running`] : []),
      ...(failed > 0 ? [`${formatNumber(failed)} not deleted`] : []),
    ];
    return withText(all, words.join(", "));
  }

  /** @internal */
  static override readonly noun: string = "jobs";

  /** @internal */
  protected override render(): RenderedView {
    const records = Array.from(this, job => job.record as RuntimeJob);
    return jobTable(records, { now: Date.now(), ...this.remarks });
  }
}

/** Filters of a job list. */
export interface JobsFilter extends Omit<JobFilter, "tags"> {
  /** Tags that the jobs must have, all of them. */
  tags?: Tags;
  /** Idempotency key of the submission, such as that of a `LostSubmissionError`. */
  run?: string;
  /** A tag that the jobs must have, whatever its value. */
  tag?: string;
  /** Resource name of the device that the jobs ran on, or the end of it, such as `perth`. A name of no device is refused. */
  device?: string;
  /** Jobs made at this moment or later: a date, or text that `new Date` reads. */
  since?: Date | string | number;
  /** Jobs made before this moment. */
  until?: Date | string | number;
}

const kind: QueryDefinition<Job, JobsFilter, JobList> = {
  what: "Jobs",
  fields: {
    vendor: stringValue,
    provider: stringValue,
    statusGroup: oneOf("all", "pending", "returned"),
    status: stringValue,
    search: stringValue,
    tags: anyValue,
    tag: stringValue,
    run: stringValue,
    device: stringValue,
    since: moment,
    until: moment,
  },
  defaultLimit: 50,
  pages({ client }, { tag, run, device, since, until, tags, ...fields }, limit, call) {
    const asked = run === undefined ? tags : { ...tags, [RUN_TAG]: run };
    return client.jobs.list({ ...fields, ...(asked && { tags: asked }), limit }, call);
  },
  row: (session, record) => new Job(session, record as RuntimeJob),
  list: JobList,
  tests: {
    tag: ({ record }, tag) => Object.hasOwn(record.tags, tag),
    run: ({ record }, run) => runOf(record) === run,
    device: ({ record }, device) => isNamed(record.deviceQrn, device),
    since: ({ record }, since) => !(createdAt(record) < momentOf(since)),
    until: ({ record }, until) => !(createdAt(record) >= momentOf(until)),
  },
  async checkEmpty({ names }, { device }, call) {
    if (device !== undefined) await names.requireKnown(device, call);
  },
  doubt({ since, until }, job) {
    const asked = since !== undefined || until !== undefined;
    return asked && Number.isNaN(createdAt(job.record)) ? `nobody says when ${job.qrn} was made` : undefined;
  },
  isPast: ({ since }, job) => since !== undefined && createdAt(job.record) < momentOf(since),
};

/** Returns the job's time of creation, in milliseconds since 1970; NaN if unknown. */
export const createdAt = ({ createdAt, timeStamps }: Readonly<RuntimeJob>) =>
  Date.parse(createdAt ?? timeStamps.createdAt ?? "");

const momentOf = (given: Date | string | number) => new Date(given).getTime();

/** A query for jobs, such as `jobs({ status: "FAILED", since: "2026-11-01", tags: { course: "qc-1" } })`. */
export class Jobs extends Query<Job, JobList> {
  /** @internal */
  static of(session: Session, fields: JobsFilter, call?: CallOptions): Jobs {
    return new Jobs(session, kind, { fields, tests: [], call });
  }

  /**
   * Counts, totals and averages over all of your jobs, which show themselves as a card.
   *
   * @throws KetbookError for a query that finds only some of them, of which the service has no summary.
   */
  async summary(options?: CallOptions): Promise<JobsSummary & DisplayableValue> {
    if (this.isNarrowed)
      throw new KetbookError(
        "jobs(…).summary() is of all your jobs. Write jobs().summary(), or list the ones you mean.",
      );
    return summaryOf(await this.session.client.jobs.summary(options));
  }

  /** Deletes the jobs that the query finds, 50 if no `limit` is given, and says of each what happened. */
  async delete(options?: CallOptions): Promise<JobsDeleted> {
    return (await this).delete(options);
  }
}
