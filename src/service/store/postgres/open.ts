import { sql } from "kysely";
import { StoreError } from "../../storage-errors.ts";
import { migrate, STORE_VERSION } from "../migrate.ts";
import { openStore, type Store } from "../store.ts";
import { createPostgresDialect, POSTGRES_SYNTAX } from "./dialect.ts";
import { openConnectionPool } from "./pool.ts";

const MIGRATION_LOCK = "ketbook migration";

/** How a store is opened. */
export interface PostgresOptions {
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
    if ((await readVersion(store)) < upTo) await upgrade(url, upTo);
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

/** Reads the version of the tables; 0 where there are none. */
export async function readVersion(store: Store): Promise<number> {
  const { rows: found } = await sql`select 1 where to_regclass('store_version') is not null`.execute(store);
  if (found.length === 0) return 0;
  const { rows } = await sql<{ version: number }>`select version from store_version`.execute(store);
  return rows[0]?.version ?? 0;
}

/** Migrates on one connection, whose lock lasts until it is done. */
async function upgrade(url: string, upTo: number): Promise<void> {
  const store = openStore(createPostgresDialect(openConnectionPool(url, { isPatient: true })));
  try {
    await store.connection().execute(async connection => {
      await sql`set lock_timeout = 0`.execute(connection);
      await sql`select pg_advisory_lock(hashtextextended(${MIGRATION_LOCK}, 0))`.execute(connection);
      if ((await readVersion(connection)) < upTo) await migrate(connection, POSTGRES_SYNTAX, upTo);
    });
  } finally {
    await store.destroy();
  }
}
