import { closeSync, existsSync, mkdtempSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import {
  type AuditEntry,
  appendAudit,
  auditLedger,
  type CatalogueEntry,
  COPIED_TABLES,
  copyStoreRows,
  type Store,
  StoreError,
  type StoreTransaction,
  storageProblem,
  transact,
} from "../service/index.ts";
import {
  addDevice,
  checkImported,
  checkIntegrity,
  createStoreFile,
  DATABASE_FILES,
  draftOf,
  emptyLog,
  hasContents,
  lockFolder,
  OWNER_KEY_FILE,
  openStoreFile,
  openToRead,
  readDevices,
  removeDatabase,
  requireVersion,
  secureFolder,
  storePath,
  syncFile,
  syncFolder,
} from "../service/node/index.ts";
import { openPostgresStore } from "./postgres/dialect.ts";

export interface StoreCopy {
  /** Jobs in it, deleted ones too. */
  jobs: number;
  bytes: number;
  /** Documents that its jobs lack, in sentences. */
  missing: string[];
}

/**
 * Copies the store of a data folder and the devices that were imported into it to a file, as they are at one moment, while
 * others read and write. The copy is checked, pages and ledger, before it gets its name. Throws a `StoreError` if the
 * file already exists, and if there is nothing whole to copy. With `isLast`, for the last copy before a move, it takes the
 * folder's lock, and throws a `FolderInUseError` where a service runs, which would accept more jobs.
 */
export async function backUpStore(folder: string, file: string, { isLast = false } = {}): Promise<StoreCopy> {
  const path = storePath(folder);
  if (!existsSync(path)) throw new StoreError(`There is no store in ${folder}.`);
  if (!hasContents(folder)) throw new StoreError(`${path} is empty: what was in it is lost.`);
  secureFolder(folder);
  const lock = isLast ? lockFolder(folder) : undefined;
  return await writeWhole(file, async draft => {
    const copy = await copyStore(path, draft);
    putDevices(draft, readDevices(folder));
    return copy;
  }).finally(() => lock?.release());
}

/** Copies the store in a PostgreSQL database to a file, as `backUpStore` does. */
export async function backUpDatabase(url: string, file: string): Promise<StoreCopy> {
  await using database = await openPostgresStore(url, { isPatient: true });
  const copyFrom = (from: Store) => (store: Store) =>
    store.transaction().execute(transaction => copyStoreRows(from, transaction));
  return await writeWhole(file, async draft => {
    await database
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute(from => createStoreFile(draft, copyFrom(from)));
    return checkCopy("the database", draft);
  });
}

/** Makes a file that gets its name once it is whole and on the disk. */
async function writeWhole(file: string, make: (draft: string) => Promise<StoreCopy>): Promise<StoreCopy> {
  if (existsSync(file))
    throw new StoreError(`${file} already exists. Choose another name, or move it elsewhere.`);
  if (!existsSync(dirname(file))) throw new StoreError(`There is no folder ${dirname(file)} for the file.`);
  const draft = draftOf(file);
  try {
    const copy = await make(draft);
    syncFile(draft);
    renameSync(draft, file);
    syncFolder(dirname(resolve(file)));
    return { ...copy, bytes: statSync(file).size };
  } finally {
    removeDatabase(draft);
  }
}

/**
 * Copies a store to a new file for its owner alone, in which no journal is left beside it, and checks the copy: its
 * pages, its version and its ledger. Throws a `StoreError` that says what is wrong with it.
 */
export async function copyStore(from: string, to: string): Promise<StoreCopy> {
  checkVersion(from);
  closeSync(openSync(to, "wx", 0o600));
  const source = openToRead(from);
  try {
    source.prepare("vacuum into ?").run(to);
  } finally {
    source.close();
  }
  const copy = await checkCopy(from, to);
  syncFile(to);
  return copy;
}

function checkVersion(path: string): void {
  try {
    requireVersion(path);
  } catch (error) {
    if (storageProblem(error) !== "damaged") throw error;
    throw new StoreError(`${path} is not a backup, or is damaged (${(error as Error).message}).`);
  }
}

async function checkCopy(from: string, to: string): Promise<StoreCopy> {
  const damages = await checkIntegrity(to, "whole");
  if (damages.length > 0) throw new StoreError(`${from} is damaged: ${damages.join("; ")}.`);
  const store = openStoreFile(to);
  try {
    const problems = await auditLedger(store);
    if (problems.length > 0) throw new StoreError(`The ledger of ${from} is wrong: ${problems.join("; ")}.`);
    const count = store.selectFrom("jobs").select(eb => eb.fn.countAll<number>().as("jobs"));
    const { jobs } = await count.executeTakeFirstOrThrow();
    return { jobs, bytes: statSync(to).size, missing: await missingDocuments(store) };
  } finally {
    await store.destroy();
    const database = new DatabaseSync(to);
    database.exec("pragma journal_mode = delete");
    database.close();
  }
}

/** Finds jobs that lack their programs or results. Returns sentences about them. */
export async function missingDocuments(store: Store): Promise<string[]> {
  const { rows } = await sql<{ kind: string; jobs: number; first: string }>`
    select kind, count(*) as jobs, min(qrn) as first
    from jobs join (select 'programs' as kind union all select 'results') as kinds
      on kind = 'programs' or status = 'COMPLETED'
    where purged_at is null
      and not exists (select 1 from job_documents as d where d.job_seq = jobs.seq and d.kind = kinds.kind)
    group by kind order by kind`.execute(store);
  return rows.map(({ kind, jobs, first }) => `${jobs} jobs lack their ${kind}, such as ${first}`);
}

/** Keeps the devices that were imported into a data folder in a copy of its store, which is a single file. */
function putDevices(file: string, devices: readonly CatalogueEntry[]): void {
  if (devices.length === 0) return;
  const database = new DatabaseSync(file);
  try {
    database.exec("create table imported_devices (qrn text primary key, entry_json text not null)");
    const insert = database.prepare("insert into imported_devices values (?, ?)");
    for (const device of devices) insert.run(device.qrn, JSON.stringify(device));
  } finally {
    database.close();
  }
}

/** Takes the devices out of a copy of a store. Throws a `StoreError` where they are not as they were written. */
function takeDevices(file: string): CatalogueEntry[] {
  const database = new DatabaseSync(file);
  try {
    const isThere = database
      .prepare("select 1 from sqlite_master where type = 'table' and name = 'imported_devices'")
      .get();
    if (!isThere) return [];
    const rows = database.prepare("select entry_json from imported_devices order by qrn").all();
    database.exec("drop table imported_devices");
    return rows.map(row => {
      const device = JSON.parse(String(row.entry_json));
      checkImported(device);
      return device;
    });
  } catch (error) {
    throw new StoreError("The file is damaged: a device in it is invalid. Use another copy of it.", {
      cause: error,
    });
  } finally {
    database.close();
  }
}

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
        `${there} already exists. Import into an empty folder, or restore with --replace, which moves the store that is there aside.`,
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
