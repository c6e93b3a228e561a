import type { PageQuery } from "./envelope.ts";
import type { RecordedProgram } from "./program.ts";
import type { JobStatus, OpenEnum } from "./status.ts";

/** Value of a tag. */
export type TagValue = string | number | boolean;

/** Tags of a job or group: key to value. */
export interface Tags {
  [key: string]: TagValue;
}

/** Tags as a service keeps them: a value may be missing. */
export interface RecordedTags {
  [key: string]: TagValue | null;
}

/** Kinds of experiment. */
export const EXPERIMENT_TYPES = ["gate_model", "analog", "annealing", "other"] as const;

/** Kind of experiment of a job or device. */
export type ExperimentType = (typeof EXPERIMENT_TYPES)[number];

/** Times of creation and end of a job (ISO 8601), and its run time in milliseconds. */
export interface JobTimes {
  /** Time of the submission (ISO 8601). */
  createdAt: string | null;
  /** Time of the job's end (ISO 8601); null until then. */
  endedAt: string | null;
  /** Whole milliseconds that the job ran. */
  executionDuration: number | null;
}

/**
 * A job as the service keeps it. What a service leaves out is null; of the strings that every job should have, it is
 * the empty string, and of the status, `UNKNOWN`. Members that are not listed here pass through.
 */
export interface RuntimeJob {
  /** Resource name of the job. */
  jobQrn: string;
  /** The job's own name again when it is a batch, otherwise null. */
  batchJobQrn: string | null;
  /** Name for people. */
  name: string | null;
  /** Resource name of the device. */
  deviceQrn: string;
  /** Code of the vendor through which the device is reached. */
  vendor: string | null;
  /** Name of the provider whose device it is. */
  provider: string | null;
  /** Such as `gate_model`. */
  experimentType: OpenEnum<ExperimentType>;
  /** Any word that is not a terminal status means that the job may still change. */
  status: OpenEnum<JobStatus>;
  /** Reason for the job's status, such as `3:7: unknown gate "hh"`. */
  statusMsg: string | null;
  /** Jobs that run before this one, while it waits. */
  queuePosition: number | null;
  /** Repetitions; null where a job has none, as in annealing. */
  shots: number | null;
  /** Programs in the job: more than 1 for a batch. */
  numCircuits: number | null;
  /** Resource name of the group that the job is in. */
  groupJobQrn: string | null;
  /** Credits that the job was expected to cost; where there was no quote, those that were held. */
  estimatedCost: number | null;
  /** Credits that the job did cost; null until it is settled. */
  cost: number | null;
  /** Tags by key. */
  tags: RecordedTags;
  /** Further notes of the service, such as the seed. */
  metadata: { [key: string]: unknown };
  /** Options that the job was submitted with. */
  runtimeOptions: { [key: string]: unknown };
  /** Times of submission and end, and the run time. */
  timeStamps: JobTimes;
  /** Time of creation of the record (ISO 8601). */
  createdAt: string | null;
  /** Time of the last change of the record (ISO 8601). */
  updatedAt: string | null;
}

/** A submission. */
export interface JobRequest {
  /** Resource name of the device. */
  deviceQrn: string;
  /** Repetitions; 0 runs the program exactly, without sampling. */
  shots: number;
  /** One program, or a batch of 1 to 2000. */
  program: RecordedProgram | RecordedProgram[];
  /** Name for people. */
  name?: string | null;
  /** Tags by key. */
  tags?: Tags;
  /** Options of the device. */
  runtimeOptions?: { [key: string]: unknown };
  /** Resource name of a group to put the job into. */
  groupJobQrn?: string | null;
}

/** Filters of a job list. */
export interface JobFilter {
  /** Code of the vendor, such as `aws`. */
  vendor?: string;
  /** Name of the provider. */
  provider?: string;
  /** `pending`: not ended yet; `returned`: completed, failed or cancelled. */
  statusGroup?: "all" | "pending" | "returned";
  /** One status; stronger than `statusGroup`. */
  status?: OpenEnum<JobStatus>;
  /** A word of the name. */
  search?: string;
  /** Tags that the jobs must have, all of them. */
  tags?: Tags;
}

/** A query for a page of jobs. */
export interface JobQuery extends JobFilter, PageQuery {}
