import { jobSchema } from "../../contract/job.ts";
import { programAsciiSchema, programsSchema } from "../../contract/program.ts";
import { quoteSchema } from "../../contract/quote.ts";
import { jobRequestSchema } from "../../contract/request.ts";
import { resultsSchema } from "../../contract/result.ts";
import {
  jobCancelledSchema,
  jobDeletedSchema,
  jobsDeletedSchema,
  jobsStatusesSchema,
  jobsSummarySchema,
} from "../../contract/summary.ts";
import { estimate, toQuote } from "../billing/quote.ts";
import type { Context } from "../context.ts";
import { quotableDevice } from "../devices/usable.ts";
import { cancelJob } from "../jobs/cancel.ts";
import { deleteJob, deleteJobs } from "../jobs/delete.ts";
import { findJob } from "../jobs/find.ts";
import { listJobs } from "../jobs/list.ts";
import { readProgram } from "../jobs/programs.ts";
import { toJob } from "../jobs/record.ts";
import { readResult } from "../jobs/results.ts";
import { countStatuses, summarize } from "../jobs/summary.ts";
import { drawPrograms } from "../programs/ascii.ts";
import { compiledProgram } from "../programs/compiled.ts";
import { queuePosition } from "../queue/waiting.ts";
import { createJob } from "../submission/create.ts";
import type { Printer } from "../workers/printer.ts";
import { listing, type Operation, operation } from "./operation.ts";
import { deleteQuery, jobsQuery, quoteQuery } from "./queries.ts";

const tag = "Jobs";

/** The operations on jobs. */
export function jobOperations(context: Context, printer: Printer): Operation[] {
  const { store } = context;
  return [
    operation({
      id: "createJob",
      method: "post",
      path: "/jobs",
      tag,
      summary: "Submits one program, or a batch of 1 to 2000.",
      body: jobRequestSchema,
      status: 201,
      data: jobSchema,
      errors: [
        "VALIDATION_ERROR",
        "INSUFFICIENT_CREDITS",
        "DEVICE_FORBIDDEN",
        "NOT_FOUND",
        "DEVICE_NOT_AVAILABLE",
        "GROUP_NOT_OPEN",
        "DEVICE_RETIRED",
        "PAYLOAD_TOO_LARGE",
        "QUOTA_EXCEEDED",
      ],
      acceptsIdempotencyKey: true,
      handle: ({ caller, body, header }) => createJob(context, caller, body, header("idempotency-key")),
    }),
    listing({
      id: "listJobs",
      method: "get",
      path: "/jobs",
      tag,
      summary: "Lists the caller's jobs, newest first.",
      query: jobsQuery,
      row: jobSchema,
      errors: ["VALIDATION_ERROR"],
      handle: ({ caller, query }) => listJobs(context, caller, query),
    }),
    operation({
      id: "deleteMultipleJobs",
      method: "delete",
      path: "/jobs",
      tag,
      summary: "Deletes several jobs, and says of each what happened.",
      query: deleteQuery,
      data: jobsDeletedSchema,
      errors: ["VALIDATION_ERROR"],
      handle: ({ caller, query }) => deleteJobs(context, caller, query.qrns),
    }),
    operation({
      id: "getJobsSummary",
      method: "get",
      path: "/jobs/summary",
      tag,
      summary: "Figures over all jobs of the caller.",
      data: jobsSummarySchema,
      handle: ({ caller }) => summarize(store, caller),
    }),
    operation({
      id: "getJobsStatuses",
      method: "get",
      path: "/jobs/statuses",
      tag,
      summary: "How many of the caller's jobs are in each status.",
      data: jobsStatusesSchema,
      handle: ({ caller }) => countStatuses(store, caller),
    }),
    operation({
      id: "getJobCostEstimate",
      method: "get",
      path: "/jobs/cost-estimate",
      tag,
      summary: "Quotes what a job of one program, or a whole batch, would cost.",
      query: quoteQuery,
      data: quoteSchema,
      errors: ["VALIDATION_ERROR", "DEVICE_FORBIDDEN", "NOT_FOUND", "DEVICE_RETIRED"],
      handle: async ({ caller, query: { deviceQrn, ...run } }) => {
        const device = quotableDevice(context, caller, deviceQrn);
        return toQuote(device, run, await estimate(store, device, run));
      },
    }),
    operation({
      id: "getJob",
      method: "get",
      path: "/jobs/{job_qrn}",
      tag,
      summary: "Gets a job.",
      data: jobSchema,
      errors: ["NOT_FOUND"],
      handle: async ({ caller, params }) => {
        const row = await findJob(store, caller, params.job_qrn ?? "");
        return toJob(row, queuePosition(context, row));
      },
    }),
    operation({
      id: "deleteJob",
      method: "delete",
      path: "/jobs/{job_qrn}",
      tag,
      summary: "Deletes a job; if it runs, it goes on, and is charged.",
      data: jobDeletedSchema,
      errors: ["NOT_FOUND"],
      handle: ({ caller, params }) => deleteJob(context, caller, params.job_qrn ?? ""),
    }),
    operation({
      id: "cancelJob",
      method: "post",
      path: "/jobs/{job_qrn}/cancel",
      tag,
      summary: "Asks for a job to be cancelled, which happens soon after.",
      status: 202,
      data: jobCancelledSchema,
      errors: ["NOT_FOUND", "JOB_CANCEL_CONFLICT"],
      handle: ({ caller, params }) => cancelJob(context, caller, params.job_qrn ?? ""),
    }),
    operation({
      id: "getJobResult",
      method: "get",
      path: "/jobs/{job_qrn}/result",
      tag,
      summary: "Gets the result of a job, or one a program of a batch, in order.",
      data: resultsSchema,
      errors: ["NOT_FOUND", "RESULT_NOT_FOUND"],
      handle: ({ caller, params }) => readResult(store, caller, params.job_qrn ?? ""),
    }),
    operation({
      id: "getJobProgram",
      method: "get",
      path: "/jobs/{job_qrn}/program",
      tag,
      summary: "Gets the submitted program, or programs.",
      data: programsSchema,
      errors: ["NOT_FOUND"],
      handle: ({ caller, params }) => readProgram(store, caller, params.job_qrn ?? ""),
    }),
    operation({
      id: "getJobCompiledProgram",
      method: "get",
      path: "/jobs/{job_qrn}/compiled-program",
      tag,
      summary: "Gets the program as it was compiled for the device.",
      data: programsSchema,
      errors: ["NOT_FOUND"],
      handle: ({ caller, params }) => compiledProgram(store, printer, caller, params.job_qrn ?? ""),
    }),
    operation({
      id: "getJobProgramAscii",
      method: "get",
      path: "/jobs/{job_qrn}/program/ascii",
      tag,
      summary: "Draws the circuits of a job as plain text.",
      data: programAsciiSchema,
      errors: ["NOT_FOUND", "PROGRAM_FORMAT_UNSUPPORTED"],
      handle: ({ caller, params }) => drawPrograms(store, printer, caller, params.job_qrn ?? ""),
    }),
  ];
}
