import {
  type JobCancelled,
  type JobDeleted,
  type JobQuery,
  type JobRequest,
  type JobsDeleted,
  type JobsSummary,
  type JsonSchema,
  LIMITS,
  type NoQuote,
  PREFERS_PACKED,
  type ProgramAscii,
  type Quote,
  type QuoteRequest,
  type RawResult,
  type Reader,
  type RecordedProgram,
  RUN_TAG,
  type RuntimeJob,
  recordReader,
  SCHEMAS,
  unpackCounts,
  unpackMeasurements,
} from "../contract/index.ts";
import { NotFoundError } from "./errors/index.ts";
import type { CallOptions } from "./options.ts";
import { findSubmitted, listOperation, type Pages } from "./pages.ts";
import {
  listReader,
  quoteReader,
  type RecordedPrograms,
  type Rows,
  readJob,
  readPrograms,
} from "./records.ts";
import { dataFetcher, type Transport } from "./transport.ts";

const readRecord = recordReader<RawResult>(SCHEMAS.RuntimeResult, {
  defaults: { status: null },
  unread: ["resultData"],
});
/** Reads a result, its counts and its memory unpacked; what can't be is left as it is. */
const readResult: typeof readRecord = (value, ...rest) => {
  const result = readRecord(value, ...rest);
  const { packedCounts, packedMeasurements, ...data } = Object(result.resultData) as {
    [name: string]: unknown;
  };
  if (packedCounts == null && packedMeasurements == null) return result;
  const measurementCounts = packedCounts == null ? undefined : unpackCounts(packedCounts);
  const memory = packedMeasurements == null ? {} : unpackMeasurements(packedMeasurements);
  if (measurementCounts === null || memory === null) return result;
  return { ...result, resultData: { ...data, ...(measurementCounts && { measurementCounts }), ...memory } };
};
const readResults = listReader(readResult, () => readResult({}));
const readAscii = recordReader<ProgramAscii>(SCHEMAS.ProgramAscii, {
  defaults: { format: "ascii" },
  unread: ["circuits"],
});
const readDrawings = listReader(
  recordReader<ProgramAscii["circuits"][number]>(
    SCHEMAS.ProgramAscii.properties?.circuits?.items as JsonSchema,
    { required: ["ascii"] },
  ),
  index => ({ index, ascii: "" }),
);
/** Reads drawings. Those without a number are numbered by their place. */
const ascii: Reader<ProgramAscii> = value => {
  const drawn = readAscii(value);
  const drawings = readDrawings(drawn.circuits ?? []);
  drawn.circuits = Array.from(drawings, (drawing, place) => ({ ...drawing, index: drawing.index ?? place }));
  return drawn;
};
const summary = recordReader<JobsSummary>(SCHEMAS.JobsSummary);
const statuses = recordReader<{ [status: string]: number }>(SCHEMAS.JobsStatuses);
const readDeleted = recordReader<JobsDeleted>(SCHEMAS.JobsDeleted);
const severalDeleted: Reader<JobsDeleted> = value => {
  const deleted = readDeleted(value);
  for (const qrn of Object.keys(deleted.failedIds))
    deleted.failedIds[qrn] ||= "The service does not say why.";
  return deleted;
};

/** The results of a batch in order. Those that are not objects are empty, and in `unread`. */
export type RawResults = RawResult[] & Pick<Rows<RawResult>, "unread">;

/** The job operations of the service. */
export interface JobsClient {
  /**
   * Submits a job, once: it is repeated only to a service that keeps idempotency keys; elsewhere a job whose answer was
   * lost is looked for by its tag.
   *
   * @throws LostSubmissionError if it is not found, but may exist.
   */
  create(request: JobRequest, options?: CallOptions): Promise<RuntimeJob>;
  /** One job, by its resource name. */
  get(qrn: string, options?: CallOptions): Promise<RuntimeJob>;
  /** Lists jobs, newest first. */
  list(query?: JobQuery, options?: CallOptions): Pages<RuntimeJob>;
  /** One result as the service wrote it, or one a program of a batch, in order; `Result.from` reads it. `fetchResult` also waits until the service has it. */
  result(qrn: string, options?: CallOptions): Promise<RawResult | RawResults>;
  /** The program as it was submitted, or the programs of a batch. */
  program(qrn: string, options?: CallOptions): Promise<RecordedProgram | RecordedPrograms>;
  /** The program as the device ran it, or the programs of a batch. */
  compiledProgram(qrn: string, options?: CallOptions): Promise<RecordedProgram | RecordedPrograms>;
  /** The circuits of the job, drawn in plain text. */
  ascii(qrn: string, options?: CallOptions): Promise<ProgramAscii>;
  /** Asks the job to stop; it stops a moment later. `cancelJob` also waits until the service takes that. */
  cancel(qrn: string, options?: CallOptions): Promise<JobCancelled>;
  /** Deletes the job from every list. A job that runs continues, and is charged. */
  delete(qrn: string, options?: CallOptions): Promise<JobDeleted>;
  /** Deletes several jobs from every list, and says of each what happened. */
  deleteMany(qrns: readonly string[], options?: CallOptions): Promise<JobsDeleted>;
  /** Returns the cost of a job; `programs` of the answer is the number of programs it covers. */
  quote(request: QuoteRequest, options?: CallOptions): Promise<Quote | NoQuote>;
  /** Counts, totals and averages over all jobs. */
  summary(options?: CallOptions): Promise<JobsSummary>;
  /** Status to number of jobs. */
  statuses(options?: CallOptions): Promise<{ [status: string]: number }>;
}

