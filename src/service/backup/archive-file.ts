import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { exportStore } from "../archive/export.ts";
import { damaged, writeLines } from "../archive/format.ts";
import type { CatalogueEntry } from "../catalogue/catalogue.ts";
import { draftOf } from "../local/draft.ts";
import { syncFolder } from "../local/sync-folder.ts";
import { StoreError } from "../storage-errors.ts";
import type { StoreTransaction } from "../store/store.ts";
import type { StoreCopy } from "./backup.ts";

/**
 * Writes all that a transaction sees, and imported devices, to a file, for its owner alone, which gets its name once it is whole and on the disk.
 * Throws a `StoreError` where the file is there already.
 */
export async function writeArchive(
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
    const { jobs } = await transaction
      .selectFrom("jobs")
      .select(eb => eb.fn.countAll<number>().as("jobs"))
      .executeTakeFirstOrThrow();
    return { jobs, bytes: statSync(file).size };
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Reads the bytes of an archive. Throws a `StoreError` where the file is none, or is damaged. */
export async function* readArchive(file: string): AsyncGenerator<Uint8Array> {
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
