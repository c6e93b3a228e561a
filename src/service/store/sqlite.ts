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
import { createMutex } from "./mutex.ts";
import { openWalFlush } from "./wal-flush.ts";

const MAX_STATEMENTS = 400;
const OPENING_TIMEOUT_MS = 5000;

/** One connection to a SQLite file. What another process has locked fails at once. */
export interface SqliteConnection {
  /** Whether a transaction is open. */
  isInTransaction(): boolean;
  execute<R>(query: Pick<CompiledQuery, "sql" | "parameters">): QueryResult<R>;
  iterate<R>(query: CompiledQuery): Iterable<R>;
  close(): void;
}

/** A SQLite file that is open. */
export interface SqliteFile {
  dialect: Dialect;
  /** Waits until all commits so far are on the disk. */
  flush(): Promise<void>;
}

/**
 * Opens a SQLite file as a Kysely dialect, safe to share with other processes. Single writes are durable when they are
 * answered; transactions once `flush` has resolved. Reads have a connection of their own, so that none waits for a
 * transaction.
 */
export function openSqlite(path: string): SqliteFile {
  const writer = connect(path);
  const reader = connect(path);
  const take = createMutex();
  const wal = openWalFlush(path, async () => {
    const done = await take();
    try {
      const { rows } = writer.execute<{ busy: number }>({ sql: CHECKPOINT, parameters: [] });
      return rows[0]?.busy === 0;
    } finally {
      done();
    }
  });
  const dialect: Dialect = {
    createDriver: () => createDriver({ writer, reader, take, wal }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SharedSqliteAdapter(),
    createIntrospector: database => new SqliteIntrospector(database),
  };
  return { dialect, flush: wal.flush };
}

const CHECKPOINT = "pragma wal_checkpoint(truncate)";

/** Lets Kysely leave it to the driver who waits for whom. */
class SharedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true;
  }
}

function connect(path: string): SqliteConnection {
  const database = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS });
  try {
    database.exec("pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on");
    database.exec("pragma wal_autocheckpoint = 4000; pragma secure_delete = fast; pragma busy_timeout = 0");
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
