import { formatGroupQrn, type JobTimes, type RuntimeJob } from "../../contract/index.ts";
import type { Caller } from "../accounts/caller.ts";
import { toCredits } from "../billing/price.ts";
import type { Context } from "../context.ts";
import { emulatedQueue } from "../emulation.ts";
import { HttpError } from "../http-error.ts";
import { WAITING } from "../queue/job-queue.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

/** Finds a job of the caller's that is not deleted; throws an HttpError (404). */
export async function findJob(store: Store, caller: Caller, qrn: string): Promise<JobRow> {
  const row = await store
    .selectFrom("jobs")
    .selectAll()
    .where("qrn", "=", qrn)
    .where("user_id", "=", caller.userId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!row) throw new HttpError("NOT_FOUND", `There is no job ${qrn.slice(0, 200)}.`);
  return row;
}

/** Formats a time as the interface has it: ISO 8601. */
export function toTime(milliseconds: number): string;
export function toTime(milliseconds: number | null): string | null;
export function toTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

/** Rounds a time in microseconds to the interface's whole milliseconds. */
export const toMilliseconds = (microseconds: number | null) =>
  microseconds === null ? null : Math.round(microseconds / 1000);

export function timesOf(row: JobRow): JobTimes {
  return {
    createdAt: toTime(row.created_at),
    endedAt: toTime(row.ended_at),
    executionDuration: toMilliseconds(row.duration_us),
  };
}

/** Returns the service's metadata of a job: its seed, its calibration and settings, and its outcome. */
function metadataOf(row: JobRow): RuntimeJob["metadata"] {
  return {
    ...(row.seed === null ? {} : { seed: row.seed }),
    ...(row.provenance_json === null ? {} : JSON.parse(row.provenance_json)),
    ...(row.figures_json === null ? {} : JSON.parse(row.figures_json)),
    ...(row.diagnostics_json === null ? {} : { diagnostics: JSON.parse(row.diagnostics_json) }),
    ...(row.duration_us === null ? {} : { executionMicroseconds: row.duration_us }),
    ...(row.progress === null ? {} : { progress: row.progress / 1000 }),
  };
}

export function toJob(row: JobRow, queuePosition: number | null): RuntimeJob {
  return {
    jobQrn: row.qrn,
    batchJobQrn: row.is_batch ? row.qrn : null,
    name: row.name,
    deviceQrn: row.device_qrn,
    vendor: row.vendor,
    provider: row.provider,
    experimentType: row.experiment_type,
    status: row.status,
    statusMsg: row.deleted_at === null ? row.status_msg : `The job was deleted at ${toTime(row.deleted_at)}.`,
    queuePosition,
    shots: row.shots,
    numCircuits: row.programs,
    groupJobQrn: row.group_id === null ? null : formatGroupQrn(row.group_id),
    estimatedCost: toCredits(row.estimate ?? 0),
    cost: row.cost === null ? null : toCredits(row.cost),
    tags: JSON.parse(row.tags_json),
    metadata: metadataOf(row),
    runtimeOptions: JSON.parse(row.options_json),
    timeStamps: timesOf(row),
    createdAt: toTime(row.created_at),
    updatedAt: toTime(Math.max(row.created_at, row.updated_at)),
  };
}

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

export async function showJob(context: ShowContext, row: JobRow): Promise<RuntimeJob> {
  return (await showJobs(context, [row]))[0]!;
}
