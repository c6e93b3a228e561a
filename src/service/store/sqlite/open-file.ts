import type { StoreDialect } from "../dialect.ts";
import { connect } from "./connection.ts";
import { sqliteDialect } from "./dialect.ts";
import { createMutex } from "./mutex.ts";
import { openWalFlush } from "./wal-flush.ts";

const CHECKPOINT = "pragma wal_checkpoint(truncate)";

/**
 * Opens a SQLite file as a dialect, safe to share with other processes. Single writes are durable when they are
 * answered; transactions share a commit, and commits a write to the disk. Reads have a connection of their own, so that
 * none waits for a transaction.
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
