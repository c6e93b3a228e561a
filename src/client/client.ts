import { type DevicesClient, devicesClient } from "./devices.ts";
import { type JobsClient, jobsClient } from "./jobs.ts";
import { type EndpointSource, openTransport } from "./transport.ts";

/** A typed client of one service: one member a resource. */
export interface Client {
  readonly jobs: JobsClient;
  readonly devices: DevicesClient;
}

/** Opens a client of the service that the source finds. Nothing is looked for or sent before the first call. */
export function openClient(source: EndpointSource): Client {
  const send = openTransport(source);
  return { jobs: jobsClient(send), devices: devicesClient(send) };
}
