import { closeSync, existsSync, openSync, renameSync } from "node:fs";
import { join } from "node:path";
import { importStore, openArchive } from "../archive/import.ts";
import { auditLedger } from "../billing/audit.ts";
import { addDevice, readDevices } from "../catalogue/imported-devices.ts";
import { OWNER_KEY_FILE, secureFolder } from "../local/folder.ts";
import { lockFolder } from "../local/lock.ts";
import { syncFolder } from "../local/sync-folder.ts";
import { StoreError } from "../storage-errors.ts";
import { migrate } from "../store/migrate.ts";
import { SQLITE_SYNTAX } from "../store/sqlite/dialect.ts";
import { openStoreFile, removeDatabase, storePath } from "../store/sqlite/file.ts";
import { emptyLog, openStoreOf } from "../store/sqlite/open.ts";
import type { StoreTransaction } from "../store/store.ts";
import { readArchive, writeArchive } from "./archive-file.ts";
import type { StoreCopy } from "./backup.ts";
import { checkDevices } from "./devices-table.ts";

/** A store that was imported. */
export interface ImportedStore {
  /** Jobs in it, deleted ones too. */
  jobs: number;
  /** Whether the folder has the key of its own user; without one, the next start makes a new one. */
  hasOwnerKey: boolean;
}

/**
 * Writes the store of a data folder to a file, under the folder's lock: what a service that runs on it accepts
 * afterwards would be missing. Throws a `FolderInUseError` where one does, and a `StoreError` where there is no store.
 */
export async function exportFolder(folder: string, file: string, now = Date.now()): Promise<StoreCopy> {
  if (!existsSync(storePath(folder))) throw new StoreError(`There is no store in ${folder}.`);
  const lock = lockFolder(folder);
  try {
    const store = await openStoreOf(folder, lock);
    const write = async (transaction: StoreTransaction) => {
      checkLedger(await auditLedger(transaction));
      return writeArchive(transaction, file, { now, devices: readDevices(folder) });
    };
    return await store
      .transaction()
      .execute(write)
      .finally(() => store.destroy());
  } finally {
    lock.release();
  }
}

/**
 * Makes an archive the store of a data folder that has none, under the folder's lock. The folder gets the store once all
 * of it is imported, and its ledger balances. Throws a `StoreError` for a folder that has a store, and for an archive
 * that is damaged or of a newer Ketbook.
 */
export async function importIntoFolder(file: string, folder: string): Promise<ImportedStore> {
  secureFolder(folder);
  const lock = lockFolder(folder);
  const path = storePath(folder);
  const draft = `${path}.new`;
  try {
    const left = [path, `${path}-wal`].find(each => existsSync(each));
    if (left) throw new StoreError(`${left} is there already. Import into an empty folder.`);
    removeDatabase(draft);
    const archive = await openArchive(readArchive(file));
    closeSync(openSync(draft, "wx", 0o600));
    const store = openStoreFile(draft);
    try {
      await migrate(store, SQLITE_SYNTAX, { version: archive.header.storeVersion });
      const { jobs, devices } = await store
        .transaction()
        .execute(transaction => importStore(transaction, archive));
      const entries = checkDevices(devices);
      await migrate(store, SQLITE_SYNTAX);
      checkLedger(await auditLedger(store));
      await emptyLog(store);
      await store.destroy();
      for (const device of entries) addDevice(folder, device, { replace: true });
      renameSync(draft, path);
      syncFolder(folder);
      return { jobs, hasOwnerKey: existsSync(join(folder, OWNER_KEY_FILE)) };
    } finally {
      await store.destroy();
    }
  } finally {
    removeDatabase(draft);
    lock.release();
  }
}

/** Throws a `StoreError` for what is wrong with a ledger. */
export function checkLedger(problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new StoreError(`The ledger is wrong: ${problems.join("; ")}. Nothing was exported or imported.`);
}
