import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../../storage-errors.ts";
import { STORE_VERSION } from "../migrate.ts";
import { openStore, type Store } from "../store.ts";
import { openSqlite } from "./open-file.ts";

/** The file in a data folder that holds its store. */
export const storePath = (folder: string) => join(folder, "ketbook.sqlite");

/** Whether a data folder has a store that is not an empty file. */
export const hasContents = (folder: string) =>
  (statSync(storePath(folder), { throwIfNoEntry: false })?.size ?? 0) > 0;

/**
 * Opens a database to read it. One that a process has left half-way in a change of its journal mode has a journal, which
 * is rolled back first: that is a write.
 */
export const openToRead = (path: string): DatabaseSync =>
  new DatabaseSync(path, { readOnly: !existsSync(`${path}-journal`), timeout: 5000 });

/** Suffixes of SQLite's database files; the first is the database itself. */
export const DATABASE_FILES = ["", "-wal", "-shm", "-journal"] as const;

/** Removes a database, and what SQLite keeps beside it. */
export function removeDatabase(path: string): void {
  for (const suffix of DATABASE_FILES) rmSync(`${path}${suffix}`, { force: true });
}

/** Opens the store in a file as it is. */
export const openStoreFile = (path: string): Store => openStore(openSqlite(path));

const VERSION =
  "select version from store_version where typeof(version) = 'integer' and version between 1 and 1000000";

/**
 * Reads the version of the tables in a file, without changing it. Throws a `StoreError` where they are not Ketbook's,
 * or a newer one's.
 */
export function requireVersion(path: string): number {
  const version = readVersion(path);
  if (version === undefined) {
    throw new StoreError(`${path} is a database, but not Ketbook's. Choose another.`);
  }
  if (version > STORE_VERSION) {
    throw new StoreError(
      `${path} was written by a newer Ketbook (store version ${version}, this one knows ${STORE_VERSION}). Update Ketbook, or choose another.`,
    );
  }
  return version;
}

function readVersion(path: string): number | undefined {
  const database = openToRead(path);
  try {
    const known = database.prepare("select 1 from sqlite_schema where name = 'store_version'").get();
    return known && (database.prepare(VERSION).get()?.version as number | undefined);
  } finally {
    database.close();
  }
}
