import { type RawBuilder, type SqlBool, sql } from "kysely";
import {
  isTerminalJob,
  JOB_STATUSES,
  type JobStatus,
  type JobsSummary,
  type RuntimeJob,
  type TagValue,
} from "../../contract/index.ts";
import type { Caller } from "../accounts/caller.ts";
import { toCredits } from "../billing/price.ts";
import type { Context } from "../context.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store, StoreTransaction } from "../store/store.ts";
import { showJobs } from "./record.ts";

interface JobFilter {
  vendor?: string | undefined;
  provider?: string | undefined;
  statusGroup?: "all" | "pending" | "returned" | undefined;
  status?: JobStatus | undefined;
  search?: string | undefined;
  tags?: Record<string, TagValue> | undefined;
  page: number;
  limit: number;
}

const STATUS_GROUPS = {
  all: undefined,
  pending: JOB_STATUSES.filter(status => !isTerminalJob(status)),
  returned: JOB_STATUSES.filter(isTerminalJob),
};

/** Lists the caller's jobs, newest first, without deleted ones. */
export async function listJobs(
  context: Pick<Context, "queue" | "store" | "catalogue" | "clock">,
  caller: Caller,
  filter: JobFilter,
): Promise<{ rows: RuntimeJob[]; total: number }> {
  const { rows, total } = await findJobs(context.store, caller, filter);
  return { rows: await showJobs(context, rows), total };
}

