import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { sleep } from "#host";
import { isBusy } from "../storage-errors.ts";
import { createCommit } from "./commit.ts";
import type { SchemaSyntax, StoreDialect } from "./store.ts";

/** Waits for its turn, and resolves to what ends the turn. */
type Mutex = () => Promise<() => void>;

/** Makes a mutex that gives turns in the order in which they were asked for. */
export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve();
  return () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const turn = last.then(() => resolve);
    last = promise;
    return turn;
  };
}

/** One connection to a SQLite file. What another process has locked fails at once. */
export interface SqliteConnection {
  isInTransaction(): boolean;
  execute<R>(query: Pick<CompiledQuery, "sql" | "parameters">): QueryResult<R>;
  close(): void;
}

/** Maximum wait of a statement for another process's lock. Other work continues meanwhile. */
const LOCK_TIMEOUT_MS = 2000;
const MAX_LOCK_PAUSE_MS = 50;
const READS = /^\s*select\b/i;

/** A connection as Kysely has it: whatever is read outside of a transaction goes past those who write. */
interface SharedConnection extends DatabaseConnection {
  begin(): Promise<void>;
  rollback(): void;
  release(): void;
}

interface DriverParts {
  writer: SqliteConnection;
  /** Reads outside of transactions; undefined: the writer does, and they wait for those who write. */
  reader: SqliteConnection | undefined;
  take: Mutex;
  /** Brings what was committed to the disk. Default: each commit does. */
  wal?: { flush(): Promise<void>; close(): Promise<void> };
}

/** Makes a Kysely driver of one connection that writes, for one transaction at a time, and one that reads. */
function createDriver({ writer, reader, take, wal }: DriverParts): Driver {
  /** The connection for a read: while no transaction is open the writer, whose cache its own commits leave valid. */
  const idle = (reader: SqliteConnection) => (writer.isInTransaction() ? reader : writer);

  /** Runs a query outside of transactions. A write is on the disk when it resolves. */
  async function runAlone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const deadline = performance.now() + LOCK_TIMEOUT_MS;
    const isRead = READS.test(query.sql);
    if (isRead && reader) return untilUnlocked(() => idle(reader).execute<R>(query), deadline);
    const done = await take();
    const result = await untilUnlocked(() => writer.execute<R>(query), deadline).finally(done);
    if (!isRead) await wal?.flush();
    return result;
  }

  function acquire(): SharedConnection {
    let release: (() => void) | undefined;
    return {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        return release ? writer.execute<R>(query) : runAlone<R>(query);
      },
      streamQuery() {
        throw new Error("Rows are read all at once.");
      },
      async begin() {
        const deadline = performance.now() + LOCK_TIMEOUT_MS;
        release = await take();
        if (writer.isInTransaction()) writer.execute(CompiledQuery.raw("rollback"));
        await untilUnlocked(() => writer.execute(CompiledQuery.raw("begin immediate")), deadline);
      },
      rollback() {
        if (writer.isInTransaction()) writer.execute(CompiledQuery.raw("rollback"));
      },
      release() {
        release?.();
        release = undefined;
      },
    };
  }

  return {
    init: async () => {},
    acquireConnection: async () => acquire(),
    beginTransaction: connection => (connection as SharedConnection).begin(),
    commitTransaction: async connection => void (await connection.executeQuery(CompiledQuery.raw("commit"))),
    rollbackTransaction: async connection => (connection as SharedConnection).rollback(),
    releaseConnection: async connection => (connection as SharedConnection).release(),
    async destroy() {
      await wal?.close();
      reader?.close();
      writer.close();
    },
  };
}

/** Tries until the deadline for as long as another process holds the lock; the event loop runs on in between. */
async function untilUnlocked<T>(attempt: () => T, deadline: number): Promise<T> {
  for (let pause = 1; ; pause = Math.min(2 * pause, MAX_LOCK_PAUSE_MS)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
    }
    await sleep(pause);
  }
}

export const SQLITE_SYNTAX: SchemaSyntax = {
  identity: "integer primary key autoincrement",
  clustered: "without rowid",
  unlogged: "",
  trigger: ({ name, table, event, condition, statement }) => [
    `create trigger ${name} after ${event} on ${table} when ${condition} begin ${statement}; end`,
  ],
};

/**
 * Makes a dialect of open connections to a database of SQLite. Commits share a flush; single writes are flushed before
 * they are answered.
 */
export function sqliteDialect(parts: DriverParts): StoreDialect {
  const kysely: Dialect = {
    createDriver: () => createDriver(parts),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SharedSqliteAdapter(),
    createIntrospector: database => new SqliteIntrospector(database),
  };
  return {
    kysely,
    createCommit: store =>
      createCommit(store, { maxRunning: 1, ...(parts.wal && { flush: parts.wal.flush }) }),
  };
}

/** Leaves it to the driver who waits for whom. */
class SharedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true;
  }
}
