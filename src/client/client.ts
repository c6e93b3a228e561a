import { type AccountClient, accountClient } from "./account.ts";
import { type DevicesClient, devicesClient } from "./devices.ts";
import { type GroupsClient, groupsClient } from "./groups.ts";
import { type JobsClient, jobsClient } from "./jobs.ts";
import type { ClientOptions, Endpoint, EndpointSource } from "./options.ts";
import { systemTiming, type Timing } from "./timing.ts";
import { openTransport } from "./transport.ts";
import { jobWatcher, type Watch } from "./watch.ts";

/**
 * A typed client of one service: one member a resource, one method an operation.
 *
 * ```ts
 * import { Ketbook } from "ketbook";
 * import { fetchResult } from "ketbook/client";
 * const { client } = new Ketbook({ maxRetries: 2 });
 * const program = { format: "qasm3", data: "OPENQASM 3.0; qubit q; bit c; c = measure q;" };
 * const job = await client.jobs.create({ deviceQrn: "svc:svc:sim:statevector", shots: 100, program });
 * await client.watch(job);
 * const result = await fetchResult(client.jobs, job.jobQrn);
 * ```
 */
export interface Client {
  /** Submitting, following and deleting jobs. */
  readonly jobs: JobsClient;
  /** Making, closing and cancelling groups of jobs. */
  readonly groups: GroupsClient;
  /** Devices and their calibrations. */
  readonly devices: DevicesClient;
  /** Credits, prices and usage. */
  readonly account: AccountClient;
  /** Watches a job until it has ended; one watcher serves all jobs that are waited for. */
  readonly watch: Watch;
}

/** Opens a client of a service, or of the one that a source finds. Nothing is looked for or sent before the first call. */
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
    watch: jobWatcher(jobs, timing, options.timeout),
  };
}