export async function findJobs(
  store: Store,
  caller: Caller,
  filter: JobFilter,
): Promise<{ rows: JobRow[]; total: number }> {
  const { vendor, provider, search, tags = {}, page, limit } = filter;
  const { from, seq, ...counted } = await matchingJobs(store, caller, {
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
  const total = isLast ? offset + found.rows.length : (await counted.total.execute(store)).rows[0]!.total;
  const seqs = found.rows.map(({ seq }) => seq);
  if (seqs.length === 0) return { rows: [], total };
  const rows = store.selectFrom("jobs").selectAll().where("seq", "in", seqs).orderBy("seq", "desc");
  return { rows: await rows.execute(), total };
}

const statusesOf = ({ status, statusGroup = "all" }: JobFilter): readonly JobStatus[] | undefined =>
  status ? [status] : STATUS_GROUPS[statusGroup];

interface JobConditions {
  vendor: string | undefined;
  provider: string | undefined;
  statuses: readonly JobStatus[] | undefined;
  search: string | undefined;
  tags: Readonly<Record<string, TagValue>>;
}

type Tag = readonly [key: string, value: TagValue];
type Condition = RawBuilder<SqlBool>;

/** Rows of tags that are counted to compare them: beyond that, the exact numbers do not matter. */
const MAX_COUNTED = 5000;

/** A table whose rows `t` stand for the jobs that match, once each, with the column that numbers them. */
interface Matching {
  /** SQL after `select … `. */
  from: RawBuilder<unknown>;
  seq: RawBuilder<number>;
  total: RawBuilder<{ total: number }>;
}

/**
 * Returns where the caller's matching jobs are read from: by their rarest tag if any is asked for, else by their words,
 * else from the list of all. Tags and words of a deleted job are not kept, so they need no look at the job.
 */
export async function matchingJobs(
  store: Store,
  { userId }: Caller,
  conditions: JobConditions,
): Promise<Matching> {
  const { search } = conditions;
  const tags = await rarestFirst(store, userId, Object.entries(conditions.tags));
  const [first, ...others] = tags;
  const own = jobConditions(conditions);
  if (first) {
    const seq = sql<number>`t.job_seq`;
    return counted(
      seq,
      where("job_tags", [
        tagIs("t", userId, first),
        ...others.map(
          tag =>
            sql<SqlBool>`exists (select 1 from job_tags o where ${tagIs("o", userId, tag)} and o.job_seq = ${seq})`,
        ),
        ...(search
          ? [
              sql<SqlBool>`exists (select 1 from job_words w where ${wordsAre("w", userId, search)} and w.job_seq = ${seq})`,
            ]
          : []),
        ...ofTheJob(own, seq),
      ]),
    );
  }
  if (search) {
    const seq = sql<number>`t.job_seq`;
    return counted(seq, where("job_words", [wordsAre("t", userId, search), ...ofTheJob(own, seq)]));
  }
  const all = [sql<SqlBool>`t.user_id = ${userId}`, ...own.map(condition => condition("t"))];
  /** By the `+`, SQLite takes the index of those that have not ended, which are few. */
  const unended = where("jobs", [...all, sql`+t.deleted_at is null`, sql`t.ended_at is null`]);
  return {
    seq: sql<number>`t.seq`,
    from: where("jobs", [...all, sql<SqlBool>`t.deleted_at is null`]),
    /** Those that have ended are counted already. */
    total: sql`select (select coalesce(sum(t.jobs), 0) ${where("job_counts", all)}) + (select count(*) ${unended}) as total`,
  };
}

const counted = (seq: RawBuilder<number>, from: RawBuilder<unknown>): Matching => ({
  seq,
  from,
  total: sql`select count(*) as total ${from}`,
});

const where = (table: string, conditions: Condition[]) =>
  sql`from ${sql.table(table)} t where ${sql.join(conditions, sql` and `)}`;

type JobCondition = (alias: "t" | "j") => Condition;

function jobConditions({ vendor, provider, statuses }: JobConditions): JobCondition[] {
  const conditions: JobCondition[] = [];
  if (vendor) conditions.push(alias => sql`${sql.ref(`${alias}.vendor`)} = ${vendor}`);
  if (provider) conditions.push(alias => sql`${sql.ref(`${alias}.provider`)} = ${provider}`);
  if (statuses) conditions.push(alias => sql`${sql.ref(`${alias}.status`)} in (${sql.join(statuses)})`);
  return conditions;
}

function ofTheJob(conditions: JobCondition[], seq: RawBuilder<number>): Condition[] {
  if (conditions.length === 0) return [];
  const all = sql.join(
    conditions.map(condition => condition("j")),
    sql` and `,
  );
  return [sql<SqlBool>`exists (select 1 from jobs j where j.seq = ${seq} and ${all})`];
}

function tagIs(alias: "t" | "o", userId: number, [key, value]: Tag): Condition {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql`${column("user_id")} = ${userId} and ${column("key")} = ${key} and ${column("type")} = ${typeof value} and ${column("value")} = ${String(value)}`;
}

function wordsAre(alias: "t" | "w", userId: number, search: string): Condition {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return sql`${sql.ref(`${alias}.user_id`)} = ${userId} and ${sql.ref(`${alias}.text`)} like ${pattern} escape '\\'`;
}

/** Orders tags by how many jobs have them, as far as it matters. */
async function rarestFirst(store: Store, userId: number, tags: Tag[]): Promise<Tag[]> {
  if (tags.length < 2) return tags;
  const limit = Math.ceil(MAX_COUNTED / tags.length);
  const counted: { tag: Tag; count: number }[] = [];
  for (const tag of tags) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (select 1 from job_tags t where ${tagIs("t", userId, tag)} limit ${limit}) s
    `.execute(store);
    counted.push({ tag, count: rows[0]?.count ?? 0 });
  }
  return counted.sort((a, b) => a.count - b.count).map(({ tag }) => tag);
}

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
  const counts: Record<string, number> = Object.fromEntries(JOB_STATUSES.map(status => [status, 0]));
  const rows = await countsOf(store, caller);
  for (const { status, count } of rows) counts[status] = (counts[status] ?? 0) + count;
  return counts;
}

/** Sums up the caller's jobs, without deleted ones. */
export async function summarize(store: Store, caller: Caller): Promise<JobsSummary> {
  const rows = await countsOf(store, caller);
  const sum = (of: (row: (typeof rows)[number]) => number | null) =>
    rows.reduce((total, row) => total + (of(row) ?? 0), 0);
  const by = (key: "status" | "experiment_type" | "device_type") => {
    const counts: Record<string, number> = {};
    for (const row of rows) counts[row[key]] = (counts[row[key]] ?? 0) + row.count;
    return counts;
  };
  const [total, cost, settled, shots] = [
    sum(r => r.count),
    sum(r => r.cost),
    sum(r => r.settled),
    sum(r => r.shots),
  ];
  return {
    total,
    statuses: by("status"),
    experimentTypes: by("experiment_type"),
    deviceTypes: by("device_type"),
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
