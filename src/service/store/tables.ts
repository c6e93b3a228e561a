import { type Kysely, sql } from "kysely";
import { StoreError } from "../storage-errors.ts";
import type { Database } from "./schema.ts";
import type { SchemaSyntax, TriggerOptions } from "./store.ts";

/** Version of the tables. Lower ones are of before the first release. */
export const STORE_VERSION = 10;

/** Throws a `StoreError` if the tables of a place have another version. `update` says how to get a newer Ketbook. */
export function checkStoreVersion(version: number, place: string, update = "Update Ketbook"): void {
  if (version === STORE_VERSION) return;
  const [age, advice] =
    version > STORE_VERSION ? ["a newer", update] : ["an older", "Open it with that version"];
  throw new StoreError(
    `${place} was written by ${age} Ketbook (store version ${version}, this one reads ${STORE_VERSION}). ${advice}, or choose another.`,
  );
}

/** Counts a row of jobs among those that have ended and are not deleted, or no more. */
const countJob = (sign: "+" | "-") =>
  `insert into job_counts (user_id, vendor, provider, experiment_type, device_type, status, jobs, settled, cost, shots)
    values (new.user_id, new.vendor, new.provider, new.experiment_type, new.device_type, new.status,
      ${sign}1, ${sign}(case when new.cost is null then 0 else 1 end), ${sign}coalesce(new.cost, 0), ${sign}new.shots)
    on conflict (user_id, vendor, provider, experiment_type, device_type, status) do update set
      jobs = job_counts.jobs + excluded.jobs, settled = job_counts.settled + excluded.settled,
      cost = job_counts.cost + excluded.cost, shots = job_counts.shots + excluded.shots`;

/** Adds the bytes of a new or old row of documents to those of its user and organization. */
const countBytes = (bytes: string, job: string) =>
  [
    ["user_storage", "user_id"],
    ["storage_usage", "organization_id"],
  ]
    .map(
      ([table, owner]) =>
        `insert into ${table} (${owner}, bytes) select ${owner}, ${bytes} from jobs where seq = ${job}
          on conflict (${owner}) do update set bytes = ${table}.bytes + excluded.bytes`,
    )
    .join(";\n");

/** Keep the counts of jobs and the bytes of documents, whatever writes them. */
const TRIGGERS: readonly TriggerOptions[] = [
  {
    name: "jobs_counted_at_insert",
    table: "jobs",
    event: "insert",
    condition: "new.ended_at is not null and new.deleted_at is null",
    statement: countJob("+"),
  },
  {
    name: "jobs_counted_at_end",
    table: "jobs",
    event: "update of ended_at",
    condition: "old.ended_at is null and new.ended_at is not null and new.deleted_at is null",
    statement: countJob("+"),
  },
  {
    name: "jobs_counted_at_deletion",
    table: "jobs",
    event: "update of deleted_at",
    condition: "old.deleted_at is null and new.deleted_at is not null and new.ended_at is not null",
    statement: countJob("-"),
  },
  {
    name: "job_documents_counted_at_insert",
    table: "job_documents",
    event: "insert",
    condition: "new.job_seq is not null",
    statement: countBytes("octet_length(new.body)", "new.job_seq"),
  },
  {
    name: "job_documents_counted_at_deletion",
    table: "job_documents",
    event: "delete",
    condition: "old.job_seq is not null",
    statement: countBytes("-octet_length(old.body)", "old.job_seq"),
  },
];

