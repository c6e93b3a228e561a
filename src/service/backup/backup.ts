import { closeSync, existsSync, openSync, renameSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { auditLedger } from "../billing/audit.ts";
import { readDevices } from "../catalogue/imported-devices.ts";
import { draftOf } from "../local/draft.ts";
import { secureFolder } from "../local/folder.ts";
import { syncFile, syncFolder } from "../local/sync-folder.ts";
import { StoreError, storageProblem } from "../storage-errors.ts";
import { STORE_VERSION } from "../store/migrate.ts";
import {
  hasContents,
  openStoreFile,
  openToRead,
  removeDatabase,
  requireVersion,
  storePath,
} from "../store/sqlite/file.ts";
import { checkIntegrity } from "../store/sqlite/integrity.ts";
import { putDevices } from "./devices-table.ts";
import { missingDocuments } from "./missing-documents.ts";

/** A copy of a store. */
export interface StoreCopy {
  /** Jobs in it, deleted ones too. */
  jobs: number;
  bytes: number;
  /** Documents that its jobs lack, in sentences; not known of a store of an older version. Default: none. */
  missing?: string[];
}

/**
 * Copies the store of a data folder and the devices that were imported into it to a file, as they are at one moment, while others read and write. The copy is
 * checked, pages and ledger, before it gets its name. Throws a `StoreError` where the file is there already, and where
 * there is nothing whole to copy.
 */
export async function backUpStore(folder: string, file: string): Promise<StoreCopy> {
  const path = storePath(folder);
  if (!existsSync(path)) throw new StoreError(`There is no store in ${folder}.`);
  if (!hasContents(folder)) throw new StoreError(`${path} is empty: what was in it is lost.`);
  if (existsSync(file))
    throw new StoreError(`${file} is there already. Choose another name, or move it elsewhere.`);
  secureFolder(folder);
  const draft = draftOf(file);
  try {
    const copy = await copyStore(path, draft);
    putDevices(draft, readDevices(folder));
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
    const { jobs } = await store
      .selectFrom("jobs")
      .select(eb => eb.fn.countAll<number>().as("jobs"))
      .executeTakeFirstOrThrow();
    const isCurrent = requireVersion(to) === STORE_VERSION;
    return { jobs, bytes: statSync(to).size, missing: isCurrent ? await missingDocuments(store) : [] };
  } finally {
    await store.destroy();
    const database = new DatabaseSync(to);
    database.exec("pragma journal_mode = delete");
    database.close();
  }
}
