/** What may be wrong with the storage: no room, no access for now, or contents that can't be read. */
export type StorageProblem = "full" | "unavailable" | "damaged";

/** Primary result codes of SQLite. */
const SQLITE_PROBLEMS: Readonly<Record<number, StorageProblem>> = {
  5: "unavailable", // BUSY
  6: "unavailable", // LOCKED
  8: "unavailable", // READONLY
  10: "unavailable", // IOERR
  11: "damaged", // CORRUPT
  13: "full", // FULL
  14: "unavailable", // CANTOPEN
  15: "unavailable", // PROTOCOL
  26: "damaged", // NOTADB
};

const SYSTEM_PROBLEMS: Readonly<Record<string, StorageProblem>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EIO: "unavailable",
  EROFS: "unavailable",
};

/** The primary result code of an error of SQLite; 0 for any other error. */
export function sqliteCode(error: unknown): number {
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  return typeof errcode === "number" ? errcode & 0xff : 0;
}

/** Whether another connection holds the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 5 || code === 6;
}

/** Returns what is wrong with the storage when an error is of that kind; undefined for every other error. */
export function storageProblem(error: unknown): StorageProblem | undefined {
  if (error instanceof UnsyncedError) return storageProblem(error.cause) ?? "unavailable";
  const { code } = (error ?? {}) as { code?: unknown };
  return SQLITE_PROBLEMS[sqliteCode(error)] ?? SYSTEM_PROBLEMS[String(code)];
}

/** Thrown when the disk does not take what was committed: it may last or not. */
export class UnsyncedError extends Error {
  override readonly name = "UnsyncedError";
  constructor(cause: unknown) {
    super(`What was committed could not be brought to the disk: ${cause}`, { cause });
  }
}

/** Thrown when a data folder, or the store in it, can't be used as it is; the message says what to do. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** Returns a sentence on which file failed, and how to mend it; undefined for an error that is not of the storage. */
export function explainStorageError(error: unknown, folder: string): string | undefined {
  if (error instanceof StoreError) return error.message;
  const { code, path, dest, message } = (error ?? {}) as NodeJS.ErrnoException & { dest?: string };
  const file = dest ?? path ?? folder;
  const problem = storageProblem(error);
  if (problem === "full") return `The disk of ${file} is full. Free some space, and start again.`;
  if (problem === "damaged") return `${damagedMessage(folder)} (${message}) ${RESTORE_ADVICE}`;
  if (isBusy(error)) return `The store in ${folder} is locked by another process. End that, and start again.`;
  if (problem) return `${file} can't be written (${message}). Check the disk, and who may write there.`;
  if (code === "EACCES" || code === "EPERM") {
    return `${file} may not be written. Allow it, or choose another folder with --data.`;
  }
  if (code === "EISDIR" || code === "ENOTDIR" || code === "EEXIST") {
    return `${file} is in the way (${message}). Move it elsewhere, or choose another folder with --data.`;
  }
  return undefined;
}

/** The message that the store of a folder is damaged. */
export const damagedMessage = (folder: string) =>
  `The store in ${folder} is damaged; nothing in it was changed.`;

/** What to do about a store that is damaged. */
export const RESTORE_ADVICE =
  "Put a copy of it back, or choose another folder with --data. `ketbook check` says what is wrong.";
