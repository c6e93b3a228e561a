import { existsSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type AuditEntry, appendAudit, StoreError, transact } from "../service/index.ts";
import {
  addDevice,
  DATABASE_FILES,
  emptyLog,
  lockFolder,
  OWNER_KEY_FILE,
  openStoreFile,
  removeDatabase,
  secureFolder,
  storePath,
  syncFolder,
} from "../service/node/index.ts";
import { copyStore, takeDevices } from "./backup.ts";

interface RestoredStore {
  jobs: number;
  missing: string[];
  /** New place of the previous store; null if there was none. */
  movedTo: string | null;
  /** Whether the folder has its user's key; without it, the next start makes a new one. */
  hasOwnerKey: boolean;
}

/**
 * Makes a backup the store of a data folder, under the folder's lock, and notes that in the audit trail. The copy is
 * checked, pages and ledger, before anything in the folder changes. Throws a `FolderInUseError` where a service runs on
 * the folder, and a `StoreError` for a backup that is not whole, and where a store is there: with `replace`, that one
 * is moved aside, and nothing is ever overwritten.
 */
export async function restoreStore(
  file: string,
  folder: string,
  { replace = false, now = Date.now() }: { replace?: boolean; now?: number } = {},
): Promise<RestoredStore> {
  if (!existsSync(file)) throw new StoreError(`There is no file ${file}.`);
  secureFolder(folder);
  const lock = lockFolder(folder);
  try {
    return await restore(resolve(file), folder, { replace, now });
  } finally {
    lock.release();
  }
}

async function restore(
  file: string,
  folder: string,
  { replace, now }: { replace: boolean; now: number },
): Promise<RestoredStore> {
  const path = storePath(folder);
  const there = DATABASE_FILES.map(suffix => `${path}${suffix}`).find(each => existsSync(each));
  if (there && !replace) {
    throw new StoreError(
      `${there} is there already. Restore into an empty folder, or add --replace, which moves the store that is there aside.`,
    );
  }
  const draft = `${path}.new`;
  removeDatabase(draft);
  try {
    const { jobs, missing = [] } = await copyStore(file, draft);
    const devices = takeDevices(draft);
    const details = { jobs, replaced: there !== undefined };
    await noteRestored(draft, { event: "store.restored", actor: "service", subject: file, details }, now);
    const movedTo = there ? moveAside(path, now) : null;
    for (const device of devices) addDevice(folder, device, { replace: true });
    renameSync(draft, path);
    syncFolder(folder);
    return { jobs, missing, movedTo, hasOwnerKey: existsSync(join(folder, OWNER_KEY_FILE)) };
  } finally {
    removeDatabase(draft);
  }
}

/** Notes in the audit trail of a copy that it was restored: whatever gets the store's name is whole. */
async function noteRestored(path: string, entry: AuditEntry, now: number): Promise<void> {
  const store = openStoreFile(path);
  try {
    await transact(store, transaction => appendAudit(transaction, [entry], now));
    await emptyLog(store);
  } finally {
    await store.destroy();
  }
}

/** Renames a store, and what SQLite keeps beside it, to a name with the time in it. */
function moveAside(path: string, now: number): string {
  joinLog(path);
  const time = new Date(now).toISOString().replaceAll(/[-:]|\..*/g, "");
  let aside = `${path}.replaced-${time}`;
  for (let count = 2; existsSync(aside); count += 1) aside = `${path}.replaced-${time}.${count}`;
  for (const suffix of DATABASE_FILES)
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  return aside;
}

/** Moves the write-ahead log into its database, so nobody who ends this half-way parts them; not of one that is damaged. */
function joinLog(path: string): void {
  if (!existsSync(path)) return;
  try {
    const database = new DatabaseSync(path);
    database.exec("pragma wal_checkpoint(truncate)");
    database.close();
  } catch {}
}
