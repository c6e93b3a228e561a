import { z } from "zod";
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

const figures = z.strictObject({ total: z.number(), average: z.number() });

/** Describes the figures over all jobs. */
export const jobsSummarySchema = z.strictObject({
  total: z.int().min(0),
  statuses: z.record(z.string(), z.int().min(0)),
  experimentTypes: z.record(z.string(), z.int().min(0)),
  deviceTypes: z.record(z.string(), z.int().min(0)),
  cost: figures,
  shots: figures,
});

/** Describes how many jobs are in each status. */
export const jobsStatusesSchema = z.record(z.string(), z.int().min(0));

/** Outcome of deleting several jobs. */
export interface JobsDeleted {
  /** Jobs that were deleted. */
  successfulIds: string[];
  /** Job to the reason why it was not deleted. */
  failedIds: { [jobQrn: string]: string };
  /** Deleted jobs that continue to run, and are charged. */
  stillRunning: string[];
}

/** Describes what deleting several jobs did. */
export const jobsDeletedSchema = z.strictObject({
  successfulIds: z.array(z.string()),
  failedIds: z.record(z.string(), z.string()),
  stillRunning: z.array(z.string()),
});

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

/** Describes what deleting a job did. */
export const jobDeletedSchema = z.strictObject({
  message: z.string(),
  jobQrn: z.string(),
  deletedAt: z.nullable(z.iso.datetime()),
  stillRunning: z.boolean(),
});

/** Outcome of a request to cancel a job. */
export interface JobCancelled {
  /** Description of the outcome. */
  message: string;
  /** Resource name of the job. */
  jobQrn: string;
  /** Status of the job now. */
  status: OpenEnum<JobStatus>;
}

/** Describes what a request to cancel a job did. */
export const jobCancelledSchema = z.strictObject({
  message: z.string(),
  jobQrn: z.string(),
  status: z.string(),
});
