import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import {
  checkStoreVersion,
  createTables,
  openStore,
  SQLITE_SYNTAX,
  STORE_VERSION,
  type Store,
  StoreError,
} from "../../index.ts";
import { type FolderLock, lockFolder, OWNER_KEY_FILE, secureFolder, syncFolder } from "../folder.ts";
import { openSqlite } from "./connection.ts";

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

export function removeDatabase(path: string): void {
  for (const suffix of DATABASE_FILES) rmSync(`${path}${suffix}`, { force: true });
}

export const openStoreFile = (path: string): Store => openStore(openSqlite(path));

const VERSION =
  "select version from store_version where typeof(version) = 'integer' and version between 1 and 1000000";

/**
 * Reads the version of the tables in a file, without changing it. Throws a `StoreError` if they are not Ketbook's, or
 * those of another version.
 */
export function requireVersion(path: string): void {
  const version = readVersion(path);
  if (version === undefined) {
    throw new StoreError(`${path} is a database, but not Ketbook's. Choose another.`);
  }
  checkStoreVersion(version, path);
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

/**
 * Opens the store of a data folder, readable by its owner only. A missing store is made under the folder's lock: without
 * `lock`, it is taken for as long as that takes. Throws a `FolderInUseError` if a service runs on a folder without a
 * store, and a `StoreError` for a store that is gone, empty, of another version, or not Ketbook's: none is ever
 * overwritten.
 */
export async function openStoreOf(folder: string, lock?: FolderLock): Promise<Store> {
  secureFolder(folder);
  const path = storePath(folder);
  if (!existsSync(path)) await withLock(folder, lock, () => createStore(folder));
  checkFile(path);
  requireVersion(path);
  return openStoreFile(path);
}

/**
 * Moves the store of an older version, with its user's key, to a folder inside its own, to make room for a new one. Returns
 * that folder; undefined if there is no older store. The caller holds the folder's lock.
 */
export function setAsideOlderStore(folder: string): string | undefined {
  const version = hasContents(folder) ? readVersion(storePath(folder)) : undefined;
  if (version === undefined || version >= STORE_VERSION) return undefined;
  const target = join(folder, `version-${version}`);
  if (existsSync(storePath(target))) return undefined;
  mkdirSync(target, { recursive: true, mode: 0o700 });
  // The store itself goes last: after an interruption, the next start continues.
  const files = DATABASE_FILES.map(suffix => `${storePath(folder)}${suffix}`).reverse();
  for (const file of [join(folder, OWNER_KEY_FILE), ...files])
    if (existsSync(file)) renameSync(file, join(target, basename(file)));
  syncFolder(folder);
  return target;
}

async function withLock(folder: string, held: FolderLock | undefined, work: () => Promise<void>) {
  const lock = held ?? lockFolder(folder);
  try {
    await work();
  } finally {
    if (!held) lock.release();
  }
}

/** Makes the store under another name first, so a file of its name is always a whole store. */
async function createStore(folder: string): Promise<void> {
  const path = storePath(folder);
  if (existsSync(path)) return;
  const left = [`${path}-wal`, join(folder, OWNER_KEY_FILE)].find(each => existsSync(each));
  if (left) {
    throw new StoreError(
      `${path} is gone, though ${left} is there. Put the store back, or move ${left} elsewhere to start with an empty one.`,
    );
  }
  const draft = `${path}.new`;
  removeDatabase(draft);
  try {
    await createStoreFile(draft);
    renameSync(draft, path);
  } catch (error) {
    removeDatabase(draft);
    throw error;
  }
  syncFolder(folder);
}

/** Makes a store in a new file, for its owner alone, and fills it. */
export async function createStoreFile(path: string, fill?: (store: Store) => Promise<void>): Promise<void> {
  closeSync(openSync(path, "wx", 0o600));
  const store = openStoreFile(path);
  try {
    await createTables(store, SQLITE_SYNTAX);
    await makeShrinkable(store);
    await fill?.(store);
    await emptyLog(store);
  } finally {
    await store.destroy();
  }
}

function checkFile(path: string): void {
  if (statSync(path).size > 0) return;
  throw new StoreError(
    `${path} is empty: what was in it is lost, and it was not written to. Put a copy of it back, or choose another folder with --data.`,
  );
}

/** Moves all of the write-ahead log into the file, which is whole without it then. Throws where there is no room for that. */
export async function emptyLog(store: Store): Promise<void> {
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(store);
  if (rows[0]?.busy !== 0) throw new StoreError("The new store is in use by another process. Try again.");
}

/** Lets the file give pages back that are no longer needed, a few at a time. The copy that this takes is a temporary file. */
async function makeShrinkable(store: Store): Promise<void> {
  await sql`pragma temp_store = file`.execute(store);
  await sql`pragma auto_vacuum = incremental`.execute(store);
  await sql`vacuum`.execute(store);
}

/** Pages that are returned at a time, so no other work waits long. */
const STEP_PAGES = 256;

/**
 * Returns some free pages of a store's file to the disk, and with the last ones empties its write-ahead log, in which
 * what was removed is kept until then. Returns whether there is more to do. Throws while another connection writes.
 */
export function compactStore(path: string): boolean {
  const database = new DatabaseSync(path);
  try {
    const free = () => Number(database.prepare("pragma freelist_count").get()?.freelist_count);
    const before = free();
    if (before > 0) database.exec(`pragma incremental_vacuum(${STEP_PAGES})`);
    const left = free();
    if (left < before && left > 0) return true;
    return database.prepare("pragma wal_checkpoint(truncate)").get()?.busy === 1;
  } finally {
    database.close();
  }
}
