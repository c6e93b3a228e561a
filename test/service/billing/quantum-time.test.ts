import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditLedger } from "../../../src/service/billing/ledger.ts";
import { bell, type Serving, serving } from "../serving.ts";

const perth = "ibm:emulated:qpu:perth";

describe("the bill of an emulated QPU", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const bill = async (changes: object = {}) => {
    const job = await service.submit({ deviceQrn: perth, shots: 1000, ...changes });
    return service.ended(job.jobQrn);
  };

  test("is of shots, schedule and overhead: the same job costs the same", async () => {
    const [first, second] = [await bill(), await bill()];
    expect(second.cost).toBe(first.cost);
    const executionDuration = Number(first.metadata.executionMicroseconds) / 1000;
    expect(second.metadata.executionMicroseconds).toBe(first.metadata.executionMicroseconds);
    const shot = first.metadata.shotDuration as number;
    expect(shot).toBeGreaterThan(1);
    expect(shot).toBeLessThan(10);
    expect(executionDuration).toBeCloseTo(2000 + (1000 * (250 + shot)) / 1000, 2);
    expect(first.cost).toBeCloseTo((9600 / 60_000) * executionDuration, 4);
  });

  test("grows with what the program takes on the device, whatever the host takes", async () => {
    const idle = { ...bell, data: bell.data.replace("h q[0];", "h q[0]; delay[1ms] q[0];") };
    const [short, long] = [await bill(), await bill({ program: idle })];
    expect(long.timeStamps.executionDuration! - short.timeStamps.executionDuration!).toBeCloseTo(1000, 0);
  });

  test.each(["1e30s", "1e308s * 10", "10000s"])(
    "is none for a delay of %s, which no device waits for",
    async delay => {
      const program = { ...bell, data: bell.data.replace("h q[0];", `h q[0]; delay[${delay}] q[0];`) };
      const { status, statusMsg, cost, metadata } = await bill({ program });
      expect([status, cost, metadata.limit]).toEqual(["FAILED", 0, "time"]);
      expect(statusMsg).toMatch(/^The job would keep the device busy for .* hours; a job may take 24\./);
      expect(await auditLedger(service.store)).toEqual([]);
    },
  );

  test("is as quoted, within what the quote states", async () => {
    await bill();
    for (const [shots, program] of [
      [1000, bell],
      [4000, bell],
      [2000, Array.from({ length: 3 }, () => bell)],
    ] as const) {
      const programs = [program].flat().length;
      const path = `/jobs/cost-estimate?deviceQrn=${perth}&shots=${shots}&programs=${programs}`;
      await bill({ shots, program });
      const { estimatedCost, basis } = (await service.call("GET", path)).body.data;
      const [, percent] = /within ([\d.]+) %$/.exec(basis)!;
      const { cost } = await bill({ shots, program });
      expect(Math.abs(estimatedCost / cost! - 1)).toBeLessThan(Number(percent) / 100);
    }
  });

  test("is split over the programs of a batch by their own time", async () => {
    const { jobQrn, cost, timeStamps } = await bill({ program: [bell, bell, bell] });
    const results = (await service.call("GET", `/jobs/${jobQrn}/result`)).body.data;
    const sum = (of: (result: (typeof results)[0]) => number) =>
      results.reduce((total: number, result: (typeof results)[0]) => total + of(result), 0);
    expect(sum(result => result.cost)).toBeCloseTo(cost!, 6);
    const total = sum(result => result.timeStamps.executionDuration);
    expect(Math.abs(total - timeStamps.executionDuration!)).toBeLessThanOrEqual(results.length);
  });

  test("of fixed prices is that of its shots", async () => {
    const garnet = await bill({ deviceQrn: "aws:emulated:qpu:garnet" });
    expect([garnet.estimatedCost, garnet.cost]).toEqual([175, 175]);
    expect(garnet.timeStamps.executionDuration).toBeGreaterThan(1300);
  });
});
