import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { SchemaSyntax, StoreDialect } from "../dialect.ts";
import { createDriver, type DriverParts, queryRunner } from "./driver.ts";
import { createGroupCommit } from "./group-commit.ts";

/** SQLite's syntax of table definitions. */
export const SQLITE_SYNTAX: SchemaSyntax = {
  identity: "integer primary key autoincrement",
  clustered: "without rowid",
  unlogged: "",
  jsonMember: (column, member) => `(${column} -> '$.${member}')`,
  trigger: ({ name, table, event, condition, statement }) => [
    `create trigger ${name} after ${event} on ${table} when ${condition} begin ${statement}; end`,
  ],
  jsonWithout: (column, members) =>
    `json_remove(${[column, ...members.map(member => `'$.${member}'`)].join(", ")})`,
};

/**
 * Makes a dialect of open connections to a database of SQLite. Transactions share a commit, and commits a flush; single
 * writes are flushed before they are answered.
 */
export function sqliteDialect(parts: DriverParts): StoreDialect {
  const runAlone = queryRunner(parts);
  const kysely: Dialect = {
    createDriver: () => createDriver(parts, runAlone),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SharedSqliteAdapter(),
    createIntrospector: database => new SqliteIntrospector(database),
  };
  return {
    kysely,
    createCommit: store => createGroupCommit(store, parts.wal.flush),
    run: (query, isInTransaction) => (isInTransaction ? parts.writer.execute(query) : runAlone(query)),
  };
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
