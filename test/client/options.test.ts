import { constants } from "node:buffer";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { openClient } from "../../src/client/client.ts";
import {
  type ApiError,
  ConnectionError,
  KetbookError,
  RequestError,
  TimeoutError,
} from "../../src/client/errors/index.ts";
import { MAX_RESPONSE_BYTES, ResponseTooLargeError, readText } from "../../src/client/http.ts";
import type { CallOptions, ClientOptions, Endpoint } from "../../src/client/options.ts";
import { cancelJob, fetchResult } from "../../src/client/patience.ts";
import { systemTiming } from "../../src/client/timing.ts";
import { answering, fastTiming, listening, type Reply, send } from "./answering.ts";

const job = { jobQrn: "q", deviceQrn: "d", status: "QUEUED" };
const ok = { success: true, data: job };
const endpoint = { url: "http://quantum.test/api/v1", apiKey: "secret-key" };

/** A service that answers with the headers that came in. */
const echo = () => answering(({ headers }) => ({ body: { success: true, data: { ...job, headers } } }));
const headersOf = (record: object) => (record as { headers: Record<string, string> }).headers;

test("the User-Agent names the version of the package and of Node", async () => {
  await using service = await echo();
  expect(headersOf(await service.client.jobs.get("q"))).toMatchObject({
    "user-agent": `ketbook/${manifest.version} node/${process.versions.node}`,
    "x-api-key": "secret-key",
    accept: "application/json",
  });
});

test("sends the client's headers, and those of one call in place of them, in whatever case", async () => {
  await using service = await echo();
  const options = { headers: { "X-Team": "a", "x-trace": "1" }, userAgent: "lab/2" };
  const client = openClient({ url: service.url, apiKey: "k" }, options);
  const headers = headersOf(await client.jobs.get("q", { headers: { "x-team": "b" } }));
  expect(headers).toMatchObject({ "x-team": "b", "x-trace": "1", "user-agent": "lab/2" });
});

test("sends by the fetch that it is given: address as a string, redirects left alone", async () => {
  const asked: [string, RequestInit][] = [];
  const client = openClient(endpoint, {
    async fetch(input, init) {
      asked.push([input as string, init ?? {}]);
      return Response.json(ok);
    },
  });
  expect(await client.jobs.create({ deviceQrn: "d", shots: 1, program: [] })).toMatchObject(job);
  const [[url, init]] = asked as [[string, RequestInit]];
  expect(url).toBe("http://quantum.test/api/v1/jobs");
  expect(init).toMatchObject({ method: "POST", redirect: "manual" });
  expect(init.headers).toMatchObject({ "x-api-key": "secret-key", "content-type": "application/json" });
  const sent = { deviceQrn: "d", shots: 1, program: [], tags: { "ketbook-run": expect.any(String) } };
  expect(JSON.parse(init.body as string)).toEqual(sent);
});

test("the fetch of the platform works, over a real connection", async () => {
  await using service = await answering(() => ({ body: ok }), { fetch: globalThis.fetch });
  const heard: number[] = [];
  const read = await service.client.jobs.get("q", { onBytes: received => heard.push(received) });
  expect(read).toMatchObject(job);
  expect(heard.at(-1)).toBe(JSON.stringify(ok).length);
});

test.each([
  ["undici", {}],
  ["fetch", { fetch: globalThis.fetch }],
])("a timeout may be longer than any timer, through %s", async (_, options) => {
  await using service = await answering(() => ({ body: ok }), { maxRetries: 0, ...options });
  expect(await service.client.jobs.get("q", { timeout: Number.POSITIVE_INFINITY })).toMatchObject(job);
});

test.each([
  ["undici", {}],
  ["fetch", { fetch: globalThis.fetch }],
])("a connection that the service closes is told in words, through %s", async (_, options) => {
  await using service = await answering(() => "hang up", { maxRetries: 0, ...options });
  await expect(service.client.jobs.get("q")).rejects.toThrow(
    /failed: the connection was closed before the answer was there\. /,
  );
});

