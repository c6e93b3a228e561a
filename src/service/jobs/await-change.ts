import { isTerminalJob } from "../../contract/status.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import type { JobRow } from "../store/schema.ts";
import { findJob } from "./find.ts";

/**
 * Finds a job of the caller's once it has changed, or ended, or so many milliseconds have passed: at once where the queue
 * does not hear of changes. Throws an HttpError (404).
 */
export async function awaitChange(
  { store, queue }: Pick<Context, "store" | "queue">,
  caller: Caller,
  qrn: string,
  milliseconds: number,
): Promise<JobRow> {
  const row = await findJob(store, caller, qrn);
  if (milliseconds === 0 || !queue.changed || isTerminalJob(row.status)) return row;
  const changed = queue.changed(row.seq, milliseconds);
  const now = await findJob(store, caller, qrn);
  if (now.status !== row.status || now.progress !== row.progress) return now;
  await changed;
  return findJob(store, caller, qrn);
}
