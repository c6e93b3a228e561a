/** Storage problems: no space, no access at the moment, or unreadable contents. */
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

/** States of PostgreSQL by their first characters, longer ones first. */
const POSTGRES_PROBLEMS: readonly [state: string, problem: StorageProblem][] = [
  ["53100", "full"],
  ["08", "unavailable"], // connection
  ["25006", "unavailable"], // read-only
  ["25P03", "unavailable"], // idle in a transaction for too long
  ["28", "unavailable"], // who asks is not let in
  ["3D000", "unavailable"], // no such database
  ["40001", "unavailable"], // could not serialize
  ["40P01", "unavailable"], // deadlock
  ["53", "unavailable"], // no memory, too many connections
  ["55P03", "unavailable"], // lock timeout
  ["57", "unavailable"], // statement timeout, shutdown, start
  ["58", "unavailable"], // input and output
  ["XX001", "damaged"],
  ["XX002", "damaged"],
];

/** The primary result code of an error of SQLite, of Node's or the one in WebAssembly; 0 for any other error. */
function sqliteCode(error: unknown): number {
  const { errcode, resultCode = errcode } = (error ?? {}) as { errcode?: unknown; resultCode?: unknown };
  return typeof resultCode === "number" ? resultCode & 0xff : 0;
}

/** Whether another connection holds the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 5 || code === 6;
}

/** Returns the storage problem behind an error; undefined for other errors. */
export function storageProblem(error: unknown): StorageProblem | undefined {
  if (error instanceof UncertainError) return storageProblem(error.cause) ?? "unavailable";
  if (error instanceof StoreConnectionError) return "unavailable";
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown };
  const state = severity === undefined ? "" : String(code);
  const [, problem] = POSTGRES_PROBLEMS.find(([start]) => state.startsWith(start)) ?? [];
  return problem ?? SQLITE_PROBLEMS[sqliteCode(error)] ?? SYSTEM_PROBLEMS[String(code)];
}

/** Thrown when a commit may last or not: the disk does not take it, or the connection is lost before it is answered. */
export class UncertainError extends Error {
  override name = "UncertainError";
  constructor(cause: unknown) {
    super(`It is uncertain whether the commit was saved: ${(cause as Error)?.message || cause}`, {
      cause,
    });
  }
}

/** Thrown when a database can't be reached, or is lost on the way. */
export class StoreConnectionError extends Error {
  override name = "StoreConnectionError";
  constructor(cause: unknown) {
    super(`The database can't be reached: ${(cause as Error)?.message || cause}`, { cause });
  }
}

/** Thrown when a data folder, or the store in it, can't be used as it is; the message says what to do. */
export class StoreError extends Error {
  override name = "StoreError";
}

/** Returns a sentence on which file failed, and how to fix it; undefined for an error that is not of the storage. */
export function explainStorageError(error: unknown, folder: string): string | undefined {
  if (error instanceof StoreError) return error.message;
  const { code, path, dest, message } = (error ?? {}) as Error & {
    code?: string;
    path?: string;
    dest?: string;
  };
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
  if (path !== undefined) return `${file} can't be used (${message}). Choose another folder with --data.`;
  return undefined;
}

export const damagedMessage = (folder: string) =>
  `The store in ${folder} is damaged; nothing in it was changed.`;

export const RESTORE_ADVICE =
  "Put a copy of it back, or choose another folder with --data. `ketbook check` says what is wrong.";
