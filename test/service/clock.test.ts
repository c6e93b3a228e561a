import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { steadyClock } from "../../src/service/context.ts";
import { newFolder } from "../folder.ts";
import { type Body, bell, endlessOn12 as endless, type Serving, serving } from "./serving.ts";

const HOUR = 3_600_000;
const steps = [
  ["three hours back", -3 * HOUR],
  ["two hours on", 2 * HOUR],
  ["ten days on", 240 * HOUR],
] as const;

test("a steady clock never runs backwards, nor slower than time passes, and is never behind the system's", () => {
  const moves = fc.array(fc.record({ passed: fc.nat(10_000), step: fc.integer({ min: -1e9, max: 1e9 }) }));
  fc.assert(
    fc.property(moves, each => {
      let [wall, elapsed] = [1e12, 0];
      const clock = steadyClock(
        () => wall,
        undefined,
        () => elapsed,
      );
      let last = clock();
      for (const { passed, step } of each) {
        elapsed += passed;
        wall += passed + step;
        const now = clock();
        expect(now).toBeGreaterThanOrEqual(Math.max(last + passed, wall));
        last = now;
      }
    }),
  );
});

test("a clock that is set back is told of once", () => {
  let wall = 1e12;
  const told: number[] = [];
  const clock = steadyClock(
    () => wall,
    step => told.push(step),
    () => 0,
  );
  for (const step of [0, -400, -5000, 0, 10]) {
    wall += step;
    clock();
  }
  expect(told).toEqual([5000]);
});

describe.each(steps)("when the system's clock is set %s", (_, step) => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test("no job has a negative time, and jobs run on", async () => {
    const running = await service.submit({ program: endless });
    await service.ended(running.jobQrn, "RUNNING");
    service.pass(step);
    await service.call("POST", `/jobs/${running.jobQrn}/cancel`);
    const done = await service.ended((await service.submit()).jobQrn);
    for (const job of [await service.ended(running.jobQrn), done]) checkTimes(job);
    const { data } = (await service.call("GET", `/devices/${done.deviceQrn}`)).body;
    expect(data.avgQueueTime).toBeGreaterThanOrEqual(0);
  });

  test("no group outlives its time", async () => {
    const { data } = (await service.call("POST", "/jobs/group", { maxTTL: 1 })).body;
    service.pass(step);
    await sleep(1100);
    const { status } = (await service.call("GET", `/jobs/group/${data.groupJobQrn}`)).body.data;
    expect(["CLOSED", "COMPLETED"]).toContain(status);
  });

  test("a service that has just been asked is not idle", async () => {
    await service.call("GET", "/devices");
    service.pass(step);
    const idle = await service.service.idleTime();
    expect(idle).toBeGreaterThanOrEqual(0);
    expect(idle).toBeLessThan(60_000);
  });
});

test("a store that was written to while the clock was ahead is read with times in order", async () => {
  const folder = newFolder();
  await using ahead = await serving({ folder, shift: 240 * HOUR });
  const { jobQrn } = await ahead.submit({ program: endless });
  await ahead.ended(jobQrn, "RUNNING");
  const group = (await ahead.call("POST", "/jobs/group", { maxTTL: 1 })).body.data.groupJobQrn;
  await ahead[Symbol.asyncDispose]();
  await using service = await serving({ folder });
  await service.ended(jobQrn, "RUNNING");
  await service.call("POST", `/jobs/${jobQrn}/cancel`);
  checkTimes(await service.ended(jobQrn));
  await sleep(1100);
  const { data } = (await service.call("GET", `/jobs/group/${group}`)).body;
  expect(["CLOSED", "COMPLETED"]).toContain(data.status);
  expect((await service.ended((await service.submit({ program: bell })).jobQrn)).status).toBe("COMPLETED");
});

function checkTimes({ timeStamps, createdAt, updatedAt }: Body): void {
  const { endedAt, executionDuration } = timeStamps;
  expect(Date.parse(endedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
  expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
  if (executionDuration !== null) expect(executionDuration).toBeGreaterThanOrEqual(0);
}
