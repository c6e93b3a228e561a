import { closeSync, fdatasync, fstatSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { promisify } from "node:util";
import {
  createMutex,
  type SqliteConnection,
  type StoreDialect,
  sqliteDialect,
  UncertainError,
} from "../../index.ts";
import { syncFolder } from "../folder.ts";

const MAX_STATEMENTS = 400;
const OPENING_TIMEOUT_MS = 5000;
/** Pages kept in memory, so the indexes of many thousand jobs are not read again for each. */
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
    close: () => database.close(),
  };
}

/** Opens an empty database in memory, which nobody else sees. */
export function openMemory(): StoreDialect {
  const wal = { flush: async () => {}, close: async () => {} };
  return sqliteDialect({ writer: connect(":memory:"), reader: undefined, take: createMutex(), wal });
}

const CHECKPOINT = "pragma wal_checkpoint(truncate)";

/**
 * Opens a SQLite file as a dialect, safe to share with other processes. Single writes are durable when they are
 * answered; commits have one write to the disk in common. Reads have their own connection: none waits for a transaction.
 */
export function openSqlite(path: string): StoreDialect {
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
  return sqliteDialect({ writer, reader, take, wal });
}

const replaced = (path: string) =>
  new UncertainError(new Error(`${path} was deleted or replaced. Stop the service, and start it again.`));

/** Time without a commit after which the log is moved into the database, where it can no longer be lost. */
const IDLE_MS = 5000;

/**
 * Opens the write-ahead log of a SQLite file under `synchronous = normal`, where SQLite itself writes it to the disk
 * only before a checkpoint. A commit that was flushed is as durable as under `synchronous = full`, but this thread
 * continues in the meantime. After a write that failed, the system may take for written what is lost: nothing counts as
 * durable until `checkpoint`, which says whether it could, has moved the whole log into the database.
 */
function openWalFlush(path: string, checkpoint: () => Promise<boolean>) {
  const fileId = statSync(path).ino;
  let file: number | undefined;
  let hasFailed = false;
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function write(): Promise<void> {
    try {
      file ??= openLog();
      if (!hasFailed) await promisify(fdatasync)(file);
    } catch {
      hasFailed = true;
    }
    checkInPlace();
    await checkLog();
    if (!hasFailed) return;
    try {
      if (!(await checkpoint())) throw new Error("The write-ahead log is in use.");
    } catch (cause) {
      throw new UncertainError(cause);
    }
    hasFailed = false;
  }

  /** Throws where the file was deleted, or another was put in its place: what is written to it is lost with it. */
  function checkInPlace(): void {
    if (statSync(path, { throwIfNoEntry: false })?.ino !== fileId) throw replaced(path);
  }

  /** Saves what can be where the log was deleted, and throws: what comes after it would be lost with the process. */
  async function checkLog(): Promise<void> {
    const there = statSync(`${path}-wal`, { throwIfNoEntry: false })?.ino;
    if (file === undefined || fstatSync(file).ino === there) return;
    await checkpoint().catch(() => {});
    throw replaced(`${path}-wal`);
  }

  /** Opens the log; its name has to last as well. */
  function openLog(): number {
    const opened = openSync(`${path}-wal`, "r+");
    syncFolder(dirname(path));
    return opened;
  }

  let idle: NodeJS.Timeout | undefined;

  function start(): Promise<void> {
    clearTimeout(idle);
    current = write().finally(() => {
      current = undefined;
      idle = setTimeout(() => checkpoint().catch(() => {}), IDLE_MS).unref();
    });
    return current;
  }

  return {
    /**
     * Waits until all commits so far are on the disk. Commits that wait at the same time share one write. Throws an
     * `UncertainError` where the disk fails.
     */
    async flush(): Promise<void> {
      if (!current) return start();
      next ??= current
        .catch(() => {})
        .then(() => {
          next = undefined;
          return start();
        });
      return next;
    },
    /** Waits for pending writes, and closes the file. */
    async close(): Promise<void> {
      await Promise.allSettled([current, next]);
      clearTimeout(idle);
      if (file !== undefined) closeSync(file);
    },
  };
}
