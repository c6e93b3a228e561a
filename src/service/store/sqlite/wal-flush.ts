import { closeSync, fdatasync, fstatSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { syncFolder } from "../../local/sync-folder.ts";
import { UncertainError } from "../../storage-errors.ts";

const sync = promisify(fdatasync);

/** Time without a commit after which the log is moved into the database, where it can no longer be lost. */
const IDLE_MS = 5000;

/** Brings what was committed to the disk. */
export interface WalFlush {
  /**
   * Waits until all commits so far are on the disk. Commits that wait at the same time share one write. Throws an
   * `UncertainError` where the disk fails.
   */
  flush(): Promise<void>;
  /** Waits for what is being written, and closes the file. */
  close(): Promise<void>;
}

/**
 * Opens the write-ahead log of a SQLite file under `synchronous = normal`, where SQLite itself writes it to the disk
 * only before a checkpoint. A commit that was flushed is as durable as under `synchronous = full`, but this thread
 * continues in the meantime. After a write that failed, the system may take for written what is lost: nothing counts as
 * durable until `checkpoint`, which says whether it could, has moved the whole log into the database.
 */
export function openWalFlush(path: string, checkpoint: () => Promise<boolean>): WalFlush {
  const fileId = statSync(path).ino;
  let file: number | undefined;
  let hasFailed = false;
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function write(): Promise<void> {
    try {
      file ??= openLog();
      if (!hasFailed) await sync(file);
    } catch {
      hasFailed = true;
    }
    checkInPlace();
    await checkLog();
    if (!hasFailed) return;
    try {
      if (!(await checkpoint())) throw new Error("The write-ahead log is in use.");
    } catch (cause) {
      throw new UncertainError(cause);
    }
    hasFailed = false;
  }

  /** Throws where the file was deleted, or another was put in its place: what is written to it is lost with it. */
  function checkInPlace(): void {
    if (statSync(path, { throwIfNoEntry: false })?.ino === fileId) return;
    throw new UncertainError(
      new Error(`${path} was deleted or replaced. Stop the service, and start it again.`),
    );
  }

  /** Saves what can be where the log was deleted, and throws: what comes after it would be lost with the process. */
  async function checkLog(): Promise<void> {
    const there = statSync(`${path}-wal`, { throwIfNoEntry: false })?.ino;
    if (file === undefined || fstatSync(file).ino === there) return;
    await checkpoint().catch(() => {});
    throw new UncertainError(
      new Error(`${path}-wal was deleted or replaced. Stop the service, and start it again.`),
    );
  }

  /** Opens the log; its name has to last as well. */
  function openLog(): number {
    const opened = openSync(`${path}-wal`, "r+");
    syncFolder(dirname(path));
    return opened;
  }

  let idle: NodeJS.Timeout | undefined;

  function start(): Promise<void> {
    clearTimeout(idle);
    current = write().finally(() => {
      current = undefined;
      idle = setTimeout(() => checkpoint().catch(() => {}), IDLE_MS).unref();
    });
    return current;
  }

  return {
    async flush() {
      if (!current) return start();
      next ??= current
        .catch(() => {})
        .then(() => {
          next = undefined;
          return start();
        });
      return next;
    },
    async close() {
      await Promise.allSettled([current, next]);
      clearTimeout(idle);
      if (file !== undefined) closeSync(file);
    },
  };
}
