import type { RuntimeJob } from "../../contract/job.ts";
import type { Context } from "../context.ts";
import { WAITING } from "../queue/waiting.ts";
import type { JobRow } from "../store/schema.ts";
import { toJob } from "./record.ts";

/** Converts rows to records of the interface, those that wait with their positions in the queue. */
export async function showJobs(
  { queue }: Pick<Context, "queue">,
  rows: readonly JobRow[],
): Promise<RuntimeJob[]> {
  const waiting = rows.filter(row => WAITING.includes(row.status));
  const positions = await queue.positions(waiting.map(({ seq }) => seq));
  return rows.map(row => toJob(row, WAITING.includes(row.status) ? (positions.get(row.seq) ?? 0) : null));
}

/** Converts a row to the record of the interface, with its position in the queue if it waits. */
export async function showJob(context: Pick<Context, "queue">, row: JobRow): Promise<RuntimeJob> {
  return (await showJobs(context, [row]))[0]!;
}
