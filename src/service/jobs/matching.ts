import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { TagValue } from "../../contract/job.ts";
import type { JobStatus } from "../../contract/status.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Store } from "../store/store.ts";

/** Conditions on the jobs of a list. */
export interface JobConditions {
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
export interface Matching {
  /** SQL after `select … `. */
  from: RawBuilder<unknown>;
  seq: RawBuilder<number>;
  /** Counts them. */
  total: RawBuilder<{ total: number }>;
}

/**
 * Returns where the caller's matching jobs are read from: by their rarest tag if any is asked for, else by their words,
 * else from the list of all. Tags and words of a deleted job are not kept, so that they need no look at the job.
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
