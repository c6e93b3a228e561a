import type { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { migrate } from "../migrate.ts";
import { openStore } from "../store.ts";
import { connect } from "./connection.ts";
import { SQLITE_SYNTAX, sqliteDialect } from "./dialect.ts";
import { createMutex } from "./mutex.ts";

interface SchemaObject {
  type: string;
  name: string;
  sql: string;
}

/** Leaves out the tables of the migrations themselves, whose form is Kysely's. */
const OBJECTS = `select type, name, lower(sql) as sql from sqlite_schema
  where sql is not null and name not like 'sqlite\\_%' escape '\\' and name not like 'store\\_migration%' escape '\\'`;

/**
 * Compares the tables, indexes and triggers of a database with those of a version of the store. Returns what lacks or
 * is different, and triggers that are more, which could change what is written.
 */
export async function checkSchema(database: DatabaseSync, version: number): Promise<string[]> {
  const expected = await schemaOf(version);
  const found = database.prepare(OBJECTS).all() as unknown as SchemaObject[];
  const problems: string[] = [];
  for (const [name, { type, sql }] of byName(expected)) {
    const other = byName(found).get(name);
    if (!other) problems.push(`the ${type} ${name} is missing`);
    else if (shape(other.sql) !== shape(sql)) problems.push(`the ${type} ${name} is not as it should be`);
  }
  const more = found.filter(({ type, name }) => type === "trigger" && !byName(expected).has(name));
  return [...problems, ...more.map(({ name }) => `the trigger ${name} is not Ketbook's`)];
}

const byName = (objects: readonly SchemaObject[]) => new Map(objects.map(each => [each.name, each]));
const shape = (text: string) => text.replaceAll(/\s+/g, " ");

/** Lists what the migrations up to a version make, in an empty database in memory. */
async function schemaOf(version: number): Promise<SchemaObject[]> {
  const wal = { flush: async () => {}, close: async () => {} };
  const parts = { writer: connect(":memory:"), reader: undefined, take: createMutex(), wal };
  const store = openStore(sqliteDialect(parts));
  try {
    await migrate(store, SQLITE_SYNTAX, { version });
    return (await sql.raw<SchemaObject>(OBJECTS).execute(store)).rows;
  } finally {
    await store.destroy();
  }
}
