import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import {
  type AuditEntry,
  appendAudit,
  COPIED_TABLES,
  copyStoreRows,
  StoreError,
  type StoreTransaction,
  transact,
} from "../service/index.ts";
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
import { openPostgresStore } from "./postgres/open.ts";

interface RestoredStore {
  jobs: number;
  missing: string[];
  /** New place of the previous store; null if there was none. */
  movedTo: string | null;
  /** Whether the folder has its user's key; without it, the next start makes a new one. */
  hasOwnerKey: boolean;
}

interface RestoreOptions {
  /** Moves the store that is there aside. Default: there must be none. */
  replace?: boolean;
  /** Whether the audit trail says that the store was restored. Default: true. */
  isNoted?: boolean;
  now?: number;
}

/**
 * Makes a backup the store of a data folder, under the folder's lock. The copy is checked, pages and ledger, before
 * anything in the folder changes. Throws a `FolderInUseError` where a service runs on the folder, and a `StoreError` for
 * a backup that is not whole, and where a store is there: nothing is ever overwritten.
 */
export async function restoreStore(
  file: string,
  folder: string,
  { replace = false, isNoted = true, now = Date.now() }: RestoreOptions = {},
): Promise<RestoredStore> {
  requireFile(file);
  secureFolder(folder);
  const lock = lockFolder(folder);
  const path = storePath(folder);
  const draft = `${path}.new`;
  try {
    const there = DATABASE_FILES.map(suffix => `${path}${suffix}`).find(each => existsSync(each));
    if (there && !replace)
      throw new StoreError(
        `${there} is there already. Import into an empty folder, or restore with --replace, which moves the store that is there aside.`,
      );
    removeDatabase(draft);
    const { jobs, missing } = await copyStore(resolve(file), draft);
    const devices = takeDevices(draft);
    await using store = openStoreFile(draft);
    if (isNoted) {
      const entry = restored(resolve(file), { jobs, replaced: there !== undefined });
      await transact(store, transaction => appendAudit(transaction, [entry], now));
    }
    await emptyLog(store);
    await store.destroy();
    const movedTo = there ? moveAside(path, now) : null;
    for (const device of devices) addDevice(folder, device, { replace: true });
    renameSync(draft, path);
    syncFolder(folder);
    return { jobs, missing, movedTo, hasOwnerKey: existsSync(join(folder, OWNER_KEY_FILE)) };
  } finally {
    removeDatabase(draft);
    lock.release();
  }
}

function requireFile(file: string): void {
  if (!existsSync(file)) throw new StoreError(`There is no file ${file}.`);
}

const restored = (subject: string, details: { jobs: number; replaced: boolean }): AuditEntry => ({
  event: "store.restored",
  actor: "service",
  subject,
  details,
});

/**
 * Makes a backup the store in a PostgreSQL database that is empty, all of it or, where anything is wrong, nothing. Throws
 * a `StoreError` for a database that has records, and for a backup that is not whole.
 */
export async function restoreDatabase(
  file: string,
  url: string,
  { isNoted = true, now = Date.now() }: Omit<RestoreOptions, "replace"> = {},
): Promise<{ jobs: number; leftOutDevices: string[] }> {
  requireFile(file);
  const folder = mkdtempSync(join(tmpdir(), "ketbook-restore-"));
  try {
    const copy = storePath(folder);
    const { jobs } = await copyStore(resolve(file), copy);
    const leftOutDevices = takeDevices(copy).map(({ qrn }) => qrn);
    await using from = openStoreFile(copy);
    await using database = await openPostgresStore(url, { isPatient: true });
    await database.transaction().execute(async transaction => {
      await sql`lock table organizations, users, api_keys in exclusive mode`.execute(transaction);
      await copyStoreRows(from, transaction);
      await advanceIdentities(transaction);
      if (isNoted) await appendAudit(transaction, [restored(file, { jobs, replaced: false })], now);
    });
    await sql`analyze`.execute(database);
    return { jobs, leftOutDevices };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Lets columns that count up by themselves continue after the rows that were copied. */
async function advanceIdentities(transaction: StoreTransaction): Promise<void> {
  for (const { name, identity } of COPIED_TABLES) {
    if (identity === undefined) continue;
    const last = sql`select max(${sql.ref(identity)}) from ${sql.table(name)}`;
    await sql`select setval(pg_get_serial_sequence(${name}, ${identity}), coalesce((${last}), 0) + 1, false)`.execute(
      transaction,
    );
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
