import type { JobStatus, OpenEnum } from "./status.ts";

/** Figures over all jobs of a user. */
export interface JobsSummary {
  /** Null, like every figure here, where the service does not say. */
  total: number | null;
  /** Status to number of jobs. */
  statuses: { [status: string]: number };
  /** Kind of experiment to number of jobs. */
  experimentTypes: { [type: string]: number };
  /** Kind of device to number of jobs. */
  deviceTypes: { [type: string]: number };
  /** Credits; the average is over settled jobs. */
  cost: { total: number | null; average: number | null };
  /** Shots in all, and of a job on average. */
  shots: { total: number | null; average: number | null };
}

/** Outcome of deleting several jobs. */
export interface JobsDeleted {
  /** Jobs that were deleted. */
  successfulIds: string[];
  /** Job to the reason why it was not deleted. */
  failedIds: { [jobQrn: string]: string };
  /** Deleted jobs that continue to run, and are charged. */
  stillRunning: string[];
}

/** Outcome of deleting a job. */
export interface JobDeleted {
  /** Description of the outcome. */
  message: string;
  /** Resource name of the job. */
  jobQrn: string;
  /** Time of deletion (ISO 8601). */
  deletedAt: string | null;
  /** The job continues to run, and is charged; null where the service does not say. */
  stillRunning: boolean | null;
}

/** Outcome of a request to cancel a job. */
export interface JobCancelled {
  /** Description of the outcome. */
  message: string;
  /** Resource name of the job. */
  jobQrn: string;
  /** Status of the job now. */
  status: OpenEnum<JobStatus>;
}