/** Lists the statements that make the tables, indexes and triggers of an empty store. */
const statementsOf = ({ identity, clustered, unlogged, trigger }: SchemaSyntax): string[] => [
  `create table store_version (version integer not null)`,
  `insert into store_version (version) values (${STORE_VERSION})`,
  `create table organizations (
    id text primary key, name text not null unique, auto_recharge integer not null, created_at bigint not null)`,
  `create table users (
    id ${identity}, organization_id text not null references organizations (id), name text not null,
    tier text not null, created_at bigint not null, own_credits integer not null default 0,
    max_stored_bytes bigint, max_waiting_jobs integer, unique (organization_id, name))`,
  `create table api_keys (
    id text primary key, user_id bigint not null references users (id), digest text not null unique,
    hint text not null, allow_json text, scope text not null, created_at bigint not null,
    expires_at bigint, revoked_at bigint)`,
  `create table job_groups (
    seq ${identity}, id text not null unique, user_id bigint not null references users (id),
    organization_id text not null, idempotency_key text, request_digest text, name text, status text not null,
    max_ttl integer not null, tags_json text not null, metadata_json text not null,
    created_at bigint not null, updated_at bigint not null, expires_at bigint not null)`,
  "create index job_groups_listed on job_groups (user_id, seq, status)",
  "create unique index job_groups_idempotency on job_groups (user_id, idempotency_key)",
  `create table jobs (
    seq ${identity}, qrn text not null unique, user_id bigint not null references users (id),
    organization_id text not null, group_id text references job_groups (id), idempotency_key text,
    request_digest text, request_id text, device_qrn text not null, vendor text not null, provider text not null,
    device_type text not null, experiment_type text not null, name text, shots integer not null,
    programs integer not null, is_batch integer not null, status text not null, status_msg text,
    attempt integer not null, worker_id text, leased_until bigint, required_bytes bigint, crashes integer not null,
    estimate bigint, cost bigint, tags_json text not null, options_json text not null, seed bigint,
    progress integer, provenance_json text, figures_json text, diagnostics_json text, created_at bigint not null,
    updated_at bigint not null, started_at bigint, ended_at bigint, duration_us bigint, deleted_at bigint,
    purged_at bigint, unique (user_id, idempotency_key))`,
  // Of indexes that suit a query equally, SQLite takes the one that was made last.
  "create index jobs_listed on jobs (user_id, seq, status, vendor, provider) where deleted_at is null",
  "create index jobs_waiting on jobs (status, seq, device_qrn) where ended_at is null",
  "create index jobs_ended on jobs (device_qrn, ended_at) where ended_at is not null",
  "create index jobs_of_day on jobs (user_id, device_qrn, status, ended_at)",
  "create index jobs_of_group on jobs (group_id, status) where group_id is not null",
  "create index jobs_of_group_listed on jobs (group_id, seq) where group_id is not null",
  "create index jobs_deleted on jobs (deleted_at) where deleted_at is not null and purged_at is null",
  "create index jobs_unended on jobs (user_id, device_qrn, seq) where ended_at is null",
  "create index jobs_of_status on jobs (user_id, status, seq) where deleted_at is null",
  `create table job_documents (
    job_seq bigint not null references jobs (seq), kind text not null, part integer not null, body text not null,
    primary key (job_seq, kind, part))`,
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
    job_seq bigint primary key references jobs (seq), amount bigint not null, state text not null,
    account_id text not null)`,
  `create table quota_usage (
    user_id bigint not null, device_qrn text not null, day integer not null, used integer not null,
    primary key (user_id, device_qrn, day))`,
  `create table uncharged_compute (
    user_id bigint not null, day integer not null, milliseconds bigint not null, primary key (user_id, day))`,
  `create table audit_events (
    seq ${identity}, created_at bigint not null, event text not null, actor text not null,
    organization_id text, subject text not null, details_json text not null)`,
  "create table storage_usage (organization_id text primary key, bytes bigint not null)",
  "create table user_storage (user_id bigint primary key, bytes bigint not null)",
  `create table run_totals (
    device_qrn text not null, status text not null, runs bigint not null, wait_ms bigint not null,
    run_us bigint not null, primary key (device_qrn, status))`,
  `create ${unlogged}table rate_limits (client text primary key, full_at double precision not null)`,
  `create table workers (
    id text primary key, name text not null, started_at bigint not null, seen_at bigint not null,
    slots integer not null, memory_bytes bigint not null, offers_json text not null)`,
  `create table job_counts (
    user_id bigint not null, vendor text not null, provider text not null, experiment_type text not null,
    device_type text not null, status text not null, jobs bigint not null, settled bigint not null,
    cost bigint not null, shots bigint not null,
    primary key (user_id, vendor, provider, experiment_type, device_type, status))`,
  ...TRIGGERS.flatMap(trigger),
];

/** Makes the tables of an empty store, all at once or not at all. */
export async function createTables(store: Kysely<Database>, syntax: SchemaSyntax): Promise<void> {
  await store.transaction().execute(async db => {
    for (const statement of statementsOf(syntax)) await sql.raw(statement).execute(db);
  });
}
