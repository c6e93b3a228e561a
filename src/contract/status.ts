/** A word of a list that is not closed: the ones that are known, and any other. */
export type OpenEnum<Known extends string> = Known | (string & {});

/** Every status of a job, in the order of its life. */
export const JOB_STATUSES = [
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
] as const;

/** The status of a job. */
export type JobStatus = (typeof JOB_STATUSES)[number];

export const DEVICE_STATUSES = ["ONLINE", "UNAVAILABLE", "OFFLINE", "RETIRED"] as const;

/** The status of a device. Only an `ONLINE` device takes jobs. */
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

export const GROUP_STATUSES = ["OPEN", "CLOSED", "COMPLETED", "FAILED", "CANCELLED"] as const;

/** The status of a job group. Only an `OPEN` group takes jobs. */
export type GroupStatus = (typeof GROUP_STATUSES)[number];

const terminalJobs: ReadonlySet<string> = new Set<JobStatus>(["CANCELLED", "COMPLETED", "FAILED"]);
const terminalGroups: ReadonlySet<string> = new Set<GroupStatus>(["COMPLETED", "FAILED", "CANCELLED"]);

export function isTerminalJob(status: string): boolean {
  return terminalJobs.has(status);
}

export function isTerminalGroup(status: string): boolean {
  return terminalGroups.has(status);
}
