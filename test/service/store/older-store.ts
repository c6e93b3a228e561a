import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { newFolder } from "../folder.ts";

/** The versions of a store before the one of today. Their files were written by the Ketbook of that time. */
export const OLDER_VERSIONS = [1, 2, 3, 4, 5, 6, 7];

/**
 * Makes a data folder with the store of an older version: the owner's jobs are a Bell pair in a group (seed 7, under
 * the key `once`), a batch of two, one that failed and one that was deleted.
 */
export function olderStore(version: number): { folder: string; path: string } {
  const folder = newFolder();
  const path = join(folder, "ketbook.sqlite");
  const database = new DatabaseSync(path);
  database.exec("pragma journal_mode = wal");
  database.exec(readFileSync(new URL(`versions/${version}.sql`, import.meta.url), "utf8"));
  database.close();
  return { folder, path };
}
