import { afterAll, beforeAll, expect, test } from "vitest";
import { readWait } from "../../../src/service/http/queries.ts";
import { createJobChanges } from "../../../src/service/queue/job-queue.ts";
import { type Caller, endlessOn12 as endless, type Serving, serving } from "../serving.ts";

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service[Symbol.asyncDispose]());

const held = (user: Caller, qrn: string, seconds = 10) =>
  user.call("GET", `/jobs/${qrn}`, undefined, { prefer: `wait=${seconds}` });

/** Submits jobs that run without end, until one waits for the others. */
async function crowd(user: Caller): Promise<string[]> {
  const jobs = await Promise.all(Array.from({ length: 6 }, () => user.submit({ program: endless })));
  return jobs.map(({ jobQrn }) => jobQrn);
}

test("a request that prefers to wait is answered when its job changes, and others meanwhile", async () => {
  const user = await service.user({ tier: "local" });
  const jobs = await crowd(user);
  const last = jobs.at(-1)!;
  let isAnswered = false;
  const answer = held(user, last).finally(() => {
    isAnswered = true;
  });
  for (let at = 0; at < 20; at += 1) expect((await user.call("GET", `/jobs/${last}`)).status).toBe(200);
  expect(isAnswered).toBe(false);
  await user.call("POST", `/jobs/${last}/cancel`);
  expect((await answer).body.data).toMatchObject({ jobQrn: last, status: "CANCELLED" });
  for (const qrn of jobs.slice(0, -1)) await user.call("POST", `/jobs/${qrn}/cancel`);
  for (const qrn of jobs) await user.ended(qrn);
});

test("a job that runs is answered with each status until it has ended", async () => {
  const { jobQrn } = await service.submit();
  let status = "INITIALIZING";
  for (let requests = 0; requests < 5 && status !== "COMPLETED"; requests += 1)
    status = (await held(service, jobQrn)).body.data.status;
  expect(status).toBe("COMPLETED");
  expect((await held(service, jobQrn)).body.data.status).toBe("COMPLETED");
});

test("who waits for a job that is not theirs is told so", async () => {
  const { jobQrn } = await service.submit({ program: endless });
  const other = await service.user();
  expect((await held(other, jobQrn)).status).toBe(404);
  await service.call("POST", `/jobs/${jobQrn}/cancel`);
  await service.ended(jobQrn);
});

test("requests that wait are answered when the service stops", async () => {
  await using stopping = await serving();
  const jobs = await crowd(stopping);
  const answer = held(stopping, jobs.at(-1)!);
  for (let at = 0; at < 10; at += 1) await stopping.call("GET", "/jobs/statuses");
  await stopping.service.stop();
  expect((await answer).status).toBe(200);
});

test("those who wait for a job are let go by each change of it, after their time, and at the end", async () => {
  const changes = createJobChanges();
  const settled: string[] = [];
  const wait = (name: string, seq: number, ms: number) =>
    changes.next(seq, ms).then(() => settled.push(name));
  const both = [wait("first", 1, 60_000), wait("second", 1, 60_000)];
  const other = wait("other", 2, 60_000);
  changes.notify(3);
  changes.notify(1);
  await Promise.all(both);
  expect(settled).toEqual(["first", "second"]);
  await wait("short", 1, 1);
  changes.close();
  await other;
  await wait("late", 1, 60_000);
  expect(settled).toEqual(["first", "second", "short", "other", "late"]);
});

test.each([
  [undefined, 0],
  ["", 0],
  ["wait=5", 5000],
  ["respond-async, Wait = 7", 7000],
  ['wait="3"; x=y, handling=lenient', 3000],
  ["wait=99999", 10_000],
  ["wait=-1", 0],
  ["wait=1.5", 0],
  ["await=5", 0],
  ["wait", 0],
])("Prefer: %s waits for at most %i ms", (prefer, ms) => {
  expect(readWait(prefer)).toBe(ms);
});