test("outages are ridden out through any fetch, and what lasts has its class and never the key", async () => {
  let calls = 0;
  const client = openClient(
    endpoint,
    {
      async fetch() {
        calls += 1;
        if (calls < 3)
          throw new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNRESET" }) });
        return Response.json(ok);
      },
    },
    fastTiming,
  );
  expect(await client.jobs.get("q")).toMatchObject(job);
  const failing = openClient(
    endpoint,
    { fetch: () => Promise.reject(new TypeError("no network with secret-key")), maxRetries: 1 },
    fastTiming,
  );
  const error = await failing.jobs.get("q").catch(reason => reason);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.message).toContain("GET /jobs/q at http://quantum.test failed");
  expect(error.message).not.toContain("secret-key");
});

test.each([
  ["answers nothing", () => new Promise<Response>(() => undefined)],
  [
    "stops within its answer",
    async () =>
      new Response(new ReadableStream({ start: body => body.enqueue(new TextEncoder().encode("{")) })),
  ],
])("a fetch that %s, heedless of its signal, ends with the timeout", async (_, fetch) => {
  const client = openClient(endpoint, { fetch, timeout: 50, maxRetries: 1 }, fastTiming);
  await expect(client.jobs.get("q")).rejects.toThrow(TimeoutError);
});

test("an answer that is too large is given up before it is read", async () => {
  const headers = { "content-length": String(2 ** 30) };
  const fetch = async () => new Response("{}", { headers });
  const error: ApiError = await openClient(endpoint, { fetch })
    .jobs.get("q")
    .then(
      () => expect.fail("it was read"),
      reason => reason,
    );
  expect(error).toMatchObject({ code: "ANSWER_TOO_LARGE" });
  expect(error.message).toContain("larger than 512 MiB");
});

test("an answer that grows too large is given up as it comes, and one that is not is never longer than a string", async () => {
  let sent = 0;
  async function* body() {
    for (; ; sent += 100) yield new Uint8Array(100).fill(32);
  }
  const reading = readText(
    body(),
    () => null,
    () => false,
    undefined,
    1000,
  );
  await expect(reading).rejects.toThrow(ResponseTooLargeError);
  expect(sent).toBe(1000);
  expect(MAX_RESPONSE_BYTES).toBeLessThanOrEqual(constants.MAX_STRING_LENGTH);
});

test("nothing of undici is loaded for a client that has a fetch, and nothing of zod for any client", () => {
  const source = (options: string) => `
    import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (name === "undici" || name === "zod") throw new Error(name + " was loaded");
      return next(name, context);
    } });
    const { openClient } = await import(${JSON.stringify(fileURLToPath(new URL("../../src/client/client.ts", import.meta.url)))});
    const client = openClient({ url: "http://127.0.0.1:1/api/v1", apiKey: "k" }, ${options});
    console.log(await client.jobs.get("q").then(job => job.jobQrn, error => error.message));`;
  const run = (options: string) =>
    execFileSync(process.execPath, ["--input-type=module", "--eval", source(options)], { encoding: "utf8" });
  const fetch = `{ fetch: async () => Response.json(${JSON.stringify(ok)}) }`;
  expect(run(fetch).trim()).toBe("q");
  expect(run("{}").trim()).toBe("undici was loaded");
});

test("calls at once share one set of connections from the first on", async () => {
  await using service = await listening((_, response) => send(response, { body: ok }));
  let connections = 0;
  service.server.on("connection", () => (connections += 1));
  const client = openClient({ url: `${service.origin}/api/v1`, apiKey: "k" });
  await Promise.all(Array.from({ length: 200 }, () => client.jobs.get("q")));
  expect(connections).toBeLessThanOrEqual(32);
});

