import { KetbookError } from "../../client/errors.ts";
import type { JobTimes, RuntimeJob } from "../../contract/job.ts";
import { type RecordReader, recordReader } from "./record-reader.ts";

/** Reads records that somebody else may change: it throws what is wrong in them. */
export const strictly = recordReader(cause => {
  throw new KetbookError(`This is no saved result: ${cause.message}`, { cause });
});

/** Reads when something was made and ended. */
export function timesOf(value: unknown, path: string, read: RecordReader): JobTimes {
  const times = read.object(value, path);
  return {
    createdAt: read.text(times.createdAt, `${path}.createdAt`, null),
    endedAt: read.text(times.endedAt, `${path}.endedAt`, null),
    executionDuration: read.number(times.executionDuration, `${path}.executionDuration`, null),
  };
}

/** Reads a job's record. A result of no known job gets one that says nothing. */
export function jobOf(value: unknown): RuntimeJob {
  const job = strictly.object(value, "job");
  const text = <T>(member: string, missing: T) => strictly.text(job[member], `job.${member}`, missing);
  const number = <T>(member: string, missing: T) => strictly.number(job[member], `job.${member}`, missing);
  const object = (member: string) => strictly.object(job[member], `job.${member}`);
  return {
    ...job,
    jobQrn: text("jobQrn", ""),
    batchJobQrn: text("batchJobQrn", null),
    name: text("name", null),
    deviceQrn: text("deviceQrn", ""),
    vendor: text("vendor", null),
    provider: text("provider", null),
    experimentType: text("experimentType", "other"),
    status: text("status", "COMPLETED") as RuntimeJob["status"],
    statusMsg: text("statusMsg", null),
    queuePosition: number("queuePosition", null),
    shots: number("shots", null) as RuntimeJob["shots"],
    numCircuits: number("numCircuits", null),
    groupJobQrn: text("groupJobQrn", null),
    estimatedCost: number("estimatedCost", null),
    cost: number("cost", null),
    tags: object("tags") as RuntimeJob["tags"],
    metadata: object("metadata"),
    runtimeOptions: object("runtimeOptions"),
    timeStamps: timesOf(job.timeStamps, "job.timeStamps", strictly),
    createdAt: text("createdAt", null),
    updatedAt: text("updatedAt", null),
  };
}
