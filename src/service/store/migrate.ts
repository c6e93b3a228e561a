import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Database } from "./schema.ts";
import type { SchemaSyntax } from "./store.ts";

/** Counts a row of jobs among those that have ended and are not deleted, or no more. */
const countJob = (sign: "+" | "-") =>
  `insert into job_counts (user_id, vendor, provider, experiment_type, device_type, status, jobs, settled, cost, shots)
    values (new.user_id, new.vendor, new.provider, new.experiment_type, new.device_type, new.status,
      ${sign}1, ${sign}(case when new.cost is null then 0 else 1 end), ${sign}coalesce(new.cost, 0), ${sign}new.shots)
    on conflict (user_id, vendor, provider, experiment_type, device_type, status) do update set
      jobs = job_counts.jobs + excluded.jobs, settled = job_counts.settled + excluded.settled,
      cost = job_counts.cost + excluded.cost, shots = job_counts.shots + excluded.shots`;

/** Adds the bytes of a new or old row of documents to those of its user. */
const countBytes = (bytes: string, job: string) =>
  `insert into user_storage (user_id, bytes) select user_id, ${bytes} from jobs where seq = ${job}
    on conflict (user_id) do update set bytes = user_storage.bytes + excluded.bytes`;

/**
 * The migrations of a store, oldest first, whatever its database: each is the statements that bring the tables from one
 * version to the next. There is no way back, and a migration that has been released never changes.
 */
export const MIGRATIONS: Readonly<Record<string, (syntax: SchemaSyntax) => string[]>> = {
  "0001_first_tables": ({ identity, clustered }) => [
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
  "0002_idempotency_of_groups": () => [
    "alter table job_groups add column idempotency_key text",
    "alter table job_groups add column request_digest text",
    "create unique index job_groups_idempotency on job_groups (user_id, idempotency_key)",
  ],
  "0003_uncharged_compute": () => [
    `create table uncharged_compute (
      user_id bigint not null, day integer not null, milliseconds bigint not null, primary key (user_id, day))`,
    "create index jobs_of_group_listed on jobs (group_id, seq) where group_id is not null",
  ],
  "0004_retention_and_audit": ({ identity }) => [
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
  "0005_runs_and_leases": ({ jsonMember, jsonWithout }) => [
    "alter table jobs add column seed bigint",
    "alter table jobs add column progress integer",
    "alter table jobs add column provenance_json text",
    "alter table jobs add column figures_json text",
    "alter table jobs add column diagnostics_json text",
    "alter table jobs add column worker_id text",
    "alter table jobs add column leased_until bigint",
    `update jobs set
      seed = cast(${jsonMember("metadata_json", "seed")} as bigint),
      provenance_json = '{"service":' || ${jsonMember("metadata_json", "service")} || ',"calibration":'
        || coalesce(${jsonMember("metadata_json", "calibration")}, 'null') || '}',
      figures_json = nullif(${jsonWithout("metadata_json", ["seed", "progress", "service", "calibration", "diagnostics"])}, '{}'),
      diagnostics_json = ${jsonMember("metadata_json", "diagnostics")}`,
    "alter table jobs drop column metadata_json",
  ],
  "0006_requests_chunks_and_rates": ({ unlogged }) => [
    "alter table jobs add column request_id text",
    `create table job_document_chunks (
      job_seq bigint not null references jobs (seq), kind text not null, part integer not null, body text not null,
      primary key (job_seq, kind, part))`,
    `create ${unlogged}table rate_limits (client text primary key, full_at double precision not null)`,
  ],
  "0007_workers_and_counts": ({ trigger }) => [
    "alter table jobs add column required_bytes bigint",
    `create table workers (
      id text primary key, name text not null, started_at bigint not null, seen_at bigint not null,
      slots integer not null, memory_bytes bigint not null, offers_json text not null)`,
    `create table job_counts (
      user_id bigint not null, vendor text not null, provider text not null, experiment_type text not null,
      device_type text not null, status text not null, jobs bigint not null, settled bigint not null,
      cost bigint not null, shots bigint not null,
      primary key (user_id, vendor, provider, experiment_type, device_type, status))`,
    `insert into job_counts (user_id, vendor, provider, experiment_type, device_type, status, jobs, settled, cost, shots)
      select user_id, vendor, provider, experiment_type, device_type, status,
        count(*), count(cost), coalesce(sum(cost), 0), sum(shots)
      from jobs where ended_at is not null and deleted_at is null
      group by user_id, vendor, provider, experiment_type, device_type, status`,
    ...trigger({
      name: "jobs_counted_at_insert",
      table: "jobs",
      event: "insert",
      condition: "new.ended_at is not null and new.deleted_at is null",
      statement: countJob("+"),
    }),
    ...trigger({
      name: "jobs_counted_at_end",
      table: "jobs",
      event: "update of ended_at",
      condition: "old.ended_at is null and new.ended_at is not null and new.deleted_at is null",
      statement: countJob("+"),
    }),
    ...trigger({
      name: "jobs_counted_at_deletion",
      table: "jobs",
      event: "update of deleted_at",
      condition: "old.deleted_at is null and new.deleted_at is not null and new.ended_at is not null",
      statement: countJob("-"),
    }),
    "create index jobs_unended on jobs (user_id, device_qrn, seq) where ended_at is null",
    "create index jobs_of_status on jobs (user_id, status, seq) where deleted_at is null",
  ],
  "0008_budgets": ({ trigger }) => [
    "alter table users add column own_credits integer not null default 0",
    "alter table users add column max_stored_bytes bigint",
    "alter table users add column max_waiting_jobs integer",
    "alter table ledger_holds add column account_id text",
    "create table user_storage (user_id bigint primary key, bytes bigint not null)",
    `insert into user_storage (user_id, bytes) select user_id, sum(bytes) from (
        select job_seq, octet_length(body) as bytes from job_documents
        union all select job_seq, octet_length(body) from job_document_chunks) as stored
      join jobs on jobs.seq = job_seq group by user_id`,
    ...["job_documents", "job_document_chunks"].flatMap(table => [
      ...trigger({
        name: `${table}_counted_at_insert`,
        table,
        event: "insert",
        condition: "new.job_seq is not null",
        statement: countBytes("octet_length(new.body)", "new.job_seq"),
      }),
      ...trigger({
        name: `${table}_counted_at_deletion`,
        table,
        event: "delete",
        condition: "old.job_seq is not null",
        statement: countBytes("-octet_length(old.body)", "old.job_seq"),
      }),
    ]),
  ],
};

export const STORE_VERSION = Object.keys(MIGRATIONS).length;

/** The last version without Kysely's records of migrations. */
const LAST_UNRECORDED_VERSION = 4;

const TABLES = { migrationTableName: "store_migrations", migrationLockTableName: "store_migration_lock" };

interface MigrationOptions {
  /** The version to come to. Default: the newest. */
  version?: number;
  /** Whether indexes are made with the tables, and not by who calls. Default: true. */
  hasIndexes?: boolean;
}

/** Brings the tables from the version that they have to a later one, all at once or not at all. */
export async function migrate(
  store: Kysely<Database>,
  syntax: SchemaSyntax,
  { version = STORE_VERSION, hasIndexes = true }: MigrationOptions = {},
): Promise<void> {
  await store.transaction().execute(async db => {
    await recordEarlier(db);
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => migrationsOf(syntax, hasIndexes) },
      ...TABLES,
    });
    const { error } = await migrator.migrateTo(Object.keys(MIGRATIONS)[version - 1]!);
    if (error) throw error;
  });
}

