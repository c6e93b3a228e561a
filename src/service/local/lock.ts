import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isBusy, StoreError, storageProblem } from "../storage-errors.ts";
import { readServiceFile } from "./discovery.ts";

/** The lock of a data folder, held by this process. */
export interface FolderLock {
  release(): void;
}

/** Thrown when another process serves the data folder; the message says where it is. */
export class FolderInUseError extends Error {
  override name = "FolderInUseError";

  constructor(folder: string) {
    const running = readServiceFile(folder);
    const where = running
      ? `It is at ${running.url} (Ketbook ${running.version}, process ${running.pid}).`
      : "It is just starting or ending.";
    super(`Another service runs on ${folder}. ${where}`);
  }
}

/**
 * Takes the lock of a data folder. It is the operating system's, on a small SQLite file that only the owner can read,
 * so that it vanishes with the process that holds it, however that ends. Throws a `FolderInUseError` when another
 * process has it.
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, "lock.sqlite");
  closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path);
  try {
    database.exec("begin exclusive");
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new FolderInUseError(folder);
    if (storageProblem(error) !== "damaged") throw error;
    throw new StoreError(`${path} is damaged, and nothing of worth is in it. Delete it, and start again.`);
  }
  return { release: () => database.close() };
}
