import {
  groupRequestSchema,
  jobCancelledSchema,
  jobDeletedSchema,
  jobGroupSchema,
  jobRequestSchema,
  jobSchema,
  jobsDeletedSchema,
  jobsStatusesSchema,
  jobsSummarySchema,
  programAsciiSchema,
  programsSchema,
  quoteSchema,
  resultsSchema,
} from "../../contract/schemas/index.ts";
import { limitSeconds } from "../accounts/caller.ts";
import { estimate, toQuote } from "../billing/price.ts";
import type { Context } from "../context.ts";
import { quotableDevice } from "../devices.ts";
import {
  cancelGroup,
  closeGroup,
  createGroup,
  getGroup,
  listGroupJobs,
  listGroups,
} from "../groups/groups.ts";
import { awaitChange, cancelJob, deleteJob, deleteJobs } from "../jobs/lifecycle.ts";
import { countStatuses, listJobs, summarize } from "../jobs/list.ts";
import { showJob } from "../jobs/record.ts";
import { readProgram, readResult } from "../jobs/results.ts";
import type { Printer } from "../pool.ts";
import { compiledProgram, drawPrograms } from "../programs.ts";
import { createJob } from "../submission/create.ts";
import { type Operation, operation, paginated, withTag } from "./operation.ts";
import { deleteQuery, groupsQuery, jobsQuery, prefersPacked, quoteQuery, readWait } from "./queries.ts";

const BELL = {
  format: "qasm3",
  data: 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;',
};

const simulatorOf = ({ catalogue }: Context) =>
  Array.from(catalogue.values()).find(
    ({ deviceType, status }) => deviceType === "SIMULATOR" && status === "ONLINE",
  )?.qrn;

export function jobOperations(context: Context, printer: Printer): Operation[] {
  const { store } = context;
  return withTag("Jobs", [
    operation({
      id: "createJob",
      method: "post",
      path: "/jobs",
      summary: "Submits one program or a batch of 1 to 2000.",
      body: jobRequestSchema,
      example: { deviceQrn: simulatorOf(context), shots: 100, program: BELL },
      status: 201,
      data: jobSchema,
      errors: [
        "INSUFFICIENT_CREDITS",
        "DEVICE_FORBIDDEN",
        "NOT_FOUND",
        "DEVICE_NOT_AVAILABLE",
        "GROUP_NOT_OPEN",
        "DEVICE_RETIRED",
        "QUOTA_EXCEEDED",
      ],
      acceptsIdempotencyKey: true,
      handle: ({ caller, body, header, requestId }) =>
        createJob(context, caller, body, { idempotencyKey: header("idempotency-key"), requestId }),
    }),
    paginated({
      id: "listJobs",
      path: "/jobs",
      summary: "Lists the caller's jobs, newest first.",
      query: jobsQuery(context),
      row: jobSchema,
      handle: ({ caller, query }) => listJobs(context, caller, query),
    }),
    operation({
      id: "deleteMultipleJobs",
      method: "delete",
      path: "/jobs",
      summary: "Deletes several jobs and reports the outcome of each.",
      query: deleteQuery,
      data: jobsDeletedSchema,
      handle: ({ caller, query }) => deleteJobs(context, caller, query.qrns),
    }),
    operation({
      id: "getJobsSummary",
      path: "/jobs/summary",
      summary: "Summarizes the caller's jobs: counts, costs and shots.",
      data: jobsSummarySchema,
      handle: ({ caller }) => summarize(store, caller),
    }),
    operation({
      id: "getJobsStatuses",
      path: "/jobs/statuses",
      summary: "Counts the caller's jobs by status.",
      data: jobsStatusesSchema,
      handle: ({ caller }) => countStatuses(store, caller),
    }),
    operation({
      id: "getJobCostEstimate",
      path: "/jobs/cost-estimate",
      summary: "Quotes the cost of a job or batch.",
      query: quoteQuery,
      data: quoteSchema,
      errors: ["DEVICE_FORBIDDEN", "NOT_FOUND", "DEVICE_RETIRED"],
      handle: async ({ caller, query: { deviceQrn, ...query } }) => {
        const device = quotableDevice(context, caller, deviceQrn);
        const isLimited = device.deviceType === "SIMULATOR";
        const seconds = isLimited ? limitSeconds(caller.tier, query.seconds) : query.seconds;
        const run = { ...query, seconds };
        return toQuote(device, run, await estimate(store, device, run));
      },
    }),
    operation({
      id: "getJob",
      path: "/jobs/{job_qrn}",
      summary: "Gets a job.",
      data: jobSchema,
      acceptsWait: true,
      handle: async ({ caller, params, header }) => {
        const wait = readWait(header("prefer"));
        return showJob(context, await awaitChange(context, caller, params.job_qrn, wait));
      },
    }),
    operation({
      id: "deleteJob",
      method: "delete",
      path: "/jobs/{job_qrn}",
      summary: "Deletes a job. A running job continues and is charged.",
      data: jobDeletedSchema,
      handle: ({ caller, params }) => deleteJob(context, caller, params.job_qrn),
    }),
    operation({
      id: "cancelJob",
      method: "post",
      path: "/jobs/{job_qrn}/cancel",
      summary: "Requests cancellation of a job, which follows soon after.",
      status: 202,
      data: jobCancelledSchema,
      errors: ["JOB_CANCEL_CONFLICT"],
      handle: ({ caller, params }) => cancelJob(context, caller, params.job_qrn),
    }),
    operation({
      id: "getJobResult",
      path: "/jobs/{job_qrn}/result",
      summary: "Gets the result of a job, or a list with one result per program of a batch.",
      data: resultsSchema,
      errors: ["RESULT_NOT_FOUND"],
      handle: ({ caller, params, header }) =>
        readResult(store, caller, params.job_qrn, { packed: prefersPacked(header("prefer")) }),
    }),
    operation({
      id: "getJobProgram",
      path: "/jobs/{job_qrn}/program",
      summary: "Gets the submitted program or programs.",
      data: programsSchema,
      handle: ({ caller, params }) => readProgram(store, caller, params.job_qrn),
    }),
    operation({
      id: "getJobCompiledProgram",
      path: "/jobs/{job_qrn}/compiled-program",
      summary: "Gets the program compiled for the device.",
      data: programsSchema,
      handle: ({ caller, params }) => compiledProgram(context, printer, caller, params.job_qrn),
    }),
    operation({
      id: "getJobProgramAscii",
      path: "/jobs/{job_qrn}/program/ascii",
      summary: "Draws the circuits of a job as plain text.",
      data: programAsciiSchema,
      errors: ["PROGRAM_FORMAT_UNSUPPORTED"],
      handle: ({ caller, params }) => drawPrograms(store, printer, caller, params.job_qrn),
    }),
  ]);
}

