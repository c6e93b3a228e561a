import {
  openService,
  type PageService,
  startServiceThread,
} from "../../../../src/browser/service/connect.ts";
import type { ServicePage } from "../page-api.ts";

const script = new URL(location.search ? "without-files.js" : "service.js", location.href);
const thread = startServiceThread(script);
let opened: Promise<PageService> | undefined;
const open = () => (opened ??= openService(thread.connect()));

const toBase64 = (bytes: ArrayBuffer) =>
  btoa(Array.from(new Uint8Array(bytes), byte => String.fromCharCode(byte)).join(""));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), each => each.charCodeAt(0));

const exported: ServicePage["export"] = async () =>
  toBase64(await (await (await open()).exportArchive()).arrayBuffer());

const imported: ServicePage["import"] = async archive => {
  const service = await open();
  return service.importArchive(new Blob([fromBase64(archive)])).catch((error: Error) => error.message);
};

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

const forward: ServicePage["forward"] = async ({ url, method, headers, body }) => {
  const request = new Request(url, { method, headers, ...(body && { body: fromBase64(body) }) });
  const response = await (await open()).send(request);
  const { status } = response;
  return { status, headers: [...response.headers], body: toBase64(await response.arrayBuffer()) };
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

Object.assign(globalThis, {
  ketbook: { open, export: exported, import: imported, send, forward, run } satisfies ServicePage,
});
