import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RuntimeJob } from "../../../src/contract/job.ts";
import { loadCatalogue } from "../../../src/service/catalogue/catalogue.ts";
import { backgroundEnds, backgroundWait, deviceAt, outageAt } from "../../../src/service/emulation.ts";
import { type Serving, serving } from "../serving.ts";

const perth = "ibm:emulated:qpu:perth";
const DAY_MS = 86_400_000;
/** A Sunday at noon, on which no device is in maintenance. */
const sunday = Date.parse("2026-11-29T12:00:00Z");
const emulationOf = (job: RuntimeJob) =>
  job.metadata.emulation as {
    timing: string;
    backgroundJobs: number;
    isSimulated: true;
    estimatedStart: string;
  };

describe("an emulated QPU in a classroom", () => {
  let service: Serving;
  let shift = sunday - Date.now();
  beforeAll(async () => {
    service = await serving({ timing: "classroom", shift });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const now = () => Date.now() + shift;
  const pass = (milliseconds: number) => {
    shift += milliseconds;
    service.pass(milliseconds);
  };
  const get = async (qrn: string): Promise<RuntimeJob> =>
    (await service.call("GET", `/jobs/${qrn}`)).body.data;
  const device = async () => (await service.call("GET", `/devices/${perth}`)).body.data;
  /** Waits until simulated jobs of others keep the device busy for some time. */
  const untilBusy = async () => {
    const ends = () => backgroundEnds(loadCatalogue().get(perth)!, "realistic", now() + 5);
    for (let i = 0; i < 1000 && ends().length < 3; i++) pass(10_000);
    expect(ends().length).toBeGreaterThan(2);
  };

  test("queues a job behind simulated ones: its position and estimated start move until it runs", async () => {
    await untilBusy();
    const runtimeOptions = { timing: "realistic" };
    const job = await service.submit({ deviceQrn: perth, shots: 1000, runtimeOptions });
    expect(job.status).toBe("INITIALIZING");
    expect(job.queuePosition).toBeGreaterThan(1);
    const { backgroundJobs, estimatedStart, ...marks } = emulationOf(job);
    expect(marks).toEqual({ timing: "realistic", isSimulated: true });
    expect(backgroundJobs).toBeGreaterThanOrEqual(job.queuePosition!);
    expect(Date.parse(estimatedStart)).toBeGreaterThan(now() - 1000);
    const seen = new Set([job.queuePosition]);
    let last = job;
    while (["INITIALIZING", "QUEUED"].includes(last.status)) {
      seen.add(last.queuePosition);
      pass(2000);
      await sleep(50);
      last = await get(job.jobQrn);
    }
    expect(seen.size).toBeGreaterThan(2);
    expect([...seen]).toEqual([...seen].sort((a, b) => b! - a!));
    const ended = await service.ended(job.jobQrn);
    expect(ended.status).toBe("COMPLETED");
    expect(emulationOf(ended)).toMatchObject({ backgroundJobs, isSimulated: true });
    const { started_at } = await service.store
      .selectFrom("jobs")
      .select("started_at")
      .where("qrn", "=", job.jobQrn)
      .executeTakeFirstOrThrow();
    expect(started_at! - Date.parse(estimatedStart)).toBeGreaterThanOrEqual(0);
    expect(Date.parse(ended.timeStamps.endedAt!) - started_at!).toBeGreaterThanOrEqual(2250);
    expect((await device()).avgQueueTime).toBeGreaterThan(0);
  }, 20_000);

  test("runs one job at a time, while other devices run theirs", async () => {
    const jobs = await Promise.all([1, 2].map(() => service.submit({ deviceQrn: perth, shots: 1000 })));
    pass(10_000);
    for (const { jobQrn } of jobs) await service.ended(jobQrn).catch(() => {});
    const rows = await service.store
      .selectFrom("jobs")
      .select(["started_at", "ended_at"])
      .where(
        "qrn",
        "in",
        jobs.map(({ jobQrn }) => jobQrn),
      )
      .orderBy("started_at")
      .execute();
    expect(rows[1]!.started_at).toBeGreaterThanOrEqual(rows[0]!.ended_at!);
  }, 20_000);

  test("is held by a job, which simulators do not wait for, and which can be cancelled", async () => {
    const options = { runtimeOptions: { timing: "realistic" } };
    const job = await service.submit({ deviceQrn: perth, shots: 100_000, ...options });
    expect(emulationOf(job).timing).toBe("realistic");
    pass(Date.parse(emulationOf(job).estimatedStart) - now() + 1);
    await service.ended(job.jobQrn, "RUNNING");
    for (let i = 0; i < 4; i++)
      expect((await service.ended((await service.submit()).jobQrn)).status).toBe("COMPLETED");
    expect((await get(job.jobQrn)).status).toBe("RUNNING");
    await service.call("POST", `/jobs/${job.jobQrn}/cancel`);
    expect(await service.ended(job.jobQrn)).toMatchObject({ status: "CANCELLED", cost: 0 });
  }, 20_000);

  test("takes no longer than the simulation when it is told to", async () => {
    const job = await service.submit({
      deviceQrn: perth,
      shots: 1000,
      runtimeOptions: { timing: "instant" },
    });
    expect(job.queuePosition).toBe(0);
    const { timeStamps } = await service.ended(job.jobQrn);
    expect(timeStamps.executionDuration).toBeGreaterThan(2000);
  });

  test("refuses jobs while it is calibrated and in maintenance, says until when, and runs what was queued after that", async () => {
    const goTo = (time: number) => pass(time - now());
    const day = Math.ceil(now() / DAY_MS) * DAY_MS;
    goTo(day + 6 * 3_600_000 - 2000);
    const waiting = await service.submit({
      deviceQrn: perth,
      shots: 1000,
      runtimeOptions: { timing: "realistic" },
    });
    goTo(day + 6 * 3_600_000 + 1000);
    const calibrated = await device();
    expect(calibrated).toMatchObject({
      status: "UNAVAILABLE",
      nextAvailable: expect.stringContaining("T06:00:20"),
    });
    const refused = await service.call("POST", "/jobs", {
      deviceQrn: perth,
      shots: 10,
      program: { format: "qasm3", data: "" },
    });
    expect([refused.status, refused.body.error.code]).toEqual([409, "DEVICE_NOT_AVAILABLE"]);
    const listed = (await service.call("GET", "/devices?status=UNAVAILABLE")).body.data;
    expect(listed.map(({ qrn }: { qrn: string }) => qrn)).toContain(perth);
    expect((await get(waiting.jobQrn)).status).toBe("QUEUED");
    pass(3_600_000);
    expect(await device()).toMatchObject({ status: "ONLINE", nextAvailable: null });
    await service.ended(waiting.jobQrn, "RUNNING");
    pass(3_600_000);
    expect((await service.ended(waiting.jobQrn)).status).toBe("COMPLETED");
    goTo(Date.parse("2026-12-07T03:01:00Z"));
    expect(await device()).toMatchObject({
      status: "OFFLINE",
      statusMsg: expect.stringContaining("maintenance"),
    });
  }, 30_000);
});

describe("the timetable of emulated QPUs", () => {
  const devices = [...loadCatalogue().values()].filter(({ execution }) => execution);

  test.each(devices)(
    "of $name: jobs of others end one after the other, and are the same whenever asked",
    device => {
      const times = fc.integer({ min: Date.parse("2026-01-01"), max: Date.parse("2030-01-01") });
      fc.assert(
        fc.property(times, fc.constantFrom("classroom" as const, "realistic" as const), (time, timing) => {
          const ends = backgroundEnds(device, timing, time);
          expect(ends).toEqual([...ends].sort((a, b) => a - b));
          expect(ends.every(end => end > time)).toBe(true);
          expect(backgroundEnds(device, timing, time)).toEqual(ends);
        }),
        { numRuns: 30 },
      );
      expect(backgroundEnds(device, "instant", sunday)).toEqual([]);
      expect(backgroundWait(device, "classroom", sunday)).toBeLessThan(5000);
      expect(backgroundWait(device, "realistic", sunday)).toBeGreaterThan(10_000);
    },
  );

  test("leaves a device that takes jobs at any time", () => {
    for (let time = sunday; time < sunday + 7 * DAY_MS; time += 60_000) {
      const minute = new Date(time).toISOString().slice(11, 16);
      if (minute !== "06:00") expect(devices.some(device => !outageAt(device, time))).toBe(true);
    }
    const [first] = devices;
    expect(deviceAt(first!, sunday)).toBe(first);
  });
});