test("a call whose signal has aborted already sends nothing, and looks for no service", async () => {
  const signal = AbortSignal.abort(new Error("too late"));
  const client = openClient(() => expect.fail("the service was looked for"), {
    fetch: () => expect.fail("something was sent"),
  });
  await expect(client.jobs.get("q", { signal })).rejects.toThrow("too late");
  await expect(client.watch({ ...job } as never, { signal })).rejects.toThrow("too late");
});

test.each(["", ".", ".."])("a call with the name %j, which is another address, sends nothing", async name => {
  const client = openClient(() => expect.fail("the service was looked for"));
  const { jobs, groups, devices } = client;
  const nameless = ["create", "list", "deleteMany", "quote", "summary", "statuses"];
  const calls = Object.entries({ job: jobs, group: groups, device: devices }).flatMap(([kind, methods]) =>
    Object.entries(methods as object)
      .filter(([method]) => !nameless.includes(method))
      .map(([, call]): [string, Promise<unknown>] => [kind, call(name)]),
  );
  expect(calls).toHaveLength(13);
  calls.push(["job", fetchResult(jobs, name)], ["job", cancelJob(jobs, name)]);
  calls.push(["job", client.watch({ ...job, jobQrn: name } as never)]);
  const outcomes = await Promise.allSettled(calls.map(([, call]) => call));
  for (const [place, [kind]] of calls.entries()) {
    const { reason } = outcomes[place] as PromiseRejectedResult;
    expect(reason).toBeInstanceOf(KetbookError);
    expect(reason.message).toContain(
      `: the qrn is ${name ? `"${name}"` : "empty"}. Pass the resource name of a ${kind}.`,
    );
  }
});

test.each(["...", ".a", "a..", " "])("%j may be a name", async name => {
  await using service = await answering(({ url }) => ({ body: { success: true, data: { ...job, url } } }));
  const url = `/api/v1/jobs/${encodeURIComponent(name)}`;
  expect(await service.client.jobs.get(name)).toMatchObject({ url });
});

const limited = (code: string): Reply => ({ status: 429, body: { message: "Slow down.", error: { code } } });

test.each<[string, Reply | "say nothing"]>([
  ["silence", "say nothing"],
  ["rate limits", limited("RATE_LIMITED")],
  ["outages", { status: 503, body: "" }],
])(
  "a call's timeout bounds retries and pauses too, and is stronger than the client's: %s",
  async (_, reply) => {
    await using service = await answering(() => reply, { timeout: 60_000, timing: systemTiming });
    const calls = [
      service.client.jobs.get("q", { timeout: 300 }),
      service.client.jobs.quote({ deviceQrn: "d" }, { timeout: 300 }),
      service.client.jobs.list({}, { timeout: 300 }),
      cancelJob(service.client.jobs, "q", { timeout: 300 }),
    ];
    const started = performance.now();
    for (const outcome of await Promise.allSettled(calls)) {
      const { reason } = outcome as PromiseRejectedResult;
      expect(reason).toBeInstanceOf(TimeoutError);
      expect(reason.message).toMatch(/was not answered within 300 ms/);
    }
    expect(performance.now() - started).toBeLessThan(5000);
  },
);

test.each(["MONTHLY_LIMIT", "QUOTA_EXCEEDED", "CREDIT_LIMIT"])(
  "an allowance that is used up is not waited for: %s",
  async code => {
    await using service = await answering(() => limited(code), { timing: systemTiming });
    const { jobs } = service.client;
    const request = { deviceQrn: "d", shots: 1, program: [] };
    const calls = [jobs.create(request), jobs.list(), jobs.quote(request), cancelJob(jobs, "q")];
    await Promise.all(calls.map(call => expect(call).rejects.toThrow("Slow down.")));
    expect(service.calls()).toBe(4);
  },
);

test.each(["", "quantum.example.org", "ftp://quantum.example.org", "http://"])(
  "%j is no address of a service",
  async url => {
    await expect(openClient({ url, apiKey: "k" }).jobs.get("q")).rejects.toThrow(
      /is not an http\(s\) address/,
    );
  },
);

