import type { Database, PreparedStatement, SAHPoolUtil, Sqlite3Static } from "@sqlite.org/sqlite-wasm";
import type { SqliteConnection } from "../../service/store/sqlite/sqlite-connection.ts";

const MAX_STATEMENTS = 400;
const CACHE_KIB = 16 * 1024;

/**
 * Opens a connection to the one database of a page: in a pool of files of the browser's storage, or else in memory. A
 * commit lasts beyond a crash of the browser, and beyond one of the system once its file was flushed.
 */
export function connectWasm(
  { capi, oo1 }: Sqlite3Static,
  pool: SAHPoolUtil | undefined,
  name: string,
): SqliteConnection {
  const database: Database = pool ? new pool.OpfsSAHPoolDb(name) : new oo1.DB(":memory:");
  database.exec("pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal");
  database.exec("pragma wal_autocheckpoint = 4000; pragma foreign_keys = on; pragma secure_delete = fast");
  database.exec(`pragma cache_size = ${-CACHE_KIB}; pragma temp_store = memory`);
  const statements = new Map<string, PreparedStatement>();

  /** Keeps prepared statements. */
  function prepare(sql: string): PreparedStatement {
    const known = statements.get(sql);
    if (known) return known;
    if (statements.size >= MAX_STATEMENTS) finalize();
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  function finalize(): void {
    for (const statement of statements.values()) statement.finalize();
    statements.clear();
  }

  function* rowsOf(statement: PreparedStatement, parameters: readonly unknown[]): Generator<unknown> {
    if (parameters.length > 0) statement.bind(parameters as never);
    while (statement.step()) yield statement.get({});
  }

  /** Reads rows with a statement of its own, so that others may run in between. */
  function* iterate(sql: string, parameters: readonly unknown[]): Generator<unknown> {
    const statement = database.prepare(sql);
    try {
      yield* rowsOf(statement, parameters);
    } finally {
      statement.finalize();
    }
  }

  return {
    isInTransaction: () => capi.sqlite3_get_autocommit(database.pointer!) === 0,
    execute({ sql, parameters }) {
      const statement = prepare(sql);
      let rows: never[];
      try {
        rows = [...rowsOf(statement, parameters)] as never[];
      } finally {
        statement.reset(true);
      }
      if (statement.columnCount > 0) return { rows };
      return {
        rows,
        numAffectedRows: BigInt(database.changes()),
        insertId: BigInt(capi.sqlite3_last_insert_rowid(database.pointer!)),
      };
    },
    iterate: ({ sql, parameters }) => iterate(sql, parameters) as never,
    close() {
      finalize();
      database.close();
    },
  };
}
