import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toMicro } from "../../../src/service/billing/price.ts";
import { bell, type Serving, serving, statevector } from "../serving.ts";

describe("the quote of a batch", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const batch = (programs: number) => Array.from({ length: programs }, () => bell);
  const ask = (device: string, query: string) =>
    service.call("GET", `/jobs/cost-estimate?deviceQrn=${device}&${query}`);
  const quote = async (device: string, query: string) => (await ask(device, query)).body.data;

  test("counts the task and the shots of each program, and is what the batch then costs", async () => {
    const garnet = "aws:emulated:qpu:garnet";
    const quoted = await quote(garnet, "shots=1000&programs=50");
    expect(quoted).toMatchObject({
      programs: 50,
      shots: 1000,
      estimatedCost: 8750,
      breakdown: { task: 1500, shots: 7250, time: 0 },
    });
    expect(await quote(garnet, "shots=1000")).toMatchObject({ programs: 1, estimatedCost: 175 });
    const job = await service.submit({ deviceQrn: garnet, shots: 1000, program: batch(50) });
    expect(job.estimatedCost).toBe(8750);
    expect((await service.ended(job.jobQrn)).cost).toBe(8750);
  });

  test("is of the device's history: what a run takes, each program, and each shot", async () => {
    const perth = "ibm:emulated:qpu:perth";
    expect(await quote(perth, "programs=2000")).toMatchObject({
      pricingAvailable: false,
      reason: "dynamic_pricing_unavailable",
    });
    let perShot = 0;
    for (const [programs, shots] of [
      [1, 1000],
      [1, 100],
      [20, 1000],
      [60, 100],
      [1, 4000],
      [200, 50],
    ] as const) {
      const { jobQrn } = await service.submit({ deviceQrn: perth, shots, program: batch(programs) });
      const { metadata } = await service.ended(jobQrn);
      perShot = 250 + (metadata.shotDuration as number);
    }
    const quoted = await quote(perth, "programs=2000&shots=1000");
    const cost = ((2e6 + 2e6 * perShot) / 60e6) * 9600;
    expect(quoted.estimatedCost / cost).toBeGreaterThan(0.9);
    expect(quoted.estimatedCost / cost).toBeLessThan(1.1);
    expect(quoted.breakdown).toEqual({ task: 0, shots: 0, time: quoted.estimatedCost });
    expect(quoted.basis).toContain("6 runs");

    const user = await service.user({ grant: toMicro(1e6) });
    const job = await user.submit({ deviceQrn: perth, shots: 1000, program: batch(2000) });
    await user.call("POST", `/jobs/${job.jobQrn}/cancel`);
    expect(job.estimatedCost).toBe(quoted.estimatedCost);
    const { amount } = await service.store
      .selectFrom("ledger_holds")
      .innerJoin("jobs", "jobs.seq", "ledger_holds.job_seq")
      .select("amount")
      .where("qrn", "=", job.jobQrn)
      .executeTakeFirstOrThrow();
    expect(amount).toBe(Math.round(quoted.estimatedCost * 1e6));
  });

  test("on a simulator of which no time is known is that of one small program", async () => {
    expect(await quote(statevector, "programs=2000")).toMatchObject({ programs: 2000, estimatedCost: 0.375 });
  });

  test("on a simulator is that of the time that its caller expects, and of the least time that is charged", async () => {
    expect(await quote(statevector, "seconds=20")).toMatchObject({ estimatedCost: 2.5 });
    expect(await quote(statevector, "seconds=0.01")).toMatchObject({
      estimatedCost: 0.375,
      basis: expect.stringContaining("at least 3 s are charged"),
    });
    expect((await ask(statevector, "seconds=-1")).status).toBe(400);
  });

  test("of a small program on a simulator is what its submission holds: little credit runs it", async () => {
    const user = await service.user({ grant: toMicro(1) });
    const loop = { ...bell, data: bell.data.replace("h q[0];", "for uint i in [0:2] { h q[0]; }") };
    for (const program of [bell, [bell, loop]]) {
      const job = await user.submit({ deviceQrn: statevector, program });
      expect(job.estimatedCost).toBe(0.375);
      await user.ended(job.jobQrn);
    }
    const unknown = {
      ...bell,
      data: bell.data.replace("h q[0];", "bit b; while (!b) { h q[0]; b = measure q[0]; }"),
    };
    const refused = await user.call("POST", "/jobs", {
      deviceQrn: statevector,
      shots: 100,
      program: unknown,
    });
    expect([refused.status, refused.body.error.code]).toEqual([402, "INSUFFICIENT_CREDITS"]);
  });

  test.each(["0", "2001", "1.5", "x", ""])("of %s programs is refused with 400", async programs => {
    const { status, body } = await ask(statevector, `programs=${programs}`);
    expect([status, body.error.details[0].path]).toEqual([400, "programs"]);
  });
});
