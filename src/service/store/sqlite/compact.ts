import { DatabaseSync } from "node:sqlite";

/** Pages that are returned at a time, so that no other work waits long. */
const STEP_PAGES = 256;

/**
 * Returns some free pages of a store's file to the disk, and, with the last ones, the space of its write-ahead log.
 * Returns whether there are more. Throws while another connection writes.
 */
export function compactStore(path: string): boolean {
  const database = new DatabaseSync(path);
  try {
    const free = () => Number(database.prepare("pragma freelist_count").get()?.freelist_count);
    const before = free();
    if (before === 0) return false;
    database.exec(`pragma incremental_vacuum(${STEP_PAGES})`);
    const left = free();
    if (left < before && left > 0) return true;
    database.exec("pragma wal_checkpoint(truncate)");
    return false;
  } finally {
    database.close();
  }
}
