import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newFolder } from "../../folder.ts";
import { bell, caller, endlessOn12 as endless, type Serving, serving } from "../serving.ts";

const sparse = "svc:svc:sim:sparse";
const waiting = ["INITIALIZING", "QUEUED"];

describe("many users", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test("a user's job runs while three others hold every slot with jobs without end", async () => {
    const greedy = await Promise.all([service.user(), service.user(), service.user()]);
    const jobs = await Promise.all(
      greedy.flatMap(user =>
        Array.from({ length: 3 }, async () => ({ user, job: await user.submit({ program: endless }) })),
      ),
    );
    const modest = await service.user();
    const { jobQrn } = await modest.submit();
    await modest.ended(jobQrn, "COMPLETED");
    const late = await (await service.user()).submit();
    expect(late.status).toBe("INITIALIZING");
    const records = await Promise.all(jobs.map(({ user, job }) => user.call("GET", `/jobs/${job.jobQrn}`)));
    expect(records.map(({ body }) => body.data.status)).not.toContain("FAILED");
    await Promise.all(jobs.map(({ user, job }) => user.call("POST", `/jobs/${job.jobQrn}/cancel`)));
    for (const { user, job } of jobs) await user.ended(job.jobQrn, "CANCELLED");
  });

  test("a user's job is done long before the many that another submitted earlier, as its position says", async () => {
    const [greedy, modest] = await Promise.all([service.user(), service.user()]);
    const submit = (count: number, program: object) =>
      Promise.all(Array.from({ length: count }, () => greedy.submit({ deviceQrn: sparse, program })));
    const holding = await submit(2, endless);
    await submit(30, bell);
    const job = await modest.submit({ deviceQrn: sparse });
    const ended = await modest.ended(job.jobQrn, "COMPLETED");
    expect(ended.queuePosition).toBeNull();
    const { data } = (await greedy.call("GET", "/jobs/statuses")).body;
    const left = waiting.reduce((sum, status) => sum + data[status], 0);
    expect(job.queuePosition).toBeLessThan(10);
    expect(left).toBeGreaterThan(20);
    for (const { jobQrn } of holding) await greedy.call("POST", `/jobs/${jobQrn}/cancel`);
    for (const { jobQrn } of holding) await greedy.ended(jobQrn, "CANCELLED");
  });

  test("positions of one user's waiting jobs count up, and are none once a job has ended", async () => {
    await using alone = await serving();
    const user = await alone.user();
    const holding = await Promise.all([1, 2].map(() => user.submit({ deviceQrn: sparse, program: endless })));
    for (const { jobQrn } of holding) await user.ended(jobQrn, "RUNNING");
    const jobs = [];
    for (let at = 0; at < 4; at += 1) jobs.push(await user.submit({ deviceQrn: sparse }));
    const positions = async () =>
      (await user.call("GET", "/jobs?limit=4")).body.data.map(
        (each: { queuePosition: unknown }) => each.queuePosition,
      );
    expect(await positions()).toEqual([5, 4, 3, 2]);
    await user.call("POST", `/jobs/${jobs[1]!.jobQrn}/cancel`);
    await user.ended(jobs[1]!.jobQrn, "CANCELLED");
    expect(await positions()).toEqual([4, 3, null, 2]);
    for (const { jobQrn } of holding) await user.call("POST", `/jobs/${jobQrn}/cancel`);
    for (const { jobQrn } of [jobs[0]!, jobs[2]!, jobs[3]!]) await user.ended(jobQrn, "COMPLETED");
    expect(await positions()).toEqual([null, null, null, null]);
  });

  test("what waits when the service ends waits on at the next start, in turns", async () => {
    const folder = newFolder();
    const jobs: { qrn: string; key: string }[] = [];
    const first = await serving({ folder });
    const [greedy, modest] = [await first.user(), await first.user()];
    for (const program of [endless, endless, bell, bell, bell])
      jobs.push({ qrn: (await greedy.submit({ program })).jobQrn, key: greedy.key });
    const { jobQrn } = await modest.submit();
    await modest.ended(jobQrn, "COMPLETED");
    await first.service.stop();
    await using second = await serving({ folder });
    const positions = await Promise.all(
      jobs.slice(2).map(async ({ qrn, key }) => {
        const { body } = await caller(second.service.url, key).call("GET", `/jobs/${qrn}`);
        return body.data.queuePosition;
      }),
    );
    expect(positions).toEqual([2, 3, 4]);
  });
});
