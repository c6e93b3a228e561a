import { expect, test } from "vitest";
import { openClient } from "../../src/client/client.ts";
import {
  type ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InsufficientCreditsError,
  LimitError,
  NotFoundError,
  PermissionError,
  ServiceError,
  TimeoutError,
  ValidationError,
} from "../../src/client/errors/index.ts";
import type { EndpointSource } from "../../src/client/options.ts";
import { systemTiming } from "../../src/client/timing.ts";
import { answering, fastTiming, listening, timesFaster } from "./answering.ts";

const job = {
  jobQrn: "q",
  deviceQrn: "svc:svc:sim:statevector",
  status: "QUEUED",
  experimentType: "gate_model",
  shots: 1,
};
const request = { deviceQrn: job.deviceQrn, shots: 1, program: { format: "qasm3", data: "" } };

test("reads jobs as the hosted service sends them: decimals as text, fields absent, unknown words and fields", async () => {
  const sent = {
    ...job,
    status: "PONDERING",
    shots: "130",
    cost: "0E-33",
    estimatedCost: "1.5",
    moon: "full",
  };
  await using service = await answering(() => ({ body: { success: true, data: sent } }));
  const read = await service.client.jobs.get("q");
  expect(read).toMatchObject({ status: "PONDERING", shots: 130, cost: 0, estimatedCost: 1.5, moon: "full" });
  expect(read).toMatchObject({ name: null, tags: {}, timeStamps: { endedAt: null } });
});

test("reads a device whose `verified` is a word", async () => {
  const device = {
    qrn: "a:b:qpu:c",
    name: "C",
    vendor: "a",
    deviceType: "QPU",
    status: "ONLINE",
    verified: "verified",
  };
  await using service = await answering(() => ({ body: { success: true, data: device } }));
  expect(await service.client.devices.get("a:b:qpu:c")).toMatchObject({ verified: true, numberQubits: null });
});

test("reads a list without pagination", async () => {
  await using service = await answering(() => ({ body: { success: true, data: [job, job] } }));
  const page = await service.client.jobs.list();
  expect(page.rows).toHaveLength(2);
  expect(page.pagination).toMatchObject({ total: 2, hasNext: false });
});

test("reports the bytes of a long response while it comes in", async () => {
  const text = JSON.stringify({ success: true, data: { ...job, name: "é".repeat(2 ** 20) } });
  const length = String(Buffer.byteLength(text));
  await using service = await answering(() => ({ body: text, headers: { "content-length": length } }));
  const heard: [number, number | undefined][] = [];
  const { name } = await service.client.jobs.get("q", { onBytes: (...bytes) => heard.push(bytes) });
  expect(name).toBe("é".repeat(2 ** 20));
  expect(heard.length).toBeGreaterThan(1);
  expect(heard.at(-1)).toEqual([Number(length), Number(length)]);
});

test("sends the key, the path with its parts encoded, and the query", async () => {
  await using service = await answering(({ url, headers }) => ({
    body: { success: true, data: { ...job, name: `${headers["x-api-key"]} ${url}` } },
  }));
  expect((await service.client.jobs.get("a/../b?c")).name).toBe("secret-key /api/v1/jobs/a%2F..%2Fb%3Fc");
});

test.each([
  [401, AuthenticationError],
  [400, ValidationError],
  [422, ValidationError],
  [402, InsufficientCreditsError],
  [403, PermissionError],
  [404, NotFoundError],
  [409, ConflictError],
  [410, ConflictError],
  [500, ServiceError],
])("turns %i into its own error class, with code, details and request id", async (status, type) => {
  const details = [{ path: "shots", message: "must be a whole number" }];
  const body = {
    success: false,
    message: "No.",
    error: { message: "No.", code: "SOME_CODE", details },
    requestId: "r-1",
  };
  await using service = await answering(() => ({ status, body }));
  const error: ApiError = await service.client.jobs.summary().catch(e => e);
  expect(error).toBeInstanceOf(type);
  expect(error).toMatchObject({ name: type.name, status, code: "SOME_CODE", details, requestId: "r-1" });
  expect(error.message).toContain("No.\n  shots: must be a whole number");
  expect(error.message).not.toContain("secret-key");
});

test("takes a refusal that travels under 201 for a refusal", async () => {
  await using service = await answering(() => ({
    status: 201,
    body: { success: false, message: "Not today." },
  }));
  await expect(service.client.jobs.create(request)).rejects.toThrow("Not today.");
});

