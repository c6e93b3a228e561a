import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import {
  type CompiledQuery,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { createDriver } from "./driver.ts";

const MAX_STATEMENTS = 400;
const OPENING_TIMEOUT_MS = 5000;
const RETURNS_ROWS = /^\s*(?:select|with)\b|\breturning\b/i;

/** One connection to a SQLite file. What another process has locked fails at once. */
export interface SqliteConnection {
  /** Whether a transaction is open. */
  isInTransaction(): boolean;
  execute<R>(query: Pick<CompiledQuery, "sql" | "parameters">): QueryResult<R>;
  iterate<R>(query: CompiledQuery): Iterable<R>;
  close(): void;
}

/**
 * Opens a SQLite file as a Kysely dialect: durable at every commit, and safe to share with other processes. Reads have
 * a connection of their own, so that none waits for a transaction.
 */
export function sqliteDialect(path: string): Dialect {
  const writer = connect(path);
  const reader = connect(path);
  return {
    createDriver: () => createDriver(writer, reader),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SharedSqliteAdapter(),
    createIntrospector: database => new SqliteIntrospector(database),
  };
}

/** Lets Kysely leave it to the driver who waits for whom. */
class SharedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true;
  }
}

function connect(path: string): SqliteConnection {
  const database = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS });
  try {
    database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on");
    database.exec("pragma busy_timeout = 0");
  } catch (error) {
    database.close();
    throw error;
  }
  const statements = new Map<string, StatementSync>();
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];

  /** Keeps prepared statements. */
  function prepare(sql: string): StatementSync {
    const known = statements.get(sql);
    if (known) return known;
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  return {
    isInTransaction: () => database.isTransaction,
    execute({ sql, parameters }) {
      const statement = prepare(sql);
      if (RETURNS_ROWS.test(sql)) return { rows: statement.all(...values(parameters)) as never };
      const { changes, lastInsertRowid } = statement.run(...values(parameters));
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    },
    iterate: ({ sql, parameters }) => database.prepare(sql).iterate(...values(parameters)) as never,
    close: () => database.close(),
  };
}
