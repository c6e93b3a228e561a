import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { SqliteConnection } from "./sqlite-connection.ts";

const MAX_STATEMENTS = 400;
const OPENING_TIMEOUT_MS = 5000;
/** Pages kept in memory, so that the indexes of many thousand jobs are not read anew for each. */
const CACHE_KIB = 16 * 1024;

/** Opens a connection to a SQLite file. What it needs to roll back to a savepoint stays in memory, and makes no temporary file. */
export function connect(path: string): SqliteConnection {
  const database = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS });
  try {
    database.exec("pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on");
    database.exec("pragma wal_autocheckpoint = 4000; pragma secure_delete = fast; pragma busy_timeout = 0");
    database.exec(`pragma cache_size = ${-CACHE_KIB}; pragma temp_store = memory`);
  } catch (error) {
    database.close();
    throw error;
  }
  const statements = new Map<string, { statement: StatementSync; hasRows: boolean }>();
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];

  /** Keeps prepared statements. */
  function prepare(sql: string) {
    const known = statements.get(sql);
    if (known) return known;
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    const statement = database.prepare(sql);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    statements.set(sql, prepared);
    return prepared;
  }

  return {
    isInTransaction: () => database.isTransaction,
    execute({ sql, parameters }) {
      const { statement, hasRows } = prepare(sql);
      if (hasRows) return { rows: statement.all(...values(parameters)) as never };
      const { changes, lastInsertRowid } = statement.run(...values(parameters));
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    },
    iterate: ({ sql, parameters }) => database.prepare(sql).iterate(...values(parameters)) as never,
    close: () => database.close(),
  };
}
