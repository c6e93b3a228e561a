import type { JobTimes, RuntimeJob } from "../../contract/job.ts";
import { formatGroupQrn } from "../../contract/qrn.ts";
import { toCredits } from "../billing/credits.ts";
import type { JobRow } from "../store/schema.ts";

/** Formats a time as the interface has it: ISO 8601. */
export function toTime(milliseconds: number): string;
export function toTime(milliseconds: number | null): string | null;
export function toTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

/** Rounds a time in microseconds to the interface's whole milliseconds. */
export const toMilliseconds = (microseconds: number | null) =>
  microseconds === null ? null : Math.round(microseconds / 1000);

/** Returns when a job was made and ended, and how long it ran. */
export function timesOf(row: JobRow): JobTimes {
  return {
    createdAt: toTime(row.created_at),
    endedAt: toTime(row.ended_at),
    executionDuration: toMilliseconds(row.duration_us),
  };
}

/** Returns what the service notes about a job: its seed, what it ran under, and what came of it. */
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

/** Converts a row to the record of the interface. */
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
