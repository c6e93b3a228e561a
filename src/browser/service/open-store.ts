import type { Sqlite3Static } from "@sqlite.org/sqlite-wasm";
import { sql } from "kysely";
import { StoreError } from "../../service/storage-errors.ts";
import { migrate, STORE_VERSION } from "../../service/store/migrate.ts";
import { SQLITE_SYNTAX, sqliteDialect } from "../../service/store/sqlite/dialect.ts";
import { createMutex } from "../../service/store/sqlite/mutex.ts";
import { openStore, type Store } from "../../service/store/store.ts";
import { createLogFlush } from "./log-flush.ts";
import { openPool } from "./open-pool.ts";
import { connectWasm } from "./sqlite-connection.ts";

/** Location of a store: the browser's private folder of the page's origin, or memory. */
export interface StoreLocation {
  /** A folder of the browser's storage, such as `/ketbook/store`; undefined: in memory. */
  folder: string | undefined;
}

/** A page's store that is open. */
export interface PageStore {
  store: Store;
  /** Whether it lasts beyond the page. */
  isKept: boolean;
  /**
   * Returns some of the file's free pages to the browser, and with the last ones empties its write-ahead log, in which
   * what was removed is kept until then. Returns whether there is more to do.
   */
  compact(): boolean;
}

const FILE_NAME = "/ketbook.sqlite";
const STEP_PAGES = 256;
const FREE_PAGES = { sql: "pragma freelist_count", parameters: [] };
const EMPTY_LOG = { sql: "pragma wal_checkpoint(truncate)", parameters: [] };
const RETURN_PAGES = { sql: `pragma incremental_vacuum(${STEP_PAGES})`, parameters: [] };

/**
 * Opens a page's store, and brings an older one up to date. Where the browser keeps no files, it is in memory. Throws a
 * `StoreError` for a store of a newer Ketbook.
 */
export async function openPageStore(sqlite: Sqlite3Static, { folder }: StoreLocation): Promise<PageStore> {
  const kept = folder === undefined ? undefined : await openPool(sqlite, folder);
  const pool = kept?.pool;
  const writer = connectWasm(sqlite, pool, FILE_NAME);
  const take = createMutex();
  const emptyLog = () => writer.execute<{ busy: number }>(EMPTY_LOG).rows[0]?.busy === 0;
  const checkpoint = async () => {
    const done = await take();
    try {
      if (!emptyLog()) throw new Error("The write-ahead log is in use.");
    } finally {
      done();
    }
  };
  const flush = createLogFlush(() => kept?.flush(), checkpoint);
  const wal = { flush, close: async () => {} };
  const store = openStore(sqliteDialect({ writer, reader: undefined, take, wal }));
  try {
    const version = await versionOf(store);
    if (version > STORE_VERSION) {
      throw new StoreError(
        `What this browser keeps was written by a newer Ketbook (store version ${version}, this one knows ${STORE_VERSION}). Reload the page to update it.`,
      );
    }
    if (version === 0) await sql`pragma auto_vacuum = incremental`.execute(store);
    if (version < STORE_VERSION) await migrate(store, SQLITE_SYNTAX);
  } catch (error) {
    await store.destroy();
    throw error;
  }
  return {
    store,
    isKept: pool !== undefined,
    compact() {
      if (writer.isInTransaction()) return true;
      const free = () =>
        Number(writer.execute<{ freelist_count: number }>(FREE_PAGES).rows[0]?.freelist_count);
      const before = free();
      if (before > 0) writer.execute(RETURN_PAGES);
      const left = free();
      return (left > 0 && left < before) || !emptyLog();
    },
  };
}

/** Opens an empty store in memory, without tables. */
export function openScratchStore(sqlite: Sqlite3Static): Store {
  const flush = async () => {};
  const writer = connectWasm(sqlite, undefined, ":memory:");
  return openStore(
    sqliteDialect({ writer, reader: undefined, take: createMutex(), wal: { flush, close: flush } }),
  );
}

async function versionOf(store: Store): Promise<number> {
  const known = await sql`select 1 from sqlite_schema where name = 'store_version'`.execute(store);
  if (known.rows.length === 0) return 0;
  const { rows } = await sql<{ version: number }>`select version from store_version`.execute(store);
  return rows[0]?.version ?? 0;
}
