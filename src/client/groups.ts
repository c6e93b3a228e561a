import { z } from "zod";
import {
  type JobGroup,
  type JobGroupQuery,
  type JobGroupRequest,
  jobGroupSchema,
} from "../contract/group.ts";
import { jobSchema, type RuntimeJob } from "../contract/job.ts";
import { listOperation, type Pages } from "./pages.ts";
import { readerOf } from "./reader.ts";
import { type CallOptions, payload, type Transport } from "./transport.ts";

const group = readerOf(jobGroupSchema);
const jobs = readerOf(z.array(jobSchema));

/** The group operations of the service. */
export interface GroupsClient {
  create(request?: JobGroupRequest, options?: CallOptions): Promise<JobGroup>;
  /** Lists groups, newest first. */
  list(query?: JobGroupQuery, options?: CallOptions): Pages<JobGroup>;
  get(qrn: string, options?: CallOptions): Promise<JobGroup>;
  jobs(qrn: string, options?: CallOptions): Promise<RuntimeJob[]>;
  /** Lets no more jobs in; those that are in go on. */
  close(qrn: string, options?: CallOptions): Promise<JobGroup>;
  /** Cancels the group and every job in it that has not ended. */
  cancel(qrn: string, options?: CallOptions): Promise<JobGroup>;
}

/** Opens the group operations over a transport. */
export function groupsClient(send: Transport): GroupsClient {
  const ask = payload(send);
  const at = (qrn: string, rest = "") => `/jobs/group/${encodeURIComponent(qrn)}${rest}`;
  return {
    create: (body = {}, options) => ask("POST", "/jobs/group", group, { body, ...options }),
    list: listOperation(send, "/jobs/group", group),
    get: (qrn, options) => ask("GET", at(qrn), group, options),
    jobs: (qrn, options) => ask("GET", at(qrn, "/jobs"), jobs, options),
    close: (qrn, options) => ask("POST", at(qrn, "/close"), group, options),
    cancel: (qrn, options) => ask("POST", at(qrn, "/cancel"), group, options),
  };
}
