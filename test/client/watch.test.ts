import { expect, test } from "vitest";
import { NotFoundError } from "../../src/client/errors.ts";
import type { RuntimeJob } from "../../src/contract/job.ts";
import { answering } from "./answering.ts";

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

test("one job is asked for by name until it has ended", async () => {
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

test("jobs that are not in the list, such as deleted ones, are asked for by name", async () => {
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

test("a job that has ended already is not asked for", async () => {
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

test("a watcher ends when its signal aborts, and others go on", async () => {
  const { reply } = jobsThatEnd(1, 8);
  await using service = await answering(reply);
  const stop = new AbortController();
  const stopped = service.client.watch(job(0), { signal: stop.signal });
  const going = service.client.watch(job(0));
  stop.abort(new Error("enough"));
  await expect(stopped).rejects.toThrow("enough");
  expect((await going).status).toBe("COMPLETED");
});