export function jobsClient(send: Transport): JobsClient {
  const fetchData = dataFetcher(send);
  const at = (qrn: string) => `/jobs/${encodeURIComponent(qrn)}` as const;
  const get = <T>(jobQrn: string, rest: string, data: Reader<T>, options?: CallOptions) =>
    fetchData(`GET ${at(jobQrn)}${rest}`, data, options, { jobQrn });

  const client: JobsClient = {
    create: (body, options) =>
      fetchData("POST /jobs", readJob, options, {
        body,
        submits: true,
        recover({ idempotencyKey: run, options }) {
          const tags = { [RUN_TAG]: String(run) };
          return findSubmitted(client.list({ tags, limit: LIMITS.maxPageSize }, options), run);
        },
      }),
    get: (qrn, options) => get(qrn, "", readJob, options),
    list: listOperation(send, "/jobs", readJob, ({ jobQrn }) => jobQrn),
    result: (qrn, options) =>
      get<RawResult | RawResults>(
        qrn,
        "/result",
        value => (Array.isArray(value) ? readResults(value) : readResult(value)),
        { ...options, headers: { prefer: PREFERS_PACKED, ...options?.headers } },
      ),
    program: (qrn, options) => get(qrn, "/program", readPrograms, options),
    compiledProgram: (qrn, options) => get(qrn, "/compiled-program", readPrograms, options),
    ascii: (qrn, options) => get(qrn, "/program/ascii", ascii, options),
    cancel: (qrn, options) =>
      fetchData(`POST ${at(qrn)}/cancel`, readAbout<JobCancelled>(SCHEMAS.JobCancelled, qrn), options, {
        jobQrn: qrn,
        async recover({ refusal, options }) {
          if (refusal && refusal.status !== 409) return undefined;
          const { status } = await client.get(qrn, options);
          const isCancelled = status === "CANCELLING" || status === "CANCELLED";
          return isCancelled ? { message: "The job is cancelled.", jobQrn: qrn, status } : undefined;
        },
      }),
    delete: (qrn, options) =>
      fetchData(`DELETE ${at(qrn)}`, readAbout<JobDeleted>(SCHEMAS.JobDeleted, qrn), options, {
        jobQrn: qrn,
        recover: async ({ refusal }) =>
          refusal?.status === 404
            ? { message: "The job is deleted.", jobQrn: qrn, deletedAt: null, stillRunning: null }
            : undefined,
      }),
    deleteMany: (qrns, options) =>
      fetchData("DELETE /jobs", severalDeleted, options, {
        query: { qrns },
        async reconcile(deleted) {
          const failed = Object.entries(deleted.failedIds);
          const areGone = await Promise.all(
            failed.map(([qrn]) => isGone(client.get(qrn, { signal: options?.signal }))),
          );
          return {
            ...deleted,
            successfulIds: [
              ...deleted.successfulIds,
              ...failed.flatMap(([qrn], at) => (areGone[at] ? qrn : [])),
            ],
            failedIds: Object.fromEntries(failed.filter((_, at) => !areGone[at])),
          };
        },
      }),
    quote: (request, options) => {
      const { programs, ...query } = request;
      if (programs !== undefined && programs > 1) Object.assign(query, { programs });
      return fetchData("GET /jobs/cost-estimate", quoteReader(request), options, { query });
    },
    summary: options => fetchData("GET /jobs/summary", summary, options),
    statuses: options => fetchData("GET /jobs/statuses", statuses, options),
  };
  return client;
}

const isGone = (lookup: Promise<unknown>) =>
  lookup.then(
    () => false,
    error => error instanceof NotFoundError,
  );

/** Makes the reader of an answer about a job, which need not repeat the job's name. */
function readAbout<T extends { jobQrn: string }>(schema: JsonSchema, jobQrn: string): Reader<T> {
  const read = recordReader<T>(schema);
  return value => {
    const record = read(value ?? {});
    record.jobQrn ||= jobQrn;
    return record;
  };
}