const INDEX = /^create (?:unique )?index (\w+)/;

/** Lists the indexes of a version that have names of their own, and how each is made. */
export function indexesOf(syntax: SchemaSyntax, version: number): { name: string; statement: string }[] {
  const all = Object.values(MIGRATIONS).slice(0, version);
  return all.flatMap(statements =>
    statements(syntax).flatMap(statement => {
      const name = INDEX.exec(statement)?.[1];
      return name === undefined ? [] : [{ name, statement }];
    }),
  );
}

/** Every migration also sets the version, by which other versions of Ketbook know whether they can read the store. */
function migrationsOf(syntax: SchemaSyntax, hasIndexes: boolean): Record<string, Migration> {
  const entries = Object.entries(MIGRATIONS).map(([name, statements], index): [string, Migration] => [
    name,
    {
      async up(db) {
        const wanted = statements(syntax).filter(statement => hasIndexes || !INDEX.test(statement));
        for (const statement of wanted) await sql.raw(statement).execute(db);
        await sql`delete from store_version`.execute(db);
        await sql`insert into store_version (version) values (${index + 1})`.execute(db);
      },
    },
  ]);
  return Object.fromEntries(entries);
}

/** Records the migrations of a store that has only a version. */
async function recordEarlier(db: Kysely<Database>): Promise<void> {
  await sql`create table if not exists store_version (version integer not null)`.execute(db);
  const { rows } = await sql<{ version: number }>`select version from store_version`.execute(db);
  const version = rows[0]?.version ?? 0;
  if (version === 0 || version > LAST_UNRECORDED_VERSION) return;
  const table = sql.table(TABLES.migrationTableName);
  await sql`create table ${table} (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(
    db,
  );
  for (const name of Object.keys(MIGRATIONS).slice(0, version)) {
    await sql`insert into ${table} (name, timestamp) values (${name}, ${new Date(0).toISOString()})`.execute(
      db,
    );
  }
}
