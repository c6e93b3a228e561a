import { expect, test } from "vitest";
import { openClient } from "../../src/client/client.ts";
import { AuthenticationError, NotFoundError, PermissionError } from "../../src/client/errors/index.ts";
import type { Trouble } from "../../src/client/retry.ts";
import { systemTiming } from "../../src/client/timing.ts";
import type { RuntimeJob } from "../../src/contract/job.ts";
import { answering, fastTiming, listening, type Reply, send, timesFaster } from "./answering.ts";

const job = (index: number, status = "RUNNING") =>
  ({
    jobQrn: `job-${index}`,
    deviceQrn: "d",
    status,
    experimentType: "gate_model",
    shots: 1,
  }) as unknown as RuntimeJob;

/** A service with so many jobs, which have all ended from a certain request on. */
function jobsThatEnd(count: number, endAt: number, status = "COMPLETED") {
  const paths: string[] = [];
  const reply = ({ url = "" }: { url?: string }, call: number) => {
    paths.push(url);
    const now = call >= endAt ? status : "RUNNING";
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const [, index] = /\/jobs\/job-(\d+)$/.exec(pathname) ?? [];
    if (index !== undefined) return { body: { success: true, data: job(Number(index), now) } };
    const [page, limit] = [Number(searchParams.get("page")), Number(searchParams.get("limit"))];
    const rows = Array.from({ length: count }, (_, i) => job(i, now)).slice((page - 1) * limit, page * limit);
    const pagination = {
      page,
      limit,
      total: count,
      totalPages: Math.ceil(count / limit),
      hasNext: page * limit < count,
      hasPrev: page > 1,
    };
    return { body: { success: true, data: rows, pagination, meta: {} } };
  };
  return { paths, reply };
}

test("one job is polled by name until it has ended", async () => {
  const { paths, reply } = jobsThatEnd(1, 4);
  await using service = await answering(reply);
  expect((await service.client.watch(job(0))).status).toBe("COMPLETED");
  expect(paths).toEqual(Array(4).fill("/api/v1/jobs/job-0"));
});

test("500 jobs cost one page of the list at a time, not 500 requests", async () => {
  const { paths, reply } = jobsThatEnd(500, 12);
  await using service = await answering(reply);
  const ended = await Promise.all(
    Array.from({ length: 500 }, (_, index) => service.client.watch(job(index))),
  );
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(["COMPLETED"]));
  expect(paths.length).toBeLessThan(30);
  expect(paths.every(path => path.includes("limit=100"))).toBe(true);
});

test("of a few jobs, which mostly are the newest, only a short page is read; older ones are found all the same", async () => {
  const newest = jobsThatEnd(500, 5);
  await using short = await answering(newest.reply);
  await Promise.all([0, 1, 2, 3].map(index => short.client.watch(job(index))));
  expect(new Set(newest.paths)).toEqual(new Set(["/api/v1/jobs?page=1&limit=8"]));
  const twenty = jobsThatEnd(500, 5);
  await using more = await answering(twenty.reply);
  await Promise.all(Array.from({ length: 20 }, (_, index) => more.client.watch(job(index))));
  expect(new Set(twenty.paths)).toEqual(new Set(["/api/v1/jobs?page=1&limit=28"]));
  const oldest = jobsThatEnd(500, 5);
  await using whole = await answering(oldest.reply);
  const ended = await Promise.all([0, 1, 2, 499].map(index => whole.client.watch(job(index))));
  expect(ended.map(({ status }) => status)).toEqual(Array(4).fill("COMPLETED"));
  expect(oldest.paths.slice(0, 3).map(path => path.split("?")[1])).toEqual([
    "page=1&limit=8",
    "page=1&limit=100",
    "page=2&limit=100",
  ]);
});

test("jobs that are not in the list, such as deleted ones, are polled by name", async () => {
  const { paths, reply } = jobsThatEnd(3, 5);
  await using service = await answering(reply);
  await Promise.all([0, 1, 2, 77].map(index => service.client.watch(job(index))));
  expect(paths).toContain("/api/v1/jobs/job-77");
});

test.each(["UNKNOWN", "EXPLODED", ""])(
  "a job that is %j for a while is watched until it has ended",
  async status => {
    const { reply } = jobsThatEnd(1, 4);
    const odd = { body: { success: true, data: job(0, status) } };
    await using service = await answering((request, call) => (call < 3 ? odd : reply(request, call)));
    const seen: string[] = [];
    const ended = await service.client.watch(job(0, status), {
      onUpdate: record => seen.push(record.status),
    });
    expect(ended.status).toBe("COMPLETED");
    expect(seen).toEqual([status, status, "RUNNING", "COMPLETED"]);
  },
);

test("a job that has ended already is not polled", async () => {
  await using service = await answering(() => "hang up");
  expect((await service.client.watch(job(0, "FAILED"))).status).toBe("FAILED");
  expect(service.calls()).toBe(0);
});

