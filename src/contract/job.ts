import type { PageQuery } from "./envelope.ts";
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
  /** Credits that the job cost; null until it is settled. */
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
  /** Text in the name or in the resource name, which begins with that of the device. */
  search?: string;
  /** Tags that the jobs must have, all of them. */
  tags?: Tags;
}

/** A query for a page of jobs. */
export interface JobQuery extends JobFilter, PageQuery {}

export const PROGRAM_FORMATS = ["qasm3", "qasm2", "qir.ll"] as const;

/** A program as it is submitted. */
export interface Program {
  /** Name of the format, such as `qasm3` for OpenQASM 3. */
  format: string;
  /** The program's text. */
  data: string;
  /** The texts of the files that a program in OpenQASM may include, by their names; they come before the library's. */
  files?: { readonly [name: string]: string } | undefined;
}

/** A program as a service keeps it. One that is not a string, such as an analog Hamiltonian, is an object or a list. */
export interface RecordedProgram {
  /** Name of the format, such as `qasm3` for OpenQASM 3. */
  format: string;
  /** The program's text, or its data in another form. */
  data: string | object;
  /** The texts of the files that a program in OpenQASM may include, by their names; they come before the library's. */
  files?: { readonly [name: string]: string } | undefined;
}

/** A drawing of the circuits of a job in plain text. */
export interface ProgramAscii {
  /** Always `ascii`. */
  format: "ascii";
  /** A drawing for each program, in order. */
  circuits: { index: number; ascii: string }[];
}

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

/**
 * Time that the jobs of an emulated QPU take, as seen by their user, queue included. `classroom`: seconds. `realistic`: as long
 * as on a real device. `instant`: no longer than the simulation. What they cost, and the time that they are billed for,
 * is the same.
 */
export const TIMINGS = ["classroom", "realistic", "instant"] as const;

/** Timing of an emulated QPU's jobs. */
export type Timing = (typeof TIMINGS)[number];