test.each([
  ["<html>hello</html>", 'not a JSON object, but "<html>hello</html>"'],
  ["", "not a JSON object, but nothing"],
  ['"text"', "not a JSON object"],
  ['{"success":true,"data":{"jobQrn":7}}', "of another shape: jobQrn should be a string, and is a number"],
  ['{"success":true}', "of another shape"],
])("says so when the answer cannot be read: %s", async (body, reason) => {
  await using service = await answering(() => ({ body }));
  const error: ApiError = await service.client.jobs.get("q").catch(e => e);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error.message).toContain(reason);
});

test("waits for Retry-After after a rate limit, and continues", async () => {
  const tooFast = { status: 429, body: { error: { code: "RATE_LIMITED" } }, headers: { "retry-after": "1" } };
  await using service = await answering(
    (_, call) => (call === 1 ? tooFast : { body: { success: true, data: job } }),
    { timing: systemTiming },
  );
  const started = performance.now();
  await service.client.jobs.create(request);
  expect(performance.now() - started).toBeGreaterThan(950);
});

test("does not wait for a quota that is used up, and says when it resets", async () => {
  const body = { message: "Quota used up.", error: { code: "QUOTA_EXCEEDED" } };
  await using service = await answering(() => ({ status: 429, body, headers: { "retry-after": "3600" } }));
  const error: LimitError = await service.client.jobs.create(request).catch(e => e);
  expect(error).toBeInstanceOf(LimitError);
  expect(error.retryAfter).toBe(3600);
  expect(service.calls()).toBe(1);
});

test("times out on a service that does not respond", async () => {
  await using service = await answering(() => "say nothing");
  await expect(service.client.jobs.get("q", { timeout: 100 })).rejects.toThrow(TimeoutError);
});

test("an answer that comes byte by byte without end is given up, unless a longer timeout is given", async () => {
  const drips = new Set<NodeJS.Timeout>();
  await using service = await listening((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    drips.add(setInterval(() => response.write(" "), 10));
  });
  const endpoint = { url: `${service.origin}/api/v1`, apiKey: "k" };
  const error = await openClient(endpoint, {}, timesFaster(5000))
    .jobs.get("q")
    .catch(reason => reason);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ code: "ANSWER_TOO_SLOW", jobQrn: "q" });
  await expect(openClient(endpoint, { timeout: 300 }, timesFaster(5000)).jobs.get("q")).rejects.toThrow(
    TimeoutError,
  );
  for (const drip of drips) clearInterval(drip);
});

test.each([
  ["lists", "[", "]"],
  ["objects", '{"a":', "}"],
])("an answer that is nested too deep is a ServiceError: %s", async (_, open, close) => {
  const nested = (depth: number) =>
    `{"success":true,"data":{"jobQrn":"q","metadata":{"text":"[[\\"{","deep":${open.repeat(depth)}1${close.repeat(depth)}}}}`;
  await using service = await answering((_, call) => ({ body: nested(call === 1 ? 990 : 100_000) }));
  expect(JSON.stringify(await service.client.jobs.get("q"))).toContain(open.repeat(990));
  const error = await service.client.jobs.get("q").catch(reason => reason);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error.message).toContain("nested more than 1000 levels deep");
  expect(service.calls()).toBe(2);
});

test("ends at once when its signal aborts", async () => {
  await using service = await answering(() => "say nothing");
  const stop = new AbortController();
  const call = service.client.jobs.get("q", { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 50);
  await expect(call).rejects.toThrow("enough");
});

test("says where it looked when nothing answers there, without the key", async () => {
  const client = openClient({ url: "http://127.0.0.1:1/api/v1", apiKey: "secret-key" }, {}, fastTiming);
  const error: Error = await client.jobs.get("q").catch(e => e);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.message).toMatch(/GET \/jobs\/q at http:\/\/127\.0\.0\.1:1 failed: nothing answers there/);
  expect(error.message).not.toContain("secret");
});

test("looks for the service again when the address found last no longer answers", async () => {
  await using service = await answering(() => ({ body: { success: true, data: job } }));
  const { url } = service;
  const asked: boolean[] = [];
  const source: EndpointSource = async refresh => {
    asked.push(refresh);
    return { url: refresh ? url : "http://127.0.0.1:1/api/v1", apiKey: "" };
  };
  const client = openClient(source, {}, fastTiming);
  await client.jobs.create(request);
  expect(asked).toEqual([false, true]);
});
