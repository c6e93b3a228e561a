import { DatabaseSync } from "node:sqlite";

const MAX_PROBLEMS = 20;

/**
 * Checks the pages of a SQLite file, without changing it, and returns what is wrong, in SQLite's words. `quick` leaves
 * out whether indexes agree with their tables and references lead somewhere. Throws when the file can't be opened.
 */
export function checkIntegrity(path: string, depth: "quick" | "whole"): string[] {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    const check = depth === "quick" ? "quick_check" : "integrity_check";
    const found = database.prepare(`pragma ${check}(${MAX_PROBLEMS})`).all();
    const problems = found.map(row => String(row[check])).filter(problem => problem !== "ok");
    if (depth === "quick" || problems.length > 0) return problems;
    return database
      .prepare("select * from pragma_foreign_key_check limit ?")
      .all(MAX_PROBLEMS)
      .map(({ table, rowid, parent }) => `row ${rowid} of ${table} refers to a row that ${parent} lacks`);
  } finally {
    database.close();
  }
}