describe.each([
  ["undici", {}],
  ["fetch", { fetch: globalThis.fetch }],
])("through %s", (_, options) => {
  test.each<[string, (value: string) => [Endpoint & ClientOptions, CallOptions]]>([
    ["x-api-key", apiKey => [{ ...endpoint, apiKey }, {}]],
    ["user-agent", userAgent => [{ ...endpoint, userAgent }, {}]],
    ["x-team", value => [{ ...endpoint, headers: { "X-Team": value } }, {}]],
    ["x-team", value => [endpoint, { headers: { "X-Team": value } }]],
    ["idempotency-key", idempotencyKey => [endpoint, { idempotencyKey }]],
  ])("a line break or a typographic dash in %s is told at once, without the value", async (name, given) => {
    await using service = await answering(() => ({ body: ok }));
    for (const value of ["secret\n", "\r\nsecret", "secret\u2013key", "secret\0"]) {
      const [opened, call] = given(value);
      const client = openClient({ ...opened, url: service.url }, { ...opened, ...options }, systemTiming);
      const request = { deviceQrn: "d", shots: 1, program: [] };
      const calls: Promise<unknown>[] = [client.jobs.create(request, call), client.jobs.get("q", call)];
      if (Object.keys(call).length === 0) calls.push(client.watch(job as never));
      for (const outcome of await Promise.allSettled(calls)) {
        const { reason } = outcome as PromiseRejectedResult;
        expect(reason).toBeInstanceOf(KetbookError);
        expect(reason).not.toBeInstanceOf(RequestError);
        expect(reason.message).toMatch(new RegExp(`header ${name}\\b.* contains invalid characters`));
        expect(inspect(reason)).not.toContain("secret");
      }
    }
    expect(service.calls()).toBe(0);
  });

  test("a header's name is checked, and values of Latin-1 are sent", async () => {
    await using service = await answering(() => ({ body: ok }), options);
    for (const name of ["x team", "", "x-te\u00e4m", "x:"])
      await expect(service.client.jobs.get("q", { headers: { [name]: "a" } })).rejects.toThrow(
        `${JSON.stringify(name)} is not a header name`,
      );
    expect(service.calls()).toBe(0);
    const headers = { "x-team": "caf\u00e9\tau lait" };
    expect(await service.client.jobs.get("q", { headers, idempotencyKey: "caf\u00e9" })).toMatchObject(job);
  });
});

test("a service that repeats the key in its refusal does not bring it into the error", async () => {
  const body = {
    message: "The key secret-key is unknown.",
    error: { details: [{ path: "k", message: "secret-key" }] },
  };
  await using service = await answering(() => ({ status: 401, body }));
  const error: ApiError = await service.client.jobs.get("q").catch(reason => reason);
  expect(error.message).toContain("The key *** is unknown.");
  expect(JSON.stringify([error.message, error.details])).not.toContain("secret-key");
});

test.each([
  ["the body", { requestId: "r" }, {}],
  ["the error", { error: { requestId: "r" } }, {}],
  ["a header", {}, { "x-request-id": "r" }],
])("finds the request's id in %s", async (_, body, headers) => {
  await using service = await answering(() => ({ status: 500, body, headers }), { maxRetries: 0 });
  await expect(service.client.jobs.get("q")).rejects.toMatchObject({ requestId: "r" });
});

test.each([
  ["7", {}, 7],
  ["Wed, 21 Oct 2026 07:28:30 GMT", { date: "Wed, 21 Oct 2026 07:28:00 GMT" }, 30],
  ["soon", {}, null],
])("reads Retry-After: %s", async (value, headers, seconds) => {
  const reply = { status: 400, body: {}, headers: { ...headers, "retry-after": value } };
  await using service = await answering(() => reply);
  await expect(service.client.jobs.get("q")).rejects.toMatchObject({ retryAfter: seconds });
});
