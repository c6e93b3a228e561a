import type { Database, SAHPoolUtil, Sqlite3Static } from "@sqlite.org/sqlite-wasm";
import { sql } from "kysely";
import { sleep } from "../../host/browser.ts";
import {
  auditLedger,
  checkStoreVersion,
  createMutex,
  createTables,
  damaged,
  openStore,
  SQLITE_SYNTAX,
  type SqliteConnection,
  type Store,
  StoreError,
  sqliteDialect,
} from "../../service/index.ts";

const CACHE_KIB = 16 * 1024;

/**
 * Opens a connection to the one database of a page: in a pool of files of the browser's storage, or else in memory. A
 * commit lasts beyond a crash of the browser or of the system.
 */
function connectWasm(
  { capi, oo1 }: Sqlite3Static,
  pool: SAHPoolUtil | undefined,
  name: string,
): SqliteConnection & { database: Database } {
  const database: Database = pool ? new pool.OpfsSAHPoolDb(name) : new oo1.DB(name);
  database.exec("pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full");
  database.exec("pragma wal_autocheckpoint = 4000; pragma foreign_keys = on; pragma secure_delete = fast");
  database.exec(`pragma cache_size = ${-CACHE_KIB}; pragma temp_store = memory`);
  return {
    database,
    isInTransaction: () => capi.sqlite3_get_autocommit(database.pointer!) === 0,
    execute({ sql, parameters }) {
      const statement = database.prepare(sql);
      const rows: never[] = [];
      try {
        if (parameters.length > 0) statement.bind(parameters as never);
        while (statement.step()) rows.push(statement.get({}) as never);
        if (statement.columnCount > 0) return { rows };
      } finally {
        statement.finalize();
      }
      return {
        rows,
        numAffectedRows: BigInt(database.changes()),
        insertId: BigInt(capi.sqlite3_last_insert_rowid(database.pointer!)),
      };
    },
    close: () => database.close(),
  };
}

const POOL_FILES = 6;
/** For how long files are waited for that a tab which was closed has not let go of. */
const MAX_WAIT_MS = 5000;
const RETRY_MS = 20;

/** Opens the pool of files in a folder; undefined where the browser has none. Throws a `StoreError` where something else holds them. */
async function openPool(sqlite: Sqlite3Static, directory: string): Promise<SAHPoolUtil | undefined> {
  if (!globalThis.navigator?.storage?.getDirectory) return undefined;
  const options = {
    directory,
    initialCapacity: POOL_FILES,
    preserveOnInitFailure: true,
    forceReinitIfPreviouslyFailed: true,
  };
  for (const deadline = performance.now() + MAX_WAIT_MS; ; await sleep(RETRY_MS)) {
    try {
      return await sqlite.installOpfsSAHPoolVfs(options);
    } catch (error) {
      if (!isHeld(error)) return undefined;
      if (performance.now() > deadline)
        throw new StoreError(
          "Another tab is using Ketbook's data in this browser. Close the other tabs, then reload this one.",
        );
    }
  }
}

const isHeld = (error: unknown) =>
  /NoModificationAllowed|InvalidState|Access Handle|locked/i.test(`${(error as Error)?.name} ${error}`);

const FILE_NAME = "/ketbook.sqlite";
const MEMORY = ":memory:";
const STEP_PAGES = 256;
const FREE_PAGES = { sql: "pragma freelist_count", parameters: [] };
const EMPTY_LOG = { sql: "pragma wal_checkpoint(truncate)", parameters: [] };
const RETURN_PAGES = { sql: `pragma incremental_vacuum(${STEP_PAGES})`, parameters: [] };

/**
 * Opens a page's store in a folder of the browser's storage, and makes a missing one. If the browser keeps no files, the
 * store is in memory. Throws a `StoreError` for a store of another version.
 */
export async function openPageStore(sqlite: Sqlite3Static, folder: string) {
  const pool = await openPool(sqlite, folder);
  const writer = connectWasm(sqlite, pool, pool ? FILE_NAME : MEMORY);
  const take = createMutex();
  const emptyLog = () => writer.execute<{ busy: number }>(EMPTY_LOG).rows[0]?.busy === 0;
  const store = openStore(sqliteDialect({ writer, reader: undefined, take }));
  try {
    const version = await versionOf(store);
    if (version === 0) {
      await sql`pragma auto_vacuum = incremental`.execute(store);
      await createTables(store, SQLITE_SYNTAX);
    } else checkStoreVersion(version, "The store in this browser", "Reload the page to update it");
  } catch (error) {
    await store.destroy();
    throw error;
  }
  return {
    store,
    isKept: pool !== undefined,
    /**
     * Returns some of the file's free pages to the browser, and with the last ones empties its write-ahead log, in which
     * what was removed is kept until then. Returns whether there is more to do.
     */
    compact() {
      if (writer.isInTransaction()) return true;
      const free = () =>
        Number(writer.execute<{ freelist_count: number }>(FREE_PAGES).rows[0]?.freelist_count);
      const before = free();
      if (before > 0) writer.execute(RETURN_PAGES);
      const left = free();
      return (left > 0 && left < before) || !emptyLog();
    },
    /** Returns the store as a file of SQLite. */
    async toFile() {
      const done = await take();
      try {
        return withoutLog(sqlite.capi.sqlite3_js_db_export(writer.database.pointer!));
      } finally {
        done();
      }
    },
  };
}

/** Lets a file of SQLite be read without a write-ahead log, which it does not have. */
function withoutLog(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (file.length > 20) file.set([1, 1], 18);
  return file;
}

/** Opens a store in memory that is a copy of a file. Throws a `StoreError` for one that is damaged, or of another version. */
export async function openStoreCopy(sqlite: Sqlite3Static, file: Uint8Array<ArrayBuffer>): Promise<Store> {
  const { capi, wasm } = sqlite;
  const writer = connectWasm(sqlite, undefined, MEMORY);
  const store = openStore(sqliteDialect({ writer, reader: undefined, take: createMutex() }));
  const bytes = wasm.allocFromTypedArray(withoutLog(file));
  const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_RESIZEABLE;
  capi.sqlite3_deserialize(writer.database.pointer!, "main", bytes, file.length, file.length, flags);
  try {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(store);
    const problem = rows[0]?.integrity_check ?? "";
    if (problem !== "ok") throw damaged(problem);
    checkStoreVersion(await versionOf(store), "The file", "Reload the page to update it");
    const [wrong] = await auditLedger(store);
    if (wrong) throw damaged(wrong);
    return store;
  } catch (error) {
    await store.destroy();
    throw error instanceof StoreError ? error : damaged((error as Error).message);
  }
}

async function versionOf(store: Store): Promise<number> {
  const known = await sql`select 1 from sqlite_schema where name = 'store_version'`.execute(store);
  if (known.rows.length === 0) return 0;
  const { rows } = await sql<{ version: number }>`select version from store_version`.execute(store);
  return rows[0]?.version ?? 0;
}
