import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { StoreError } from "../storage-errors.ts";

/** Name of the file in a data folder that holds the key of its own user. */
export const OWNER_KEY_FILE = "owner.key";

/** Names of Ketbook's files in a data folder. */
const OWN_FILES = /^(?:ketbook\.sqlite.*|lock\.sqlite.*|owner\.key.*|service\.(?:json|log).*|config\.json)$/;
/** Its folders. */
const OWN_FOLDERS = new Set(["calibrations", "devices"]);

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/**
 * Makes a data folder, or checks the one that is there: its files are for their owner alone, and so is the folder when
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
  if (names.every(name => OWN_FILES.test(name) || OWN_FOLDERS.has(name))) chmodSync(folder, 0o700);
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
