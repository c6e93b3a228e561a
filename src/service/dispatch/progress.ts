import type { JobRow } from "../store/schema.ts";
import { type Store, transact } from "../store/store.ts";

/** Writes into the metadata of a job that runs which part of it is done, 0 to 1; it is not there any more when the job has ended. */
export async function writeProgress(store: Store, job: JobRow, fraction: number, now: number): Promise<void> {
  const progress = Math.round(fraction * 1000) / 1000;
  const write = (transaction: Store) =>
    transaction
      .updateTable("jobs")
      .set({ metadata_json: JSON.stringify({ ...JSON.parse(job.metadata_json), progress }), updated_at: now })
      .where("seq", "=", job.seq)
      .where("attempt", "=", job.attempt)
      .where("status", "=", "RUNNING")
      .execute();
  await transact(store, write, { isDurable: false });
}
