import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { sql } from "kysely";
import {
  ARCHIVE_TABLES,
  appendAudit,
  auditLedger,
  type CatalogueEntry,
  createTables,
  damaged,
  exportStore,
  importStore,
  openArchive,
  SQLITE_SYNTAX,
  StoreError,
  type StoreTransaction,
  transact,
  writeLines,
} from "../service/index.ts";
import {
  addDevice,
  draftOf,
  emptyLog,
  lockFolder,
  OWNER_KEY_FILE,
  openStoreFile,
  openStoreOf,
  readDevices,
  removeDatabase,
  secureFolder,
  storePath,
  syncFolder,
} from "../service/node/index.ts";
import { checkDevices, countJobs, type StoreCopy } from "./backup.ts";
import { openPostgresStore } from "./postgres/open.ts";

/**
 * Writes all that a transaction sees, and imported devices, to a file, for its owner alone, which gets its name once it is whole and on the disk.
 * Throws a `StoreError` if the file already exists.
 */
async function writeArchive(
  transaction: StoreTransaction,
  file: string,
  { now, devices = [] }: { now: number; devices?: readonly CatalogueEntry[] },
): Promise<StoreCopy> {
  if (existsSync(file))
    throw new StoreError(`${file} is there already. Choose another name, or move it elsewhere.`);
  const draft = draftOf(file);
  try {
    const lines = writeLines(exportStore(transaction, now, devices));
    await pipeline(lines, createGzip(), createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true }));
    renameSync(draft, file);
    syncFolder(dirname(resolve(file)));
    return { jobs: await countJobs(transaction), bytes: statSync(file).size };
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Reads the bytes of an archive. Throws a `StoreError` where the file is none, or is damaged. */
async function* readArchive(file: string): AsyncGenerator<Uint8Array> {
  if (!existsSync(file)) throw new StoreError(`There is no file ${file}.`);
  const unzipped = createGunzip();
  const copied = pipeline(createReadStream(file), unzipped);
  copied.catch(() => {});
  try {
    yield* unzipped;
    await copied;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "Z_DATA_ERROR") throw damaged("it can't be unpacked");
    if (code === "Z_BUF_ERROR") throw damaged("it is cut off");
    throw error;
  }
}

interface ImportedStore {
  jobs: number;
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
 * that is damaged or of another version.
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
      await createTables(store, SQLITE_SYNTAX);
      const { jobs, devices } = await store
        .transaction()
        .execute(transaction => importStore(transaction, archive));
      const entries = checkDevices(devices);
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

function checkLedger(problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new StoreError(`The ledger is wrong: ${problems.join("; ")}. Nothing was exported or imported.`);
}

/**
 * Writes the store in a PostgreSQL database to a file, as it is at this moment, while others read and write it. Throws a
 * `StoreError` where its ledger is wrong.
 */
export async function exportDatabase(url: string, file: string, now = Date.now()): Promise<StoreCopy> {
  const store = await openPostgresStore(url, { isPatient: true });
  return await store
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async transaction => {
      checkLedger(await auditLedger(transaction));
      return writeArchive(transaction, file, { now });
    })
    .finally(() => store.destroy());
}

interface ImportOptions {
  /** Whether the audit trail says that the store was restored. Default: false. */
  isRestored?: boolean;
  now?: number;
}

/**
 * Makes an archive the store in a PostgreSQL database that is empty, all of it or, where anything is wrong, nothing.
 * Throws a `StoreError` for a database that has records, and for an archive that is damaged or of another version.
 */
export async function importIntoDatabase(
  file: string,
  url: string,
  { isRestored = false, now = Date.now() }: ImportOptions = {},
): Promise<{ jobs: number; leftOutDevices: string[] }> {
  const archive = await openArchive(readArchive(file));
  const store = await openPostgresStore(url, { isPatient: true });
  try {
    const imported = await store.transaction().execute(async transaction => {
      await sql`lock table organizations, users, api_keys in exclusive mode`.execute(transaction);
      const { jobs, devices } = await importStore(transaction, archive);
      checkLedger(await auditLedger(transaction));
      await advanceIdentities(transaction);
      return { jobs, leftOutDevices: devices.map(({ qrn }) => qrn) };
    });
    await sql`analyze`.execute(store);
    if (isRestored) {
      const details = { jobs: imported.jobs, replaced: false };
      const entry = { event: "store.restored", actor: "service", subject: file, details } as const;
      await transact(store, transaction => appendAudit(transaction, [entry], now));
    }
    return imported;
  } finally {
    await store.destroy();
  }
}

/** Lets columns that count up by themselves continue after the rows that were imported. */
async function advanceIdentities(transaction: StoreTransaction): Promise<void> {
  for (const { name, identity } of ARCHIVE_TABLES) {
    if (identity === undefined) continue;
    const last = sql`select max(${sql.ref(identity)}) from ${sql.table(name)}`;
    await sql`select setval(pg_get_serial_sequence(${name}, ${identity}), coalesce((${last}), 0) + 1, false)`.execute(
      transaction,
    );
  }
}
