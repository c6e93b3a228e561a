import { type JobQuery, type JobRequest, jobSchema, type RuntimeJob } from "../contract/job.ts";
import { type Program, type ProgramAscii, programAsciiSchema, programsSchema } from "../contract/program.ts";
import { type NoQuote, type Quote, quoteSchema } from "../contract/quote.ts";
import { type RawResult, rawResultsSchema } from "../contract/result.ts";
import {
  type JobCancelled,
  type JobDeleted,
  type JobsDeleted,
  type JobsSummary,
  jobCancelledSchema,
  jobDeletedSchema,
  jobsDeletedSchema,
  jobsStatusesSchema,
  jobsSummarySchema,
} from "../contract/summary.ts";
import { listOperation, type Pages } from "./pages.ts";
import { readerOf } from "./reader.ts";
import { type CallOptions, payload, type Transport } from "./transport.ts";

const job = readerOf(jobSchema);
const result = readerOf(rawResultsSchema);
const programs = readerOf(programsSchema);
const ascii = readerOf(programAsciiSchema);
const quote = readerOf(quoteSchema);
const summary = readerOf(jobsSummarySchema);
const statuses = readerOf(jobsStatusesSchema);
const cancelled = readerOf(jobCancelledSchema);
const deleted = readerOf(jobDeletedSchema);
const severalDeleted = readerOf(jobsDeletedSchema);

/** The job operations of the service. */
export interface JobsClient {
  /** Submits a job. */
  create(request: JobRequest, options?: CallOptions): Promise<RuntimeJob>;
  get(qrn: string, options?: CallOptions): Promise<RuntimeJob>;
  /** Lists jobs, newest first. */
  list(query?: JobQuery, options?: CallOptions): Pages<RuntimeJob>;
  /** One result as the service wrote it, or one a program of a batch, in order; `Result.from` reads it. */
  result(qrn: string, options?: CallOptions): Promise<RawResult | unknown[]>;
  /** The program as it was submitted, or the programs of a batch. */
  program(qrn: string, options?: CallOptions): Promise<Program | Program[]>;
  /** The program as the device ran it, or the programs of a batch. */
  compiledProgram(qrn: string, options?: CallOptions): Promise<Program | Program[]>;
  /** The circuits of the job, drawn in plain text. */
  ascii(qrn: string, options?: CallOptions): Promise<ProgramAscii>;
  /** Asks the job to stop; it stops a moment later. */
  cancel(qrn: string, options?: CallOptions): Promise<JobCancelled>;
  /** Takes the job out of every list. A job that runs goes on, and is charged. */
  delete(qrn: string, options?: CallOptions): Promise<JobDeleted>;
  deleteMany(qrns: readonly string[], options?: CallOptions): Promise<JobsDeleted>;
  /** What a job would cost. */
  quote(request: { deviceQrn: string; shots?: number }, options?: CallOptions): Promise<Quote | NoQuote>;
  /** Counts, totals and averages over all jobs. */
  summary(options?: CallOptions): Promise<JobsSummary>;
  /** Status to number of jobs. */
  statuses(options?: CallOptions): Promise<{ [status: string]: number }>;
}

/** Opens the job operations over a transport. */
export function jobsClient(send: Transport): JobsClient {
  const ask = payload(send);
  const at = (qrn: string, rest = "") => `/jobs/${encodeURIComponent(qrn)}${rest}`;
  return {
    create: (body, options) => ask("POST", "/jobs", job, { body, ...options }),
    get: (qrn, options) => ask("GET", at(qrn), job, options),
    list: listOperation(send, "/jobs", job),
    result: (qrn, options) => ask("GET", at(qrn, "/result"), result, options),
    program: (qrn, options) => ask("GET", at(qrn, "/program"), programs, options),
    compiledProgram: (qrn, options) => ask("GET", at(qrn, "/compiled-program"), programs, options),
    ascii: (qrn, options) => ask("GET", at(qrn, "/program/ascii"), ascii, options),
    cancel: (qrn, options) => ask("POST", at(qrn, "/cancel"), cancelled, { repeatable: true, ...options }),
    delete: (qrn, options) => ask("DELETE", at(qrn), deleted, options),
    deleteMany: (qrns, options) => ask("DELETE", "/jobs", severalDeleted, { query: { qrns }, ...options }),
    quote: (query, options) => ask("GET", "/jobs/cost-estimate", quote, { query, ...options }),
    summary: options => ask("GET", "/jobs/summary", summary, options),
    statuses: options => ask("GET", "/jobs/statuses", statuses, options),
  };
}
