/** A word of a list that is not closed: the ones that are known, and any other. */
export type OpenEnum<Known extends string> = Known | (string & {});

/** The status of a job. */
export type JobStatus =
  | "INITIALIZING"
  | "QUEUED"
  | "VALIDATING"
  | "RUNNING"
  | "HOLD"
  | "CANCELLING"
  | "CANCELLED"
  | "COMPLETED"
  | "FAILED"
  | "UNKNOWN";

/** Every status of a job, in the order of its life. */
export const JOB_STATUSES: readonly JobStatus[] = [
  "INITIALIZING",
  "QUEUED",
  "VALIDATING",
  "RUNNING",
  "HOLD",
  "CANCELLING",
  "CANCELLED",
  "COMPLETED",
  "FAILED",
  "UNKNOWN",
];

/** The status of a device. Only an `ONLINE` device takes jobs. */
export type DeviceStatus = "ONLINE" | "UNAVAILABLE" | "OFFLINE" | "RETIRED";

/** Every status of a device. */
export const DEVICE_STATUSES: readonly DeviceStatus[] = ["ONLINE", "UNAVAILABLE", "OFFLINE", "RETIRED"];

/** The status of a job group. Only an `OPEN` group takes jobs. */
export type GroupStatus = "OPEN" | "CLOSED" | "COMPLETED" | "FAILED" | "CANCELLED";

/** Every status of a job group. */
export const GROUP_STATUSES: readonly GroupStatus[] = ["OPEN", "CLOSED", "COMPLETED", "FAILED", "CANCELLED"];

const terminalJobs: ReadonlySet<string> = new Set<JobStatus>(["CANCELLED", "COMPLETED", "FAILED"]);
const terminalGroups: ReadonlySet<string> = new Set<GroupStatus>(["COMPLETED", "FAILED", "CANCELLED"]);

/** Whether a job in this status will never change again. */
export function isTerminalJob(status: string): boolean {
  return terminalJobs.has(status);
}

/** Whether a group in this status will never change again. */
export function isTerminalGroup(status: string): boolean {
  return terminalGroups.has(status);
}
