import { closeSync, existsSync, openSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import { OWNER_KEY_FILE, secureFolder } from "../../local/folder.ts";
import { type FolderLock, lockFolder } from "../../local/lock.ts";
import { syncFile, syncFolder } from "../../local/sync-folder.ts";
import { StoreError } from "../../storage-errors.ts";
import { migrate, STORE_VERSION } from "../migrate.ts";
import type { Store } from "../store.ts";
import { SQLITE_SYNTAX } from "./dialect.ts";
import { openStoreFile, removeDatabase, requireVersion, storePath } from "./file.ts";

/**
 * Opens the store of a data folder, readable by its owner only. A store that is not there is made, and an older one is
 * copied and brought up to date, under the folder's lock: without `lock`, it is taken for as long as that takes. Throws
 * a `FolderInUseError` where a service that runs on the folder would have to change its store, and a `StoreError` for a
 * store of a newer Ketbook, and for one that is gone, empty or not Ketbook's: none is ever overwritten.
 */
export async function openStoreOf(folder: string, lock?: FolderLock): Promise<Store> {
  secureFolder(folder);
  const path = storePath(folder);
  if (!existsSync(path)) await withLock(folder, lock, () => createStore(folder));
  checkFile(path);
  if (requireVersion(path) < STORE_VERSION) await withLock(folder, lock, () => upgrade(path));
  return openStoreFile(path);
}

async function withLock(folder: string, held: FolderLock | undefined, work: () => Promise<void>) {
  const lock = held ?? lockFolder(folder);
  try {
    await work();
  } finally {
    if (!held) lock.release();
  }
}

/** Makes the store under another name first, so that a file of its name is always a whole store. */
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
    closeSync(openSync(draft, "wx", 0o600));
    const store = openStoreFile(draft);
    try {
      await migrate(store, SQLITE_SYNTAX);
      await makeShrinkable(store);
      await emptyLog(store);
    } finally {
      await store.destroy();
    }
    renameSync(draft, path);
  } catch (error) {
    removeDatabase(draft);
    throw error;
  }
  syncFolder(folder);
}

function checkFile(path: string): void {
  if (statSync(path).size > 0) return;
  throw new StoreError(
    `${path} is empty: what was in it is lost, and it was not written to. Put a copy of it back, or choose another folder with --data.`,
  );
}

/** Copies an older store beside itself, and brings it up to date. */
async function upgrade(path: string): Promise<void> {
  const version = requireVersion(path);
  if (version >= STORE_VERSION) return;
  const copy = `${path}.v${version}-${new Date().toISOString().replaceAll(/[-:]|\..*/g, "")}`;
  const draft = `${path}.copy`;
  removeDatabase(draft);
  const store = openStoreFile(path);
  try {
    closeSync(openSync(draft, "wx", 0o600));
    await sql`vacuum into ${draft}`.execute(store);
    syncFile(draft);
    renameSync(draft, copy);
    syncFolder(dirname(path));
    await makeShrinkable(store);
    await migrate(store, SQLITE_SYNTAX);
  } finally {
    await store.destroy();
    removeDatabase(draft);
  }
}

/** Moves all of the write-ahead log into the file, which is whole without it then. Throws where there is no room for that. */
export async function emptyLog(store: Store): Promise<void> {
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(store);
  if (rows[0]?.busy !== 0) throw new StoreError("The new store is in use by another process. Try again.");
}

/** Lets the file give pages back that are no longer needed, a few at a time. The copy that this takes is a temporary file. */
export async function makeShrinkable(store: Store): Promise<void> {
  await sql`pragma temp_store = file`.execute(store);
  await sql`pragma auto_vacuum = incremental`.execute(store);
  await sql`vacuum`.execute(store);
}
