import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { platform } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type LocalService, readServiceFile, SERVICE_FILE } from "../../contract/index.ts";
import { isBusy, StoreError, storageProblem } from "../index.ts";

/** Name of the file in a data folder with its user's key. */
export const OWNER_KEY_FILE = "owner.key";

const OWN_FILES = /^(?:ketbook\.sqlite.*|lock\.sqlite.*|owner\.key.*|service\.(?:json|log).*|config\.json)$/;
const OWN_FOLDERS = /^(?:calibrations|devices|version-\d+)$/;

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/**
 * Makes a data folder, or checks the one that is there: its files are only for their owner, and so is the folder when
 * nothing else is in it. Throws a `StoreError` for a folder of another user's, one that others may write to and that
 * holds other things, and anything but a file where a file of Ketbook's belongs.
 */
export function secureFolder(folder: string): void {
  makeFolder(folder);
  const user = process.getuid?.();
  const { uid, mode } = statSync(folder);
  const elsewhere = "Choose another folder with --data.";
  if (user && uid !== user) {
    throw new StoreError(`${folder} belongs to another user (${uid}), who could read its keys. ${elsewhere}`);
  }
  const names = readdirSync(folder);
  const own = names.filter(name => OWN_FILES.test(name)).map(name => join(folder, name));
  for (const path of own) secureFile(path, user);
  if (user === undefined || (mode & OTHERS) === 0) return;
  if (names.every(name => OWN_FILES.test(name) || OWN_FOLDERS.test(name))) chmodSync(folder, 0o700);
  else if ((mode & OTHERS_WRITE) !== 0) {
    throw new StoreError(
      `Others may write to ${folder}, which holds other things than Ketbook's. Run chmod 700 on it, or choose another folder with --data.`,
    );
  }
}

/** Makes a folder, and those above it. Node's own recursion has no end where none can be made, as in `/proc`. */
function makeFolder(folder: string): void {
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function secureFile(path: string, user: number | undefined): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isFile()) {
    const kind = found.isDirectory() ? "a folder" : "not a plain file";
    throw new StoreError(`${path} is ${kind}, where a file of Ketbook's belongs. Move it elsewhere.`);
  }
  if (user === undefined) return;
  if (user !== 0 && found.uid !== user) {
    throw new StoreError(`${path} belongs to another user (${found.uid}). Move it elsewhere.`);
  }
  if ((found.mode & OTHERS) !== 0) chmodSync(path, found.mode & 0o700);
}

/** The lock of a data folder, held by this process. */
export type FolderLock = ReturnType<typeof lockFolder>;

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
export function lockFolder(folder: string) {
  const path = join(folder, "lock.sqlite");
  closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path);
  try {
    database.exec("begin exclusive");
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new FolderInUseError(folder);
    if (storageProblem(error) !== "damaged") throw error;
    throw new StoreError(`${path} is damaged, and contains no data. Delete it, and start again.`);
  }
  return { release: () => database.close() };
}

/**
 * Writes in the data folder where its service is. Returns the function that removes that again, unless another service
 * has written there since, as in a folder that was made again.
 */
export function writeServiceFile(folder: string, service: LocalService): () => void {
  const path = join(folder, SERVICE_FILE);
  writePrivately(path, `${JSON.stringify(service)}\n`);
  return () => {
    if (readServiceFile(folder)?.url === service.url) rmSync(path, { force: true });
  };
}

/** Makes the contents of a file last through a loss of power. */
export function syncFile(path: string, flags = "r+"): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the names of new and renamed files last through a loss of power; Windows knows no such call. */
export function syncFolder(folder: string): void {
  if (platform() !== "win32") syncFile(folder, "r");
}

const DRAFT = /^\.(\d+)\.tmp(-wal|-shm|-journal)?$/;

/**
 * Returns the name under which a file is written until it is whole. Drafts of the file that processes have left which
 * are gone, such as one that was killed, are removed.
 */
export function draftOf(file: string): string {
  const [folder, name] = [dirname(resolve(file)), basename(file)];
  for (const entry of existsSync(folder) ? readdirSync(folder) : []) {
    const [, pid] = (entry.startsWith(name) && DRAFT.exec(entry.slice(name.length))) || [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, entry), { force: true });
  }
  return `${file}.${process.pid}.tmp`;
}

/** Whether a process other than this one has an id. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Writes a file that only its owner can read, whole or not at all. */
export function writePrivately(path: string, text: string): void {
  const draft = draftOf(path);
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

export function ownerKeyFile(folder: string) {
  const path = join(folder, OWNER_KEY_FILE);
  return {
    read: () => (existsSync(path) ? readFileSync(path, "utf8").trim() : undefined),
    write: (key: string) => writePrivately(path, `${key}\n`),
  };
}
