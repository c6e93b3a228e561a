import { sql } from "kysely";
import type { RuntimeJob, TagValue } from "../../contract/job.ts";
import { isTerminalJob, JOB_STATUSES, type JobStatus } from "../../contract/status.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { prepareRows } from "../store/prepared.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { type Matching, matchingJobs } from "./matching.ts";
import { showJobs } from "./show.ts";

/** Filters of a job list. */
export interface JobFilter {
  vendor?: string | undefined;
  provider?: string | undefined;
  statusGroup?: "all" | "pending" | "returned" | undefined;
  status?: JobStatus | undefined;
  search?: string | undefined;
  tags?: Record<string, TagValue> | undefined;
  page: number;
  limit: number;
}

const returned = JOB_STATUSES.filter(isTerminalJob);
const pending = JOB_STATUSES.filter(status => !isTerminalJob(status));

/** Lists the caller's jobs, newest first, without deleted ones. */
export async function listJobs(
  context: Pick<Context, "queue" | "store" | "catalogue" | "clock">,
  caller: Caller,
  filter: JobFilter,
): Promise<{ rows: RuntimeJob[]; total: number }> {
  const { rows, total } = await findJobs(context.store, caller, filter);
  return { rows: await showJobs(context, rows), total };
}

/** Finds the rows of a list. */
export async function findJobs(
  store: Store,
  caller: Caller,
  filter: JobFilter,
): Promise<{ rows: JobRow[]; total: number }> {
  const { vendor, provider, search, tags = {}, page, limit } = filter;
  const {
    from,
    seq,
    total: totalQuery,
  } = await matchingJobs(store, caller, {
    vendor: vendor === "all" ? undefined : vendor,
    provider,
    statuses: statusesOf(filter),
    search,
    tags,
  });
  const offset = (page - 1) * limit;
  const found = await sql<{ seq: number }>`
    select ${seq} as seq ${from} order by ${seq} desc limit ${limit} offset ${offset}
  `.execute(store);
  const isLast = found.rows.length < limit && (found.rows.length > 0 || offset === 0);
  const total = isLast ? offset + found.rows.length : await count(store, totalQuery);
  return { rows: await findRows(store, found.rows), total };
}

const findRows = prepareRows((store, jobs: { seq: number }[]) =>
  store
    .selectFrom("jobs")
    .selectAll()
    .where(
      "seq",
      "in",
      jobs.map(({ seq }) => seq),
    )
    .orderBy("seq", "desc"),
);

async function count(store: Store, query: Matching["total"]): Promise<number> {
  const { rows } = await query.execute(store);
  return rows[0]?.total ?? 0;
}

function statusesOf({ status, statusGroup }: JobFilter): readonly JobStatus[] | undefined {
  if (status) return [status];
  if (statusGroup === "pending") return pending;
  if (statusGroup === "returned") return returned;
  return undefined;
}
