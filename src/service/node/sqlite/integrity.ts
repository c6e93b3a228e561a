import { readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { createTables, openStore, SQLITE_SYNTAX } from "../../index.ts";
import { openMemory } from "./connection.ts";
import { openToRead, requireVersion } from "./open.ts";

const MAX_PROBLEMS = 20;

/**
 * Checks the pages and the tables of a store's file, without changing it, and returns what is wrong, in sentences or in
 * SQLite's words. `quick` leaves out whether indexes agree with their tables, references lead somewhere and JSON can be
 * parsed. Throws a `StoreError` for a file that is not Ketbook's, or of another version.
 */
export async function checkIntegrity(path: string, depth: "quick" | "whole"): Promise<string[]> {
  const database = openToRead(path);
  try {
    const check = depth === "quick" ? "quick_check" : "integrity_check";
    const found = database.prepare(`pragma ${check}(${MAX_PROBLEMS})`).all();
    const problems = found.map(row => String(row[check])).filter(problem => problem !== "ok");
    if (problems.length === 0) {
      requireVersion(path);
      problems.push(...(await checkSchema(database)));
    }
    if (depth === "quick" || problems.length > 0) return problems;
    return [...checkReferences(database), ...checkJson(database)];
  } finally {
    database.close();
  }
}

function checkReferences(database: DatabaseSync): string[] {
  return database
    .prepare("select * from pragma_foreign_key_check limit ?")
    .all(MAX_PROBLEMS)
    .map(({ table, rowid, parent }) => `row ${rowid} of ${table} refers to a row that ${parent} lacks`);
}

const JSON_COLUMNS = `select tables.name as "table", columns.name as "column"
  from sqlite_schema as tables, pragma_table_info(tables.name) as columns
  where tables.type = 'table' and columns.name like '%\\_json' escape '\\'`;

function checkJson(database: DatabaseSync): string[] {
  return database
    .prepare(JSON_COLUMNS)
    .all()
    .flatMap(({ table, column }) => {
      const broken = `select count(*) as rows from ${table} where ${column} is not null and not json_valid(${column})`;
      const rows = Number(database.prepare(broken).get()?.rows);
      return rows === 0 ? [] : [`${rows} values of ${column} in ${table} are no JSON`];
    });
}

interface SchemaObject {
  type: string;
  name: string;
  sql: string;
}

const OBJECTS = `select type, name, lower(sql) as sql from sqlite_schema
  where sql is not null and name not like 'sqlite\\_%' escape '\\'`;

/**
 * Compares the tables, indexes and triggers of a database with those of a new store. Returns what is missing or
 * different, and additional triggers, which could change what is written.
 */
async function checkSchema(database: DatabaseSync): Promise<string[]> {
  const expected = await newSchema();
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

/** Lists the tables, indexes and triggers of a new store in memory. */
async function newSchema(): Promise<SchemaObject[]> {
  const store = openStore(openMemory());
  try {
    await createTables(store, SQLITE_SYNTAX);
    return (await sql.raw<SchemaObject>(OBJECTS).execute(store)).rows;
  } finally {
    await store.destroy();
  }
}

/** The write-ahead log of a SQLite file, as the index that SQLite keeps of it in `-shm` has it. */
interface LogIndex {
  /** Pages in the log. */
  frames: number;
  /** Those of them that the database has, too. */
  moved: number;
  /** Changes whenever the log begins again. */
  salt: string;
}

const HEADER_BYTES = 48;

/** Reads the index, which a process that was killed leaves behind; undefined where there is none. */
export function readLogIndex(path: string): LogIndex | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(`${path}-shm`);
  } catch {
    return undefined;
  }
  const [header, copy] = [0, HEADER_BYTES].map(at => bytes.subarray(at, at + HEADER_BYTES));
  if (bytes.length < 3 * HEADER_BYTES || !header!.equals(copy!)) return undefined;
  const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 3 * HEADER_BYTES));
  return { frames: words[4]!, moved: words[24]!, salt: header!.toString("hex", 32, 40) };
}

/** Counts the pages of a log that were lost between its writer's end and this reading. */
export function lostPages(written: LogIndex | undefined, read: LogIndex | undefined): number {
  if (!written || written.frames <= written.moved) return 0;
  return Math.max(0, written.frames - (read?.salt === written.salt ? read.frames : 0));
}
