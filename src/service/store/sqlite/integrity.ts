import type { DatabaseSync } from "node:sqlite";
import { openToRead, requireVersion } from "./file.ts";
import { checkSchema } from "./schema-check.ts";

const MAX_PROBLEMS = 20;

/**
 * Checks the pages and the tables of a store's file, without changing it, and returns what is wrong, in sentences or in
 * SQLite's words. `quick` leaves out whether indexes agree with their tables, references lead somewhere and JSON can be
 * parsed. Throws a `StoreError` for a file that is not Ketbook's, or of a newer one.
 */
export async function checkIntegrity(path: string, depth: "quick" | "whole"): Promise<string[]> {
  const database = openToRead(path);
  try {
    const check = depth === "quick" ? "quick_check" : "integrity_check";
    const found = database.prepare(`pragma ${check}(${MAX_PROBLEMS})`).all();
    const problems = found.map(row => String(row[check])).filter(problem => problem !== "ok");
    if (problems.length === 0) problems.push(...(await checkSchema(database, requireVersion(path))));
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
