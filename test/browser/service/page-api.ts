import type { RequestRecord, ResponseRecord, ServiceStatus } from "../../../src/browser/service/protocol.ts";

/** What a test asks of a page that has the service and nothing else. */
export interface ServicePage {
  open(): Promise<{ url: string; status: ServiceStatus }>;
  /** Exports all that the service keeps, in base64. */
  export(): Promise<string>;
  /** Replaces all that the service keeps by an archive, in base64. Returns the number of its jobs, or why there are none. */
  import(archive: string): Promise<number | string>;
  /** Sends a request, and returns its status and its JSON. */
  send(method: string, path: string, options?: { body?: unknown; key?: string }): Promise<Answer>;
  /** Sends a request as it is; the bodies are in base64. */
  forward(request: InBase64<RequestRecord>): Promise<InBase64<ResponseRecord>>;
  /** Submits a job, waits until it has ended, and returns its record. */
  run(body: unknown, key?: string): Promise<Answer["body"]>;
}

/** A record whose body is in base64. */
export type InBase64<Record> = Omit<Record, "body"> & { body: string };

/** An answer of the service. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what the service answers, which tests look at
  body: any;
}