test("a connection that drops for a while is survived", async () => {
  const { reply } = jobsThatEnd(1, 1);
  await using service = await answering((request, call) => (call < 6 ? "hang up" : reply(request, call)));
  expect((await service.client.watch(job(0))).status).toBe("COMPLETED");
});

test("one job that is gone fails its own watcher alone", async () => {
  const { reply } = jobsThatEnd(1, 3);
  await using service = await answering((request, call) =>
    request.url?.endsWith("job-1") ? { status: 404, body: { message: "Gone." } } : reply(request, call),
  );
  const [kept, gone] = await Promise.allSettled([service.client.watch(job(0)), service.client.watch(job(1))]);
  expect(kept.status).toBe("fulfilled");
  expect((gone as PromiseRejectedResult).reason).toBeInstanceOf(NotFoundError);
});

test("a watcher ends when its signal aborts, and others continue", async () => {
  const { reply } = jobsThatEnd(1, 8);
  await using service = await answering(reply);
  const stop = new AbortController();
  const stopped = service.client.watch(job(0), { signal: stop.signal });
  const going = service.client.watch(job(0));
  stop.abort(new Error("enough"));
  await expect(stopped).rejects.toThrow("enough");
  expect((await going).status).toBe("COMPLETED");
});

test.each<[string, Reply | "hang up"]>([
  ["500", { status: 500, body: "" }],
  ["a used-up quota", { status: 429, body: { error: { code: "QUOTA_EXCEEDED" } } }],
  ["an hour's rate limit", { status: 429, body: "", headers: { "retry-after": "3600" } }],
  ["pages of a gateway", { status: 502, body: "<html>" }],
  ["a page in place of JSON", { body: "<html>" }],
  ["a record of another shape", { body: { success: true, data: 7 } }],
  ["resets", "hang up"],
])("forty answers of %s in a row end no watch, of one job or of many", async (_, broken) => {
  const { reply } = jobsThatEnd(3, 1);
  const timing = timesFaster(3000);
  for (const watched of [1, 3]) {
    await using service = await answering((request, call) => (call <= 40 ? broken : reply(request, call)), {
      timing,
    });
    const ended = Array.from({ length: watched }, (_, index) => service.client.watch(job(index)));
    expect((await Promise.all(ended)).map(({ status }) => status)).toEqual(Array(watched).fill("COMPLETED"));
    expect(service.calls()).toBeGreaterThan(40);
  }
});

const refusals: [string, Reply][] = [
  ["a redirect", { status: 302, body: "", headers: { location: "https://login.example/" } }],
  ["success: false", { body: { success: false, message: "No." } }],
  ["422", { status: 422, body: { message: "No." } }],
];

test.each(refusals)("nothing but %s ends a watch, and names the job", async (_, reply) => {
  const timing = timesFaster(1000);
  await using service = await answering(() => reply, { timing });
  for (const count of [1, 3]) {
    const started = timing.now();
    const ends = Array.from({ length: count }, (_, index) => service.client.watch(job(index)).catch(e => e));
    for (const [index, error] of (await Promise.all(ends)).entries())
      expect(error).toMatchObject({
        jobQrn: `job-${index}`,
        message: expect.stringMatching(/No\.|has moved/),
      });
    expect(timing.now() - started).toBeGreaterThan(30_000);
  }
});

test("a watch says what keeps it waiting, how often and since when, and when that is over", async () => {
  const { reply } = jobsThatEnd(1, 1);
  const broken: Reply = { status: 500, body: { message: "Out of order." } };
  await using service = await answering((request, call) => (call <= 12 ? broken : reply(request, call)));
  const troubles: Trouble[] = [];
  const started = fastTiming.now();
  await service.client.watch(job(0), { onTrouble: trouble => void troubles.push(trouble) });
  expect(troubles.map(({ count }) => count)).toEqual([1, 2]);
  expect(troubles[1]).toMatchObject({ error: { message: "Out of order." }, since: troubles[0]!.since });
  expect(troubles[0]!.since).toBeGreaterThan(started);
});

test.each([
  [401, AuthenticationError],
  [403, PermissionError],
])("a list that answers %i ends every watch, each with its own job's name", async (status, type) => {
  await using service = await answering(() => ({ status, body: { message: "No." } }));
  const ends = [0, 1, 2, 3].map(index => service.client.watch(job(index)).catch(error => error));
  for (const [index, error] of (await Promise.all(ends)).entries()) {
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ jobQrn: `job-${index}`, status });
    expect(error.message).toMatch(/^No\./);
  }
});

test("without a list of jobs, each is polled by name", async () => {
  const { reply } = jobsThatEnd(40, 1);
  await using service = await answering((request, call) =>
    request.url?.includes("/jobs?") ? { status: 404, body: {} } : reply(request, call),
  );
  const ended = await Promise.all(Array.from({ length: 40 }, (_, index) => service.client.watch(job(index))));
  expect(ended.map(({ jobQrn }) => jobQrn)).toEqual(Array.from({ length: 40 }, (_, index) => `job-${index}`));
});