export function groupOperations(context: Context): Operation[] {
  return withTag("Job groups", [
    operation({
      id: "createJobGroup",
      method: "post",
      path: "/jobs/group",
      summary: "Creates a group of jobs.",
      body: groupRequestSchema,
      bodyOptional: true,
      example: { name: "sweep", tags: { course: 7 }, maxTTL: 3600 },
      invalidStatus: 422,
      status: 201,
      data: jobGroupSchema,
      acceptsIdempotencyKey: true,
      errors: ["QUOTA_EXCEEDED"],
      handle: ({ caller, body, header }) => createGroup(context, caller, body, header("idempotency-key")),
    }),
    paginated({
      id: "listJobGroups",
      path: "/jobs/group",
      summary: "Lists the caller's groups, newest first.",
      query: groupsQuery,
      row: jobGroupSchema,
      handle: ({ caller, query }) => listGroups(context, caller, query),
    }),
    operation({
      id: "getJobGroup",
      path: "/jobs/group/{group_qrn}",
      summary: "Gets a group. If its jobs have all ended, it gets its final status first.",
      data: jobGroupSchema,
      handle: ({ caller, params }) => getGroup(context, caller, params.group_qrn),
    }),
    operation({
      id: "getJobGroupJobs",
      path: "/jobs/group/{group_qrn}/jobs",
      summary: "Lists all jobs of a group, newest first.",
      data: jobSchema.array(),
      handle: ({ caller, params }) => listGroupJobs(context, caller, params.group_qrn),
    }),
    operation({
      id: "closeJobGroup",
      method: "post",
      path: "/jobs/group/{group_qrn}/close",
      summary: "Closes a group: it accepts no more jobs, and its jobs continue.",
      data: jobGroupSchema,
      errors: ["GROUP_TERMINAL"],
      handle: ({ caller, params }) => closeGroup(context, caller, params.group_qrn),
    }),
    operation({
      id: "cancelJobGroup",
      method: "post",
      path: "/jobs/group/{group_qrn}/cancel",
      summary: "Cancels a group and its unfinished jobs.",
      data: jobGroupSchema,
      errors: ["GROUP_TERMINAL"],
      handle: ({ caller, params }) => cancelGroup(context, caller, params.group_qrn),
    }),
  ]);
}
