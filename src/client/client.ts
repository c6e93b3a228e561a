import { type AccountClient, accountClient } from "./account.ts";
import { type DevicesClient, devicesClient } from "./devices.ts";
import { type GroupsClient, groupsClient } from "./groups.ts";
import { type JobsClient, jobsClient } from "./jobs.ts";
import { type EndpointSource, openTransport } from "./transport.ts";
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

export interface ClientOptions {
  timeout?: number;
}

/** Opens a client of the service that the source finds. Nothing is looked for or sent before the first call. */
export function openClient(source: EndpointSource, _options: ClientOptions = {}): Client {
  const send = openTransport(source);
  const jobs = jobsClient(send);
  return {
    jobs,
    groups: groupsClient(send),
    devices: devicesClient(send),
    account: accountClient(send),
    watch: jobWatcher(jobs),
  };
}
