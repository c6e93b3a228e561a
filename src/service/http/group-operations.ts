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
import { listing, type Operation, operation } from "./operation.ts";
import { groupsQuery } from "./queries.ts";

const tag = "Job groups";

/** The operations on job groups. */
export function groupOperations(context: Context): Operation[] {
  return [
    operation({
      id: "createJobGroup",
      method: "post",
      path: "/jobs/group",
      tag,
      summary: "Makes a group, which jobs can be submitted into.",
      body: groupRequestSchema,
      bodyOptional: true,
      invalidStatus: 422,
      status: 201,
      data: jobGroupSchema,
      errors: ["PAYLOAD_TOO_LARGE"],
      acceptsIdempotencyKey: true,
      handle: ({ caller, body, header }) => createGroup(context, caller, body, header("idempotency-key")),
    }),
    listing({
      id: "listJobGroups",
      method: "get",
      path: "/jobs/group",
      tag,
      summary: "Lists the caller's groups, newest first.",
      query: groupsQuery,
      row: jobGroupSchema,
      errors: ["VALIDATION_ERROR"],
      handle: ({ caller, query }) => listGroups(context, caller, query),
    }),
    operation({
      id: "getJobGroup",
      method: "get",
      path: "/jobs/group/{group_qrn}",
      tag,
      summary: "Gets a group; one whose jobs have all ended is resolved before.",
      data: jobGroupSchema,
      errors: ["NOT_FOUND"],
      handle: ({ caller, params }) => getGroup(context, caller, params.group_qrn ?? ""),
    }),
    operation({
      id: "getJobGroupJobs",
      method: "get",
      path: "/jobs/group/{group_qrn}/jobs",
      tag,
      summary: "Lists all jobs of a group, newest first.",
      data: jobSchema.array(),
      errors: ["NOT_FOUND"],
      handle: ({ caller, params }) => listGroupJobs(context, caller, params.group_qrn ?? ""),
    }),
    operation({
      id: "closeJobGroup",
      method: "post",
      path: "/jobs/group/{group_qrn}/close",
      tag,
      summary: "Closes a group: it takes no more jobs, and those it has go on.",
      data: jobGroupSchema,
      errors: ["NOT_FOUND", "GROUP_TERMINAL"],
      handle: ({ caller, params }) => closeGroup(context, caller, params.group_qrn ?? ""),
    }),
    operation({
      id: "cancelJobGroup",
      method: "post",
      path: "/jobs/group/{group_qrn}/cancel",
      tag,
      summary: "Cancels a group, and every job in it that has not ended.",
      data: jobGroupSchema,
      errors: ["NOT_FOUND", "GROUP_TERMINAL"],
      handle: ({ caller, params }) => cancelGroup(context, caller, params.group_qrn ?? ""),
    }),
  ];
}
