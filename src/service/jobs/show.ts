import type { RuntimeJob } from "../../contract/job.ts";
import type { Context } from "../context.ts";
import { emulatedQueue } from "../emulation/queue.ts";
import { WAITING } from "../queue/waiting.ts";
import type { JobRow } from "../store/schema.ts";
import { toJob } from "./record.ts";

type ShowContext = Pick<Context, "queue" | "catalogue" | "clock">;

/** Converts rows to records of the interface, those that wait with their positions in the queue. */
export async function showJobs(
  { queue, catalogue, clock }: ShowContext,
  rows: readonly JobRow[],
): Promise<RuntimeJob[]> {
  const waiting = rows.filter(row => WAITING.includes(row.status));
  const positions = await queue.positions(waiting.map(({ seq }) => seq));
  const obstacles = await queue.obstacles(waiting);
  return rows.map(each => {
    if (!WAITING.includes(each.status)) return toJob(each, null);
    const obstacle = obstacles.get(each.seq);
    const row = obstacle === undefined ? each : { ...each, status_msg: obstacle };
    const position = positions.get(row.seq) ?? 0;
    const device = catalogue.get(row.device_qrn);
    if (!device?.execution) return toJob(row, position);
    const { ahead, ...emulation } = emulatedQueue(device, row, { position, now: clock() });
    const job = toJob(row, position + ahead);
    return { ...job, metadata: { ...job.metadata, emulation } };
  });
}

/** Converts a row to the record of the interface, with its position in the queue if it waits. */
export async function showJob(context: ShowContext, row: JobRow): Promise<RuntimeJob> {
  return (await showJobs(context, [row]))[0]!;
}
