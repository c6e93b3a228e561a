import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { SchemaSyntax, StoreDialect } from "../dialect.ts";
import { connect } from "./connection.ts";
import { createDriver } from "./driver.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createMutex } from "./mutex.ts";
import { openWalFlush } from "./wal-flush.ts";

const CHECKPOINT = "pragma wal_checkpoint(truncate)";

/** How SQLite defines tables. */
export const SQLITE_SYNTAX: SchemaSyntax = {
  identity: "integer primary key autoincrement",
  clustered: "without rowid",
  jsonMember: (column, member) => `(${column} -> '$.${member}')`,
  jsonWithout: (column, members) =>
    `json_remove(${[column, ...members.map(member => `'$.${member}'`)].join(", ")})`,
};

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
  const kysely: Dialect = {
    createDriver: () => createDriver({ writer, reader, take, wal }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SharedSqliteAdapter(),
    createIntrospector: database => new SqliteIntrospector(database),
  };
  return { kysely, createCommit: store => createGroupCommit(store, wal.flush) };
}

/** Leaves it to the driver who waits for whom, and migrates in one transaction, which SQLite can. */
class SharedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true;
  }

  override get supportsTransactionalDdl() {
    return true;
  }
}
