import { DatabaseSync } from "node:sqlite";
import { type Kysely, sql } from "kysely";
import type { Database } from "./schema.ts";

/** What differs between the databases in the definition of tables. */
export interface DialectWords {
  /** Type of a column that counts up by itself. */
  identity: string;
  /** Ends the definition of a table whose rows are to lie in the order of its primary key. */
  clustered: string;
}

/** Each entry brings the tables from one version to the next; an entry that has been released never changes. */
const versions: readonly ((words: DialectWords) => string[])[] = [
  ({ identity, clustered }) => [
    `create table organizations (
      id text primary key, name text not null unique, auto_recharge integer not null, created_at bigint not null)`,
    `create table users (
      id ${identity}, organization_id text not null references organizations (id), name text not null,
      tier text not null, created_at bigint not null, unique (organization_id, name))`,
    `create table api_keys (
      id text primary key, user_id bigint not null references users (id), digest text not null unique,
      hint text not null, allow_json text, created_at bigint not null, revoked_at bigint)`,
    `create table job_groups (
      seq ${identity}, id text not null unique, user_id bigint not null references users (id),
      organization_id text not null, name text, status text not null, max_ttl integer not null,
      tags_json text not null, metadata_json text not null,
      created_at bigint not null, updated_at bigint not null, expires_at bigint not null)`,
    "create index job_groups_listed on job_groups (user_id, seq, status)",
    `create table jobs (
      seq ${identity}, qrn text not null unique, user_id bigint not null references users (id),
      organization_id text not null, group_id text references job_groups (id), idempotency_key text,
      request_digest text, device_qrn text not null, vendor text not null, provider text not null,
      device_type text not null, experiment_type text not null, name text, shots integer not null,
      programs integer not null, is_batch integer not null, status text not null, status_msg text,
      attempt integer not null, crashes integer not null, estimate bigint, cost bigint, tags_json text not null,
      options_json text not null, metadata_json text not null, created_at bigint not null,
      updated_at bigint not null, started_at bigint, ended_at bigint, duration_us bigint, deleted_at bigint,
      unique (user_id, idempotency_key))`,
    "create index jobs_listed on jobs (user_id, seq, status, vendor, provider) where deleted_at is null",
    "create index jobs_waiting on jobs (status, seq, device_qrn) where ended_at is null",
    "create index jobs_ended on jobs (device_qrn, ended_at) where ended_at is not null",
    "create index jobs_of_day on jobs (user_id, device_qrn, status, ended_at)",
    "create index jobs_of_group on jobs (group_id, status) where group_id is not null",
    `create table job_documents (
      job_seq bigint not null references jobs (seq), kind text not null, body text not null,
      primary key (job_seq, kind))`,
    `create table job_tags (
      user_id bigint not null, key text not null, type text not null, value text not null,
      job_seq bigint not null references jobs (seq), primary key (user_id, key, type, value, job_seq)) ${clustered}`,
    "create index job_tags_of_job on job_tags (job_seq)",
    `create table job_words (
      user_id bigint not null, job_seq bigint not null references jobs (seq), text text not null,
      primary key (user_id, job_seq)) ${clustered}`,
    "create table ledger_accounts (id text primary key, balance bigint not null)",
    `create table ledger_postings (
      seq ${identity}, source text not null, kind text not null,
      account_id text not null references ledger_accounts (id), amount bigint not null,
      created_at bigint not null, unique (source, kind, account_id))`,
    "create index ledger_postings_of_account on ledger_postings (account_id)",
    `create table ledger_holds (
      job_seq bigint primary key references jobs (seq), amount bigint not null, state text not null)`,
    `create table quota_usage (
      user_id bigint not null, device_qrn text not null, day integer not null, used integer not null,
      primary key (user_id, device_qrn, day))`,
  ],
  () => [
    "alter table job_groups add column idempotency_key text",
    "alter table job_groups add column request_digest text",
    "create unique index job_groups_idempotency on job_groups (user_id, idempotency_key)",
  ],
  () => [
    `create table uncharged_compute (
      user_id bigint not null, day integer not null, milliseconds bigint not null, primary key (user_id, day))`,
    "create index jobs_of_group_listed on jobs (group_id, seq) where group_id is not null",
  ],
  ({ identity }) => [
    "alter table api_keys add column scope text not null default 'admin'",
    "alter table api_keys add column expires_at bigint",
    `create table audit_events (
      seq ${identity}, created_at bigint not null, event text not null, actor text not null,
      organization_id text, subject text not null, details_json text not null)`,
    "alter table jobs add column purged_at bigint",
    `create index jobs_deleted on jobs (deleted_at) where deleted_at is not null and purged_at is null`,
    "create table storage_usage (organization_id text primary key, bytes bigint not null)",
    `insert into storage_usage (organization_id, bytes) select organization_id, sum(octet_length(body))
      from job_documents join jobs on jobs.seq = job_seq group by organization_id`,
    `create table run_totals (
      device_qrn text not null, status text not null, runs bigint not null, wait_ms bigint not null,
      run_us bigint not null, primary key (device_qrn, status))`,
    `insert into run_totals (device_qrn, status, runs, wait_ms, run_us)
      select device_qrn, status, count(*), coalesce(sum(started_at - created_at), 0), coalesce(sum(duration_us), 0)
      from jobs where ended_at is not null group by device_qrn, status`,
  ],
];

/** Version of the tables that this Ketbook knows. */
export const STORE_VERSION = versions.length;

/** Reads the version of the tables in a file, without changing it; undefined when it has none of Ketbook's. */
export function readVersion(path: string): number | undefined {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    const known = database.prepare("select 1 from sqlite_schema where name = 'store_version'").get();
    return known && (database.prepare("select version from store_version").get()?.version as number);
  } finally {
    database.close();
  }
}

/** Brings the tables from a version to the newest one, all at once or not at all. */
export async function migrate(store: Kysely<Database>, words: DialectWords, from: number): Promise<void> {
  await store.transaction().execute(async transaction => {
    await sql`create table if not exists store_version (version integer not null)`.execute(transaction);
    for (const statements of versions.slice(from)) {
      for (const statement of statements(words)) await sql.raw(statement).execute(transaction);
    }
    await sql`delete from store_version`.execute(transaction);
    await sql`insert into store_version (version) values (${STORE_VERSION})`.execute(transaction);
  });
}
