import {
  type JobGroup,
  type JobGroupQuery,
  type JobGroupRequest,
  LIMITS,
  type RuntimeJob,
} from "../contract/index.ts";
import type { CallOptions } from "./options.ts";
import { findSubmitted, listOperation, type Pages } from "./pages.ts";
import { type Rows, readGroup, readJob, rowsReader } from "./records.ts";
import { dataFetcher, type Transport } from "./transport.ts";

const readJobs = rowsReader(readJob);

/** The group operations of the service. */
export interface GroupsClient {
  /**
   * Makes a group, once, as jobs are submitted.
   *
   * @throws LostSubmissionError if its answer was lost, and it is not found but may exist.
   */
  create(request?: JobGroupRequest, options?: CallOptions): Promise<JobGroup>;
  /** Lists groups, newest first. */
  list(query?: JobGroupQuery, options?: CallOptions): Pages<JobGroup>;
  /** One group, by its resource name. */
  get(qrn: string, options?: CallOptions): Promise<JobGroup>;
  /** The jobs of a group; `unread` holds those that could not be read. */
  jobs(qrn: string, options?: CallOptions): Promise<RuntimeJob[] & Pick<Rows<RuntimeJob>, "unread">>;
  /** Closes the group to further jobs; those in it continue. */
  close(qrn: string, options?: CallOptions): Promise<JobGroup>;
  /** Cancels the group and every job in it that has not ended. */
  cancel(qrn: string, options?: CallOptions): Promise<JobGroup>;
}

/** Opens the group operations over a transport. */
export function groupsClient(send: Transport): GroupsClient {
  const fetchData = dataFetcher(send);
  const at = (qrn: string, rest = "") => `/jobs/group/${encodeURIComponent(qrn)}${rest}`;
  const groups: GroupsClient = {
    create: (body = {}, options) =>
      fetchData(
        {
          method: "POST",
          path: "/jobs/group",
          data: readGroup,
          body,
          submits: true,
          recover: ({ idempotencyKey, options }) =>
            findSubmitted(groups.list({ limit: LIMITS.maxPageSize }, options), idempotencyKey),
        },
        options,
      ),
    list: listOperation(send, "/jobs/group", readGroup, ({ groupJobQrn }) => groupJobQrn),
    get: (qrn, options) => fetchData({ method: "GET", path: at(qrn), data: readGroup }, options),
    async jobs(qrn, options) {
      const { rows, unread } = await fetchData(
        { method: "GET", path: at(qrn, "/jobs"), data: readJobs },
        options,
      );
      return Object.assign(rows, { unread });
    },
    close: (qrn, options) => fetchData({ method: "POST", path: at(qrn, "/close"), data: readGroup }, options),
    cancel: (qrn, options) =>
      fetchData(
        {
          method: "POST",
          path: at(qrn, "/cancel"),
          data: readGroup,
          async recover({ refusal, options }) {
            if (refusal && refusal.status !== 409) return undefined;
            const group = await groups.get(qrn, options);
            return group.status === "CANCELLED" ? group : undefined;
          },
        },
        options,
      ),
  };
  return groups;
}
