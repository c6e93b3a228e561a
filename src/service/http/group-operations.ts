import { jobGroupSchema } from "../../contract/group.ts";
import { jobSchema } from "../../contract/job.ts";
import { groupRequestSchema } from "../../contract/request.ts";
import type { Context } from "../context.ts";
import {
  cancelGroup,
  closeGroup,
  createGroup,
  getGroup,
  listGroupJobs,
  listGroups,
} from "../groups/groups.ts";
import { type Operation, operation, paginated, withTag } from "./operation.ts";
import { groupsQuery } from "./queries.ts";

/** The operations on job groups. */
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
