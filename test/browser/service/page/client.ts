import { openService, type PageService } from "../../../../src/browser/service/connect.ts";
import { startServiceThread } from "../../../../src/browser/service/start-thread.ts";

/** What a test asks of a page that has the service and nothing else. */
export interface ServicePage {
  open(): Promise<PageService>;
  /** Sends a request, and returns its status and its JSON. */
  send(method: string, path: string, options?: { body?: unknown; key?: string }): Promise<Answer>;
  /** Submits a job, waits until it has ended, and returns its record. */
  run(body: unknown, key?: string): Promise<Answer["body"]>;
}

/** An answer of the service. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what the service answers, which tests look at
  body: any;
}

const thread = startServiceThread({ script: new URL("service.js", location.href) });
let opened: Promise<PageService> | undefined;
const open = () => (opened ??= openService(thread.connect()));

const send: ServicePage["send"] = async (method, path, { body, key } = {}) => {
  const service = await open();
  const headers = {
    "x-api-key": service.status.apiKey,
    "content-type": "application/json",
    ...(key ? { "idempotency-key": key } : {}),
  };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await service.send(new Request(service.url + path, init));
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
};

const run: ServicePage["run"] = async (body, key) => {
  const created = await send("POST", "/jobs", { body, ...(key ? { key } : {}) });
  if (created.status !== 201) return created.body;
  const { jobQrn } = created.body.data;
  for (;;) {
    const { data } = (await send("GET", `/jobs/${encodeURIComponent(jobQrn)}`)).body;
    if (["COMPLETED", "FAILED", "CANCELLED"].includes(data.status)) return data;
    await new Promise(resolve => setTimeout(resolve, 2));
  }
};

Object.assign(globalThis, { ketbook: { open, send, run } satisfies ServicePage });
