import type { JobRow } from "../store/schema.ts";
import { type Store, type StoreTransaction, transact } from "../store/store.ts";

/** Writes which part of a job that runs is done, 0 to 1. */
export async function writeProgress(store: Store, job: JobRow, fraction: number, now: number): Promise<void> {
  const write = (transaction: StoreTransaction) =>
    transaction
      .updateTable("jobs")
      .set({ progress: Math.round(fraction * 1000), updated_at: now })
      .where("seq", "=", job.seq)
      .where("attempt", "=", job.attempt)
      .where("status", "=", "RUNNING")
      .execute();
  await transact(store, write, { isDurable: false });
}