test("jobs that are in no list are polled in turns, so that none waits for another", async () => {
  const { reply } = jobsThatEnd(0, 1);
  const lasting = new Set(Array.from({ length: 12 }, (_, index) => `job-${index}`));
  await using service = await answering((request, call) => {
    const [name = ""] = /job-\d+$/.exec(request.url ?? "") ?? [];
    return lasting.has(name)
      ? { body: { success: true, data: { jobQrn: name, status: "RUNNING" } } }
      : reply(request, call);
  });
  const stop = new AbortController();
  const waiting = Array.from({ length: 13 }, (_, index) =>
    service.client.watch(job(index), { signal: stop.signal }),
  );
  expect((await waiting[12])?.status).toBe("COMPLETED");
  stop.abort(new Error("enough"));
  expect((await Promise.allSettled(waiting)).filter(({ status }) => status === "rejected")).toHaveLength(12);
});

test("a list that claims more pages forever, but repeats itself, does not keep its jobs from being watched", async () => {
  const { reply } = jobsThatEnd(3, 1);
  await using service = await answering((request, call) => {
    if (!request.url?.includes("/jobs?")) return reply(request, call);
    const pagination = { page: 1, limit: 100, total: 1e6, totalPages: 1e4, hasNext: true, hasPrev: false };
    return { body: { success: true, data: [job(7), job(8)], pagination } };
  });
  await Promise.all([0, 1, 2].map(index => service.client.watch(job(index))));
  expect(service.calls()).toBeLessThan(12);
});

test("an update that throws ends its own watch alone", async () => {
  const { reply } = jobsThatEnd(3, 3);
  await using service = await answering(reply);
  const broken = service.client.watch(job(0), {
    onUpdate() {
      throw new Error("a bug of the caller");
    },
  });
  const others = [1, 2].map(index => service.client.watch(job(index)));
  await expect(broken).rejects.toThrow("a bug of the caller");
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(["COMPLETED", "COMPLETED"]);
});

test("once no job is watched, polling ends", async () => {
  const { reply } = jobsThatEnd(1, Number.POSITIVE_INFINITY);
  await using service = await answering(reply);
  const stop = new AbortController();
  const watching = service.client.watch(job(0), { signal: stop.signal });
  await expect.poll(service.calls).toBeGreaterThan(0);
  stop.abort(new Error("enough"));
  await expect(watching).rejects.toThrow("enough");
  await fastTiming.sleep(1000);
  const calls = service.calls();
  await fastTiming.sleep(10_000);
  expect(service.calls()).toBe(calls);
});

/** A service that holds its answers until their jobs are ended, where the request prefers that. */
async function holding() {
  const held = new Map<string, () => void>();
  const seen: { name: string; prefer: string | undefined }[] = [];
  const { origin, [Symbol.asyncDispose]: dispose } = await listening((request, response) => {
    const [name = ""] = /job-\d+$/.exec(request.url ?? "") ?? [];
    const prefer = request.headers.prefer as string | undefined;
    seen.push({ name, prefer });
    const record = (status: string) => ({ ...job(0, status), jobQrn: name });
    if (prefer) held.set(name, () => send(response, { body: { success: true, data: record("COMPLETED") } }));
    else send(response, { body: { success: true, data: record("RUNNING") } });
  });
  return {
    origin,
    seen,
    async end(name: string) {
      await expect.poll(() => held.has(name)).toBe(true);
      held.get(name)!();
    },
    [Symbol.asyncDispose]: dispose,
  };
}

const slow = { now: () => 0, random: Math.random, sleep: systemTiming.sleep };

test("a service that holds its answer until the job changes is asked once", async () => {
  await using service = await holding();
  const client = openClient({ url: `${service.origin}/api/v1`, apiKey: "k" }, {}, slow);
  const ended = client.watch(job(0));
  await service.end("job-0");
  expect((await ended).status).toBe("COMPLETED");
  expect(service.seen).toEqual([{ name: "job-0", prefer: "wait=1" }]);
});

test("an answer that is held keeps no other job from being watched", async () => {
  await using service = await holding();
  const client = openClient({ url: `${service.origin}/api/v1`, apiKey: "k" }, {}, slow);
  const stop = new AbortController();
  const first = client.watch(job(0), { signal: stop.signal });
  await expect.poll(() => service.seen.length).toBe(1);
  const second = client.watch(job(1));
  await service.end("job-1");
  expect((await second).jobQrn).toBe("job-1");
  await service.end("job-0");
  expect((await first).jobQrn).toBe("job-0");
});

test("no answer is held for longer than a request of the client may take", async () => {
  const { reply } = jobsThatEnd(1, 3);
  const prefers: unknown[] = [];
  await using service = await answering(
    (request, call) => {
      prefers.push(request.headers.prefer);
      return reply(request, call);
    },
    { timeout: 1000 },
  );
  await service.client.watch(job(0));
  expect(prefers).toEqual([undefined, undefined, undefined]);
});
