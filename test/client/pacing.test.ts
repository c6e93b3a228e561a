import { expect, test } from "vitest";
import { openClient } from "../../src/client/client.ts";
import { LimitError } from "../../src/client/errors/index.ts";
import { fetchResult } from "../../src/client/patience.ts";
import { systemTiming } from "../../src/client/timing.ts";
import { answering, fastTiming, listening, type Reply, send, timesFaster } from "./answering.ts";

const request = { deviceQrn: "d", shots: 1, program: { format: "qasm3", data: "" } };

type Refuse = (msToReset: number) => Pick<Reply, "body" | "headers">;

const timing = timesFaster(10);
const windowMs = 100;

/** A service that lets 10 requests a second through, by a clock ten times as fast, and refuses the others. */
async function limited(refuse: Refuse) {
  const jobs: { jobQrn: string; status: string }[] = [];
  let windowEnd = 0;
  let passed = 0;
  let refused = 0;
  const service = await listening((incoming, response) => {
    const now = performance.now();
    if (now > windowEnd) {
      windowEnd = now + windowMs;
      passed = 0;
    }
    passed += 1;
    if (passed > 10) {
      refused += 1;
      return send(response, { status: 429, ...refuse((windowEnd - now) * 10) });
    }
    const path = incoming.url?.replace(/^\/api\/v1|\?.*/g, "") ?? "";
    const index = Number(/^\/jobs\/q(\d+)/.exec(path)?.[1]);
    if (incoming.method === "POST") {
      const made = jobs.push({ jobQrn: `q${jobs.length}`, status: "QUEUED" });
      send(response, { status: 201, body: { success: true, data: jobs[made - 1] } });
    } else if (path.endsWith("/result")) {
      const data = { status: "COMPLETED", resultData: { measurementCounts: { [index]: 1 } } };
      send(response, { body: { success: true, data } });
    } else {
      for (const job of jobs) job.status = "COMPLETED";
      const page = { page: 1, limit: 100, total: jobs.length, totalPages: 1, hasNext: false, hasPrev: false };
      const list = { success: true, data: jobs.toReversed(), pagination: page };
      send(response, { body: path === "/jobs" ? list : { success: true, data: jobs[index] } });
    }
  });
  return {
    url: `${service.origin}/api/v1`,
    made: () => jobs.length,
    refused: () => refused,
    [Symbol.asyncDispose]: service[Symbol.asyncDispose],
  };
}

const refusals: readonly [string, Refuse][] = [
  ["a bare 429", () => ({ body: "" })],
  [
    "Retry-After",
    ms => ({
      body: { error: { code: "RATE_LIMITED" } },
      headers: { "retry-after": String(Math.ceil(ms / 1000)) },
    }),
  ],
  [
    "RateLimit headers",
    ms => ({ body: {}, headers: { "ratelimit-remaining": "0", "ratelimit-reset": String(ms / 1000) } }),
  ],
];

test.concurrent.each(refusals)(
  "100 jobs at once come through a limit that refuses by %s, each made once",
  async (_, refuse) => {
    await using service = await limited(refuse);
    const client = openClient({ url: service.url, apiKey: "" }, {}, timing);
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const job = await client.jobs.create(request);
        await client.watch(job);
        return fetchResult(client.jobs, job.jobQrn, { timing });
      }),
    );
    const keys = outcomes.map(result => JSON.stringify(result).match(/"(\d+)":1/)?.[1]);
    expect(new Set(keys).size).toBe(100);
    expect(service.made()).toBe(100);
    expect(service.refused()).toBeGreaterThan(0);
  },
);

test("after one refusal every request of the client waits, and then they keep below the limit", async () => {
  const refuse = () => ({ body: {}, headers: { "retry-after": "1" } });
  await using service = await limited(refuse);
  const client = openClient({ url: service.url, apiKey: "" }, {}, timing);
  await Promise.all(Array.from({ length: 25 }, () => client.jobs.create(request)));
  expect(service.made()).toBe(25);
  expect(service.refused()).toBeLessThan(25);
});

test("what waits for its turn ends when its signal aborts, and others continue", async () => {
  const tooFast = { status: 429, body: {}, headers: { "retry-after": "1" } };
  await using service = await answering(
    (_, call) => (call === 1 ? tooFast : { body: { success: true, data: { jobQrn: "q" } } }),
    { timing: systemTiming },
  );
  const first = service.client.jobs.get("q");
  await systemTiming.sleep(100);
  const stop = new AbortController();
  const stopped = service.client.jobs.get("q", { signal: stop.signal });
  const going = service.client.jobs.get("q");
  stop.abort(new Error("enough"));
  await expect(stopped).rejects.toThrow("enough");
  expect(service.calls()).toBe(1);
  await Promise.all([first, going]);
  expect(service.calls()).toBe(3);
});

test("a limit that lets nothing through is given up after two minutes", async () => {
  await using service = await answering(() => ({ status: 429, body: {} }));
  const started = fastTiming.now();
  await expect(service.client.jobs.get("q")).rejects.toThrow(LimitError);
  expect(fastTiming.now() - started).toBeGreaterThan(120_000);
  expect(service.calls()).toBeLessThan(60);
});

test("refusals do not use up the retries that outages have", async () => {
  await using service = await answering(
    (_, call) => {
      if (call <= 6) return { status: 429, body: {} };
      return call <= 8 ? "hang up" : { body: { success: true, data: { jobQrn: "q" } } };
    },
    { maxRetries: 2 },
  );
  expect(await service.client.jobs.get("q")).toMatchObject({ jobQrn: "q" });
});

test("without a refusal, 500 requests at once are not held up by one another", async () => {
  await using service = await answering(() => ({ body: { success: true, data: { jobQrn: "q" } } }), {
    timing: { ...systemTiming, sleep: () => Promise.reject(new Error("it slept")) },
  });
  await Promise.all(Array.from({ length: 500 }, () => service.client.jobs.get("q")));
  expect(service.calls()).toBe(500);
});
