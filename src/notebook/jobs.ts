import type { JobFilter, RuntimeJob, Tags } from "../contract/job.ts";
import type { JobsSummary } from "../contract/summary.ts";
import { type Form, jobTable, summaryCard } from "../display/index.ts";
import { currentClient } from "./connection.ts";
import { Job } from "./job.ts";
import { ShownList } from "./list.ts";
import { Query, type QueryKind } from "./query.ts";
import { recordClass } from "./record.ts";
import type { Shown } from "./shown.ts";

/** Figures over all of your jobs; it shows itself as a card. */
export interface Summary extends JobsSummary, Shown {}

const summaryOf = recordClass<JobsSummary>(summaryCard);

/** Jobs, the newest first: an array that shows itself as a table. */
export class JobList extends ShownList<Job> {
  /** @internal */
  protected override face(): Form {
    return jobTable(
      Array.from(this, job => job.record as RuntimeJob),
      { now: Date.now() },
    );
  }
}

/** A question for jobs, such as `jobs().filter({ status: "FAILED" }).tagged({ course: "qc-1" })`. */
export class Jobs extends Query<Job, JobFilter, JobList> {
  /** Asks for jobs with a word in their name. */
  search(word: string): this {
    return this.filter({ search: word });
  }

  /** Asks for jobs that have all of these tags. */
  tagged(tags: Tags): this {
    return this.filter({ tags });
  }

  /** Counts, totals and averages over all of your jobs. */
  async summary(): Promise<Summary> {
    return summaryOf(await (await currentClient()).jobs.summary());
  }

  /** How many of your jobs are in each status. */
  async statuses(): Promise<{ [status: string]: number }> {
    return (await currentClient()).jobs.statuses();
  }
}

const kind: QueryKind<Job, JobFilter, JobList> = {
  what: "Jobs",
  defaultLimit: 50,
  async *rows(fields, limit) {
    const client = await currentClient();
    for await (const record of client.jobs.list({ ...fields, limit })) yield new Job(record);
  },
  list: rows => JobList.from(rows) as JobList,
};

/** Asks for your jobs, the newest first: 50 of them when awaited, all of them with `for await`. */
export function jobs(): Jobs {
  return new Jobs(kind, { fields: {}, tests: [] });
}
