import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
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
  type RequestError,
  ServiceError,
  TimeoutError,
  ValidationError,
} from "../../src/client/errors/index.ts";
import type { ClientOptions, Endpoint, EndpointSource } from "../../src/client/options.ts";
import { fastTiming, keepsKeys, listening, send } from "./answering.ts";
import { type Operation, operations, QRN, wellAnswer } from "./operations.ts";

type Break = (request: IncomingMessage, response: ServerResponse) => void;

const refusal =
  (status: number, headers = {}) =>
  (_: IncomingMessage, response: ServerResponse) =>
    send(response, {
      status,
      headers,
      body: {
        success: false,
        message: "No.",
        error: { message: "No.", code: status === 429 ? "TOO_MANY_REQUESTS" : "SOME_CODE" },
        requestId: "r-1",
      },
    });

const text = (status: number, body: string) => (_: IncomingMessage, response: ServerResponse) =>
  send(response, { status, body, headers: { "content-type": "text/html" } });

/** A service that is broken for the first requests of an operation, and well from then on. */
async function brokenService(broken: Break, breaks: number) {
  const counts = new Map<string, number>();
  const service = await listening((request, response) => {
    const [, name = "", path = ""] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? "") ?? [];
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (count <= breaks) broken(request, response);
    else
      send(response, {
        headers: keepsKeys,
        body: { success: true, data: wellAnswer(request.method ?? "", path) },
      });
  });
  return {
    origin: service.origin,
    calls: (name: string) => counts.get(name) ?? 0,
    [Symbol.asyncDispose]: service[Symbol.asyncDispose],
  };
}

/** Operations that change or follow something, and a third of those that read: all of these are repeated by the same code. */
const meeting = (turn: number) =>
  operations.filter(
    ({ name }, at) => /create|cancel|close|delete|watch|result/i.test(name) || at % 3 === turn % 3,
  );

/** Calls operations, each through a client of its own; answers what came of each. */
async function callAll(
  source: (operation: Operation) => Endpoint | EndpointSource,
  options: ClientOptions = {},
  called: readonly Operation[] = operations,
): Promise<{ operation: Operation; value?: unknown; error?: unknown }[]> {
  return Promise.all(
    called.map(async operation => {
      try {
        const client = openClient(source(operation), options, fastTiming);
        return { operation, value: await operation.call(client) };
      } catch (error) {
        return { operation, error };
      }
    }),
  );
}

const at = (origin: string) => (operation: Operation) => ({
  url: `${origin}/${operation.name}/api/v1`,
  apiKey: "secret-key",
});

const passing: readonly [string, Break][] = [
  ["500", refusal(500)],
  ["502", refusal(502)],
  ["503", refusal(503)],
  ["503 with Retry-After", refusal(503, { "retry-after": "2" })],
  ["504", refusal(504)],
  ["507", refusal(507)],
  ["408", refusal(408)],
  ["429", refusal(429)],
  ["429 with Retry-After as seconds", refusal(429, { "retry-after": "3" })],
  [
    "429 with Retry-After as a date",
    (request, response) => {
      const later = new Date(Date.now() + 3000).toUTCString();
      refusal(429, { "retry-after": later })(request, response);
    },
  ],
  ["429 with RateLimit-Reset", refusal(429, { "ratelimit-reset": "2" })],
  ["429 with a page as its body", text(429, "<html>slow down</html>")],
  ["429 without a body", text(429, "")],
  ["a page of a gateway", text(502, "<html>bad gateway</html>")],
  ["a page in place of an answer", text(200, "<html>maintenance</html>")],
  ["an answer without a body", text(200, "")],
  ["JSON that breaks off", text(200, '{"success": true, "data": {"jobQ')],
  ["a connection that is reset before the answer", ({ socket }) => socket.resetAndDestroy()],
  [
    "a connection that is reset within the answer",
    ({ socket }, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"success": true,');
      setTimeout(() => socket.resetAndDestroy(), 5);
    },
  ],
];

