import { type RawBuilder, sql } from "kysely";
import {
  isTerminalJob,
  JOB_STATUSES,
  type JobFilter,
  type JobsSummary,
  type PageQuery,
  type RuntimeJob,
  type TagValue,
} from "../../contract/index.ts";
import type { Caller } from "../accounts/caller.ts";
import { toCredits } from "../billing/price.ts";
import type { Context } from "../context.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store, StoreTransaction } from "../store/store.ts";
import { showJobs } from "./record.ts";

type JobPage = JobFilter & Required<PageQuery>;

const STATUS_GROUPS = {
  all: undefined,
  pending: JOB_STATUSES.filter(status => !isTerminalJob(status)),
  returned: JOB_STATUSES.filter(isTerminalJob),
};

/** Lists the caller's jobs, newest first, without deleted ones. */
export async function listJobs(
  context: Pick<Context, "queue" | "store" | "catalogue" | "clock">,
  caller: Caller,
  filter: JobPage,
): Promise<{ rows: RuntimeJob[]; total: number }> {
  const { rows, total } = await findJobs(context.store, caller, filter);
  return { rows: await showJobs(context, rows), total };
}

export async function findJobs(
  store: Store,
  caller: Caller,
  filter: JobPage,
): Promise<{ rows: JobRow[]; total: number }> {
  const { page, limit } = filter;
  const { from, total: count } = matchingJobs(caller, filter);
  const offset = (page - 1) * limit;
  const found = await sql<{ seq: number }>`
    select seq ${from} order by seq desc limit ${limit} offset ${offset}
  `.execute(store);
  const isLast = found.rows.length < limit && (found.rows.length > 0 || offset === 0);
  const total = isLast ? offset + found.rows.length : (await count.execute(store)).rows[0]!.total;
  const seqs = found.rows.map(({ seq }) => seq);
  if (seqs.length === 0) return { rows: [], total };
  const rows = store.selectFrom("jobs").selectAll().where("seq", "in", seqs).orderBy("seq", "desc");
  return { rows: await rows.execute(), total };
}

interface Matching {
  /** SQL after `select … `. */
  from: RawBuilder<unknown>;
  total: RawBuilder<{ total: number }>;
}

/** Returns where the caller's matching jobs are read from, and their number. */
export function matchingJobs(
  { userId }: Caller,
  { vendor, provider, status, statusGroup = "all", search = "", tags = {} }: JobFilter,
): Matching {
  const statuses = status ? [status] : STATUS_GROUPS[statusGroup];
  const own = [
    sql`user_id = ${userId}`,
    ...(vendor && vendor !== "all" ? [sql`vendor = ${vendor}`] : []),
    ...(provider ? [sql`provider = ${provider}`] : []),
    ...(statuses ? [sql`status in (${sql.join(statuses)})`] : []),
  ];
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const found = [
    ...Object.entries(tags).map(
      ([key, value]) => sql`seq in (select job_seq from job_tags
        where user_id = ${userId} and key = ${key} and type = ${typeof value} and value = ${String(value)})`,
    ),
    ...(search
      ? [
          sql`seq in (select job_seq from job_words
            where user_id = ${userId} and text like ${pattern} escape '\\')`,
        ]
      : []),
  ];
  const from = fromWhere("jobs", [...own, sql`deleted_at is null`, ...found]);
  if (found.length > 0) return { from, total: sql`select count(*) as total ${from}` };
  /** By the `+`, SQLite takes the index of those that have not ended, which are few. */
  const unended = fromWhere("jobs", [...own, sql`+deleted_at is null`, sql`ended_at is null`]);
  /** Those that have ended are counted already. */
  const ended = sql`select coalesce(sum(jobs), 0) ${fromWhere("job_counts", own)}`;
  return { from, total: sql`select (${ended}) + (select count(*) ${unended}) as total` };
}

const fromWhere = (table: string, conditions: RawBuilder<unknown>[]) =>
  sql`from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`;

/** Writes what a job is found by: its tags, and the words that a search looks through. */
export async function indexForSearch(transaction: StoreTransaction, row: JobRow): Promise<void> {
  const { seq: job_seq, user_id, name, qrn, tags_json } = row;
  const tags = Object.entries(JSON.parse(tags_json) as Record<string, TagValue>);
  const words = [name ?? "", qrn, ...tags.flatMap(([key, value]) => [key, String(value)])];
  const text = words.join("\n").toLowerCase();
  await transaction.insertInto("job_words").values({ user_id, job_seq, text }).execute();
  if (tags.length === 0) return;
  await transaction
    .insertInto("job_tags")
    .values(tags.map(([key, value]) => ({ user_id, key, type: typeof value, value: String(value), job_seq })))
    .execute();
}

/** Takes away what jobs of a user are found by. */
export async function hideFromSearch(
  transaction: StoreTransaction,
  userId: number,
  seqs: readonly number[],
): Promise<void> {
  await transaction.deleteFrom("job_tags").where("job_seq", "in", seqs).execute();
  await transaction
    .deleteFrom("job_words")
    .where("user_id", "=", userId)
    .where("job_seq", "in", seqs)
    .execute();
}

/** Counts the caller's jobs in each status, without deleted ones; every status is there. */
export async function countStatuses(store: Store, caller: Caller): Promise<Record<string, number>> {
  const none = Object.fromEntries(JOB_STATUSES.map(status => [status, 0]));
  return { ...none, ...countBy(await countsOf(store, caller), "status") };
}

type Counts = Awaited<ReturnType<typeof countsOf>>;

function countBy(rows: Counts, key: "status" | "experiment_type" | "device_type"): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[row[key]] = (counts[row[key]] ?? 0) + row.count;
  return counts;
}

/** Sums up the caller's jobs, without deleted ones. */
export async function summarize(store: Store, caller: Caller): Promise<JobsSummary> {
  const rows = await countsOf(store, caller);
  const sum = (key: "count" | "cost" | "settled" | "shots") =>
    rows.reduce((total, row) => total + (row[key] ?? 0), 0);
  const [total, cost, settled, shots] = [sum("count"), sum("cost"), sum("settled"), sum("shots")];
  return {
    total,
    statuses: countBy(rows, "status"),
    experimentTypes: countBy(rows, "experiment_type"),
    deviceTypes: countBy(rows, "device_type"),
    cost: { total: toCredits(cost), average: settled === 0 ? 0 : toCredits(Math.round(cost / settled)) },
    shots: { total: shots, average: total === 0 ? 0 : shots / total },
  };
}

/**
 * Counts and sums of the caller's jobs: those that have ended are counted already. By the `+`, SQLite takes the index of
 * those that have not, which are few.
 */
function countsOf(store: Store, { userId }: Caller) {
  const unended = store
    .selectFrom("jobs")
    .where("user_id", "=", userId)
    .where(sql`+deleted_at`, "is", null)
    .where("ended_at", "is", null)
    .groupBy(["status", "experiment_type", "device_type"])
    .select(({ fn, lit }) => [
      "status",
      "experiment_type",
      "device_type",
      fn.countAll<number>().as("count"),
      lit(0).as("cost"),
      lit(0).as("settled"),
      fn.sum<number>("shots").as("shots"),
    ]);
  return store
    .selectFrom("job_counts")
    .where("user_id", "=", userId)
    .where("jobs", ">", 0)
    .select(["status", "experiment_type", "device_type", "jobs as count", "cost", "settled", "shots"])
    .unionAll(unended)
    .execute();
}
