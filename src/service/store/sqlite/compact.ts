import { DatabaseSync } from "node:sqlite";

/** Pages that are returned at a time, so that no other work waits long. */
const STEP_PAGES = 256;

/**
 * Returns some free pages of a store's file to the disk, and with the last ones empties its write-ahead log, in which
 * what was removed is kept until then. Returns whether there is more to do. Throws while another connection writes.
 */
export function compactStore(path: string): boolean {
  const database = new DatabaseSync(path);
  try {
    const free = () => Number(database.prepare("pragma freelist_count").get()?.freelist_count);
    const before = free();
    if (before > 0) database.exec(`pragma incremental_vacuum(${STEP_PAGES})`);
    const left = free();
    if (left < before && left > 0) return true;
    return database.prepare("pragma wal_checkpoint(truncate)").get()?.busy === 1;
  } finally {
    database.close();
  }
}
