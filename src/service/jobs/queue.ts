import type { JobStatus } from "../../contract/status.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

const unfinished: JobStatus[] = ["INITIALIZING", "QUEUED", "VALIDATING", "RUNNING", "CANCELLING"];
const waiting: ReadonlySet<string> = new Set<JobStatus>(["INITIALIZING", "QUEUED"]);

/** Counts, for each of these jobs that waits, the jobs that its device takes first. */
export async function queuePositions(store: Store, rows: readonly JobRow[]): Promise<Map<number, number>> {
  const positions = new Map<number, number>();
  const queued = rows.filter(row => waiting.has(row.status));
  for (const device of new Set(queued.map(row => row.device_qrn))) {
    const seqs = queued.filter(row => row.device_qrn === device).map(row => row.seq);
    const first = Math.min(...seqs);
    const ahead = await unfinishedOn(store, device)
      .where("seq", "<", first)
      .select(eb => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    const between = await unfinishedOn(store, device)
      .where("seq", ">=", first)
      .where("seq", "<", Math.max(...seqs))
      .select("seq")
      .execute();
    for (const seq of seqs) {
      positions.set(seq, Number(ahead.count) + between.filter(other => other.seq < seq).length);
    }
  }
  return positions;
}

/** Counts the jobs that wait for each device. */
export async function queueDepths(store: Store): Promise<Map<string, number>> {
  const rows = await store
    .selectFrom("jobs")
    .where("ended_at", "is", null)
    .where("status", "in", [...waiting] as JobStatus[])
    .groupBy("device_qrn")
    .select(eb => ["device_qrn", eb.fn.countAll<number>().as("count")])
    .execute();
  return new Map(rows.map(row => [row.device_qrn, Number(row.count)]));
}

function unfinishedOn(store: Store, device: string) {
  return store
    .selectFrom("jobs")
    .where("ended_at", "is", null)
    .where("status", "in", unfinished)
    .where("device_qrn", "=", device);
}
