import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStore, type Store } from "../store.ts";
import { openSqlite } from "./open-file.ts";

/** The file in a data folder that holds its store. */
export const storePath = (folder: string) => join(folder, "ketbook.sqlite");

/** Whether a data folder has a store that is not an empty file. */
export const hasContents = (folder: string) =>
  (statSync(storePath(folder), { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Opens the store in a file as it is. */
export const openStoreFile = (path: string): Store => openStore(openSqlite(path));

/** Reads the version of the tables in a file, without changing it; undefined when it has none of Ketbook's. */
export function readVersion(path: string): number | undefined {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    const known = database.prepare("select 1 from sqlite_schema where name = 'store_version'").get();
    return known && (database.prepare("select version from store_version").get()?.version as number);
  } finally {
    database.close();
  }
}
