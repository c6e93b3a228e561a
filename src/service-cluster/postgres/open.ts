import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { indexesOf, migrate, openStore, STORE_VERSION, type Store, StoreError } from "../../service/index.ts";
import { createPostgresDialect, POSTGRES_SYNTAX } from "./dialect.ts";
import { openConnectionPool } from "./pool.ts";

interface PostgresOptions {
  /** Whether statements may take as long as they need, as those of commands do. Default: false. */
  isPatient?: boolean;
  /** The version that an older store is brought to. Default: the newest. */
  upTo?: number;
}

/**
 * Opens the store in a PostgreSQL database. One that is empty or older is brought up to date, by one process while all
 * others wait. Throws a `StoreError` for a store of a newer Ketbook.
 */
export async function openPostgresStore(
  url: string,
  { isPatient = false, upTo = STORE_VERSION }: PostgresOptions = {},
): Promise<Store> {
  const store = openStore(createPostgresDialect(openConnectionPool(url, { isPatient })));
  try {
    if (!(await isUpToDate(store, upTo))) await upgrade(url, upTo);
    const version = await readVersion(store);
    if (version > STORE_VERSION) {
      throw new StoreError(
        `The database was written by a newer Ketbook (store version ${version}, this one knows ${STORE_VERSION}). Update Ketbook, or choose another database.`,
      );
    }
    return store;
  } catch (error) {
    await store.destroy();
    throw error;
  }
}

const MIGRATION_LOCK = "ketbook migration";
const LOCK_INTERVAL_MS = 100;
/** For so long a migration waits for a table at a time, and with it whoever comes after. */
const LOCK_TIMEOUT = "2s";
const LOCK_PAUSE_MS = 1000;
const MAX_ATTEMPTS = 100;

/** Reads the version of the tables; 0 where there are none. */
export async function readVersion(store: Store): Promise<number> {
  const { rows: found } = await sql`select 1 where to_regclass('store_version') is not null`.execute(store);
  if (found.length === 0) return 0;
  const { rows } = await sql<{ version: number }>`select version from store_version`.execute(store);
  return rows[0]?.version ?? 0;
}

/** Whether tables have a version, or a later one, with all of its indexes. */
export async function isUpToDate(store: Store, version: number): Promise<boolean> {
  const found = await readVersion(store);
  return found > version || (found === version && (await missingIndexes(store, version)).length === 0);
}

/**
 * Brings a store up to date while services run on it, on one connection, whose lock lasts until it is done: the tables
 * in one transaction, then indexes one by one, during which rows are written.
 */
export async function upgrade(url: string, version: number): Promise<void> {
  const store = openStore(createPostgresDialect(openConnectionPool(url, { isPatient: true })));
  try {
    await store.connection().execute(async connection => {
      await lockMigrations(connection);
      const found = await readVersion(connection);
      if (found < version) await migrateTables(connection, { version, isEmpty: found === 0 });
      if (found <= version) await buildIndexes(connection, version);
    });
  } finally {
    await store.destroy();
  }
}

/** Asks for the lock again and again: a statement that waits for it would keep indexes from being built. */
async function lockMigrations(connection: Store): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_lock(hashtextextended(${MIGRATION_LOCK}, 0)) as locked`.execute(connection);
    if (rows[0]?.locked) return;
    await sleep(LOCK_INTERVAL_MS);
  }
}

/** Migrates, again where a table was in use for too long; the indexes of an empty store with it. */
async function migrateTables(
  connection: Store,
  { version, isEmpty }: { version: number; isEmpty: boolean },
): Promise<void> {
  await sql.raw(`set lock_timeout = '${LOCK_TIMEOUT}'`).execute(connection);
  for (let left = MAX_ATTEMPTS; ; left -= 1) {
    try {
      return await migrate(connection, POSTGRES_SYNTAX, { version, hasIndexes: isEmpty });
    } catch (error) {
      if (left === 0 || (error as { code?: unknown }).code !== "55P03") throw error;
    }
    await sleep(LOCK_PAUSE_MS);
  }
}

/** The indexes of a version that are not there, or that were not built to their end. */
async function missingIndexes(store: Store, version: number) {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where indisvalid and pg_table_is_visible(indexrelid)`.execute(store);
  const valid = new Set(rows.map(({ name }) => name));
  return indexesOf(POSTGRES_SYNTAX, version).filter(({ name }) => !valid.has(name));
}

async function buildIndexes(connection: Store, version: number): Promise<void> {
  await sql`set lock_timeout = 0`.execute(connection);
  for (const { name, statement } of await missingIndexes(connection, version)) {
    await sql.raw(`drop index concurrently if exists ${name}`).execute(connection);
    await sql.raw(statement.replace("index", "index concurrently")).execute(connection);
  }
}
