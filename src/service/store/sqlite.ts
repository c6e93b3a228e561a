import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from "kysely";

const maxStatements = 400;
const givesRows = /^\s*(?:select|with)\b|\breturning\b/i;

/** Opens a SQLite file as a Kysely dialect: durable at every commit, and safe to share with other processes. */
export function sqliteDialect(path: string): SqliteDialect {
  const database = new DatabaseSync(path);
  database.exec("pragma busy_timeout = 10000");
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on");
  return new SqliteDialect({ database: adapt(database) });
}

/** Gives a `node:sqlite` database the face that Kysely knows, and keeps prepared statements. */
function adapt(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      if (statements.size >= maxStatements) statements.clear();
      const statement = adaptStatement(sql, database.prepare(sql === "begin" ? "begin immediate" : sql));
      statements.set(sql, statement);
      return statement;
    },
  };
}

function adaptStatement(sql: string, statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: givesRows.test(sql),
    all: parameters => statement.all(...values(parameters)),
    run: parameters => statement.run(...values(parameters)),
    iterate: parameters => statement.iterate(...values(parameters)),
  };
}
