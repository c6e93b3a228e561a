import type { SAHPoolUtil, Sqlite3Static } from "@sqlite.org/sqlite-wasm";
import { sleep } from "../../host/browser/timers.ts";
import { StoreError, UncertainError } from "../../service/storage-errors.ts";
import { type AccessHandle, gatherFrames } from "./log-frames.ts";

/** Files of the browser's storage, in which SQLite keeps a database and its write-ahead log. */
export interface FilePool {
  pool: SAHPoolUtil;
  /** Brings what was written to the disk. Throws an `UncertainError` where that fails. */
  flush(): void;
}

type FileHandle = FileSystemFileHandle & { createSyncAccessHandle(): Promise<AccessHandle> };

const POOL_FILES = 6;
/** For how long files are waited for that a tab which was closed has not let go of. */
const MAX_WAIT_MS = 5000;
const RETRY_MS = 20;

/** Opens the pool of files in a folder; undefined where the browser has none. Throws a `StoreError` where something else holds them. */
export async function openPool(sqlite: Sqlite3Static, directory: string): Promise<FilePool | undefined> {
  if (!globalThis.navigator?.storage?.getDirectory) return undefined;
  const options = { directory, initialCapacity: POOL_FILES, preserveOnInitFailure: true };
  for (const deadline = performance.now() + MAX_WAIT_MS; ; await sleep(RETRY_MS)) {
    try {
      const install = () =>
        sqlite.installOpfsSAHPoolVfs({ ...options, forceReinitIfPreviouslyFailed: true } as typeof options);
      const { opened, flush } = await gatherFramesOf(install);
      return { pool: opened, flush };
    } catch (error) {
      if (!isHeld(error)) return undefined;
      if (performance.now() > deadline)
        throw new StoreError(
          "Another page holds what this browser keeps of Ketbook. Close its other tabs, then reload this one.",
        );
    }
  }
}

const isHeld = (error: unknown) =>
  /NoModificationAllowed|InvalidState|Access Handle|locked/i.test(`${(error as Error)?.name} ${error}`);

/** Has each file that is opened by a function gather frames, as {@link gatherFrames} does. */
async function gatherFramesOf<T>(open: () => Promise<T>): Promise<{ opened: T; flush(): void }> {
  const unflushed = new Set<AccessHandle>();
  const prototype = FileSystemFileHandle.prototype as FileHandle;
  const original = prototype.createSyncAccessHandle;
  prototype.createSyncAccessHandle = async function (this: FileHandle) {
    return gatherFrames(await original.call(this), unflushed);
  };
  const flush = () => {
    try {
      for (const file of unflushed) file.flush();
    } catch (cause) {
      throw new UncertainError(cause);
    }
  };
  try {
    return { opened: await open(), flush };
  } finally {
    prototype.createSyncAccessHandle = original;
  }
}
