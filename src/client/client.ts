import { type AccountClient, accountClient } from "./account.ts";
import { type DevicesClient, devicesClient } from "./devices.ts";
import { type GroupsClient, groupsClient } from "./groups.ts";
import { type JobsClient, jobsClient } from "./jobs.ts";
import type { ClientOptions, Endpoint, EndpointSource } from "./options.ts";
import { systemTiming, type Timing } from "./timing.ts";
import { openTransport } from "./transport.ts";
import { jobWatcher, type Watch } from "./watch.ts";

/** A typed client of one service: one member a resource. */
export interface Client {
  readonly jobs: JobsClient;
  readonly groups: GroupsClient;
  readonly devices: DevicesClient;
  readonly account: AccountClient;
  /** Watches a job until it has ended; one watcher serves all jobs that are waited for. */
  readonly watch: Watch;
}

/**
 * Opens a client of a service, or of the one that a source finds. Nothing is looked for or sent before the first call.
 *
 * @example
 * ```ts
 * const client = openClient({ url: "https://quantum.example.org/api/v1", apiKey }, { maxRetries: 2 });
 * const job = await client.jobs.create({ deviceQrn, shots: 1000, program: { format: "qasm3", data: bell } });
 * await client.watch(job);
 * const result = await fetchResult(client.jobs, job.jobQrn);
 * ```
 */
export function openClient(source: Endpoint | EndpointSource, options?: ClientOptions): Client;
/** @internal */
export function openClient(
  source: Endpoint | EndpointSource,
  options: ClientOptions | undefined,
  timing: Timing,
): Client;
export function openClient(
  source: Endpoint | EndpointSource,
  options: ClientOptions = {},
  timing: Timing = systemTiming,
): Client {
  const send = openTransport(typeof source === "function" ? source : async () => source, options, timing);
  const jobs = jobsClient(send);
  return {
    jobs,
    groups: groupsClient(send),
    devices: devicesClient(send),
    account: accountClient(send),
    watch: jobWatcher(jobs, timing),
  };
}
