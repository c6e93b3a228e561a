import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Takes the lock of a data folder; `undefined` when another process has it. The lock is the operating system's, on
 * a small SQLite file, so that it vanishes with the process that holds it, however that ends.
 */
export function lockFolder(folder: string): { release(): void } | undefined {
  const database = new DatabaseSync(join(folder, "lock.sqlite"));
  try {
    database.exec("begin exclusive");
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === 5) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}