test("every operation of a client is called here", () => {
  const { watch, ...resources } = openClient({ url: "http://127.0.0.1/api/v1", apiKey: "k" });
  const names = Object.entries(resources).flatMap(([resource, calls]) =>
    Object.keys(calls).map(name => `${resource}.${name}`),
  );
  expect(operations.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
});

describe("after four failures, every operation succeeds that met", () => {
  test.each(passing.map((each, turn) => [...each, turn] as const))("%s", async (_, broken, turn) => {
    const breaks = 4;
    await using service = await brokenService(broken, breaks);
    for (const { operation, error } of await callAll(at(service.origin), {}, meeting(turn))) {
      expect(error, operation.name).toBeUndefined();
      expect(service.calls(operation.name), operation.name).toBeGreaterThan(breaks);
    }
  });
});

test("after a failure, every operation succeeds that met silence", async () => {
  await using service = await brokenService(() => undefined, 0);
  const silentFor = new Set(operations.map(({ name }) => name));
  const fetch = async (url: string, init: object) => {
    if (silentFor.delete(new URL(url).pathname.split("/")[1]!)) throw new DOMException("", "TimeoutError");
    return globalThis.fetch(url, init);
  };
  for (const { operation, error } of await callAll(at(service.origin), { fetch }))
    expect(error, operation.name).toBeUndefined();
  expect(silentFor.size).toBe(0);
});

test.each([
  ["refuses connections", "http://127.0.0.1:1"],
  ["has no address", "http://quantum.invalid"],
])("after a failure, every operation succeeds whose service %s", async (_, origin) => {
  await using service = await brokenService(refusal(500), 0);
  const found = at(service.origin);
  const results = await callAll(operation => async refresh => {
    return refresh ? found(operation) : { url: `${origin}/api/v1`, apiKey: "" };
  });
  for (const { operation, error } of results) expect(error, operation.name).toBeUndefined();
});

const lasting: readonly [string, number, Break, new (...args: never[]) => Error][] = [
  ["400", 400, refusal(400), ValidationError],
  ["401", 401, refusal(401), AuthenticationError],
  ["402", 402, refusal(402), InsufficientCreditsError],
  ["403", 403, refusal(403), PermissionError],
  ["404", 404, refusal(404), NotFoundError],
  ["409", 409, refusal(409), ConflictError],
  ["410", 410, refusal(410), ConflictError],
  ["413", 413, refusal(413), ValidationError],
  ["422", 422, refusal(422), ValidationError],
  ["a redirect", 300, refusal(308, { location: "https://new.example.org/api/v1/" }), ServiceError],
];

test.each(lasting)("%s is not tried again where that mends nothing", async (_, status, broken, type) => {
  await using service = await brokenService(broken, 1);
  for (const { operation, error } of await callAll(at(service.origin))) {
    const { name, patientWith = [], aboutJob, submits } = operation;
    /** After a redirect, what was submitted is looked for, and submitted again to a service that keeps keys. */
    if (patientWith.includes(status) || (submits && status === 300)) {
      expect(error, name).toBeUndefined();
      continue;
    }
    expect(error, name).toBeInstanceOf(type);
    expect(error, name).toMatchObject({ requestId: "r-1", jobQrn: aboutJob ? QRN : null });
    expect((error as RequestError).idempotencyKey === null, name).toBe(!submits);
    expect((error as Error).message, name).not.toContain("secret-key");
    const looksAtJob =
      name === "cancelJob" ? [300, 400, 409, 422].includes(status) : status === 300 && /cancel/.test(name);
    expect(service.calls(name), name).toBe(looksAtJob ? 2 : 1);
  }
});

test("a redirect is not followed: the error names its target", async () => {
  await using service = await brokenService(refusal(301, { location: "https://new.example.org/api/v1" }), 99);
  const results = await callAll(at(service.origin));
  for (const { operation, error } of results.filter(({ operation }) => operation.name !== "watch")) {
    const cause = operation.submits ? (error as Error).cause : error;
    expect(cause, operation.name).toMatchObject({ code: "REDIRECT", status: 301 });
    expect((error as Error).message).toContain('"https://new.example.org/api/v1"');
  }
});

const endless: readonly [string, Break, new (...args: never[]) => Error, object][] = [
  ["500", refusal(500), ServiceError, { status: 500, code: "SOME_CODE" }],
  ["a page", text(200, "<html>"), ServiceError, { status: 200, code: "UNREADABLE_ANSWER" }],
  ["429", refusal(429), LimitError, { status: 429 }],
  ["resets", ({ socket }) => socket.resetAndDestroy(), ConnectionError, {}],
  ["silence", () => undefined, TimeoutError, {}],
];

/** What waits for a job has no end of its own. */
const bounded = operations.filter(({ name }) => name !== "watch" && name !== "fetchResult");

test.each(endless)("%s without end becomes an error of its class", async (kind, broken, type, fields) => {
  await using service = await brokenService(broken, Number.POSITIVE_INFINITY);
  const calls = kind === "silence" ? bounded.slice(1, 4) : bounded.filter(({ submits }) => !submits);
  const errors = calls.map(async operation => {
    const client = openClient(at(service.origin)(operation), { maxRetries: 2, timeout: 2000 }, fastTiming);
    const error: ApiError = await operation.call(client, kind === "silence" ? { timeout: 50 } : {}).then(
      () => expect.fail(`${operation.name} succeeded`),
      reason => reason,
    );
    expect(error, operation.name).toBeInstanceOf(type);
    expect(error, operation.name).toMatchObject({ ...fields, jobQrn: operation.aboutJob ? QRN : null });
    const looks = operation.name.toLowerCase().includes("cancel");
    if (!looks && kind !== "429" && kind !== "silence")
      expect(service.calls(operation.name), operation.name).toBe(3);
  });
  await Promise.all(errors);
});

test("maxRetries: 0 repeats nothing, not even after 429", async () => {
  await using service = await brokenService(refusal(429), 1);
  const [create] = operations;
  const client = openClient(at(service.origin)(create!), { maxRetries: 0 }, fastTiming);
  await expect(create!.call(client)).rejects.toThrow(LimitError);
  expect(service.calls(create!.name)).toBe(1);
});

test.each([
  ["quota that is used up", 429, { error: { code: "QUOTA_EXCEEDED" } }, {}],
  ["pause of an hour", 429, { message: "Later." }, { "retry-after": "3600" }],
  [
    "pause of an hour until a date",
    429,
    {},
    { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() },
  ],
  ["outage of an hour", 503, {}, { "retry-after": "3600" }],
])("a %s is not waited for by a call, but said at once", async (_, status, body, headers) => {
  await using service = await brokenService((_, response) => send(response, { status, body, headers }), 1);
  for (const operation of bounded) {
    const client = openClient(at(service.origin)(operation), {}, fastTiming);
    const error: ApiError = await operation.call(client).then(
      () => expect.fail(`${operation.name} succeeded`),
      reason => reason,
    );
    expect(error, operation.name).toMatchObject({ status });
    if ("retry-after" in headers) expect(error.retryAfter, operation.name).toBeGreaterThan(3500);
    /** A 503 may come after something was made or cancelled, which is looked for. */
    const looks = Number(status === 503 && /create|cancel/i.test(operation.name));
    expect(service.calls(operation.name), operation.name).toBe(1 + looks);
  }
});
