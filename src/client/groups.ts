import {
  type JobGroup,
  type JobGroupQuery,
  type JobGroupRequest,
  LIMITS,
  type RuntimeJob,
} from "../contract/index.ts";
import type { CallOptions } from "./options.ts";
import { findSubmitted, listOperation, type Pages } from "./pages.ts";
import { listReader, type Rows, readGroup, readJob } from "./records.ts";
import { dataFetcher, type Transport } from "./transport.ts";

const readJobs = listReader(readJob);

/** The group operations of the service. */
export interface GroupsClient {
  /**
   * Creates a group, once, like `jobs.create`.
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

export function groupsClient(send: Transport): GroupsClient {
  const fetchData = dataFetcher(send);
  const at = (qrn: string) => `/jobs/group/${encodeURIComponent(qrn)}` as const;
  const groups: GroupsClient = {
    create: (body = {}, options) =>
      fetchData("POST /jobs/group", readGroup, options, {
        body,
        submits: true,
        recover: ({ idempotencyKey, options }) =>
          findSubmitted(groups.list({ limit: LIMITS.maxPageSize }, options), idempotencyKey),
      }),
    list: listOperation(send, "/jobs/group", readGroup, ({ groupJobQrn }) => groupJobQrn),
    get: (qrn, options) => fetchData(`GET ${at(qrn)}`, readGroup, options),
    jobs: (qrn, options) => fetchData(`GET ${at(qrn)}/jobs`, readJobs, options),
    close: (qrn, options) => fetchData(`POST ${at(qrn)}/close`, readGroup, options),
    cancel: (qrn, options) =>
      fetchData(`POST ${at(qrn)}/cancel`, readGroup, options, {
        async recover({ refusal, options }) {
          if (refusal && refusal.status !== 409) return undefined;
          const group = await groups.get(qrn, options);
          return group.status === "CANCELLED" ? group : undefined;
        },
      }),
  };
  return groups;
}
