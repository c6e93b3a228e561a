import { sql } from "kysely";
import { checkStoreVersion, createTables, openStore, type Store } from "../../service/index.ts";
import { createPostgresDialect, POSTGRES_SYNTAX } from "./dialect.ts";
import { openConnectionPool } from "./pool.ts";

interface PostgresOptions {
  /** Whether statements may take as long as they need, as those of commands do. Default: false. */
  isPatient?: boolean;
}

/**
 * Opens the store in a PostgreSQL database. In an empty one, the first process makes the tables while all others wait.
 * Throws a `StoreError` for a store of another version.
 */
export async function openPostgresStore(
  url: string,
  { isPatient = false }: PostgresOptions = {},
): Promise<Store> {
  const store = openStore(createPostgresDialect(openConnectionPool(url, { isPatient })));
  try {
    if ((await readVersion(store)) === 0) await makeTables(url);
    checkStoreVersion(await readVersion(store), "The database");
    return store;
  } catch (error) {
    await store.destroy();
    throw error;
  }
}

/** Reads the version of the tables; 0 without tables. */
async function readVersion(store: Store): Promise<number> {
  const { rows: found } = await sql`select 1 where to_regclass('store_version') is not null`.execute(store);
  if (found.length === 0) return 0;
  const { rows } = await sql<{ version: number }>`select version from store_version`.execute(store);
  return rows[0]?.version ?? 0;
}

/** Makes the tables, however long that takes, unless another process has made them meanwhile. */
async function makeTables(url: string): Promise<void> {
  const store = openStore(createPostgresDialect(openConnectionPool(url, { isPatient: true })));
  try {
    await store.connection().execute(async connection => {
      await sql`select pg_advisory_lock(hashtextextended('ketbook tables', 0))`.execute(connection);
      if ((await readVersion(connection)) === 0) await createTables(connection, POSTGRES_SYNTAX);
    });
  } finally {
    await store.destroy();
  }
}
