import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RuntimeJob } from "../../../src/contract/job.ts";
import type { RuntimeResult } from "../../../src/contract/result.ts";
import { splitAmount, toMicro } from "../../../src/service/billing/price.ts";
import { programSeed } from "../../../src/service/workers/worker.ts";
import { bell, type Serving, serving } from "../serving.ts";

const perth = "ibm:emulated:qpu:perth";
const wide = {
  format: "qasm3",
  data: 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[14] q;\nbit[14] c;\nh q;\nt q;\nh q;\nc = measure q;',
};
const total = (values: readonly (number | null)[]) =>
  values.reduce((sum: number, value) => sum + toMicro(value ?? Number.NaN), 0);

describe("a batch", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  async function run(changes: object): Promise<{ job: RuntimeJob; results: RuntimeResult[] }> {
    const job = await service.ended((await service.submit(changes)).jobQrn);
    expect(job.status).toBe("COMPLETED");
    return { job, results: await resultsOf(job) };
  }
  const resultsOf = async ({ jobQrn }: RuntimeJob): Promise<RuntimeResult[]> =>
    [(await service.call("GET", `/jobs/${jobQrn}/result`)).body.data].flat();
  const counts = (results: RuntimeResult[]) => results.map(result => result.resultData.measurementCounts);

  test("says of each program what it cost and how long it ran; together that is the job's", async () => {
    const { job, results } = await run({ deviceQrn: perth, program: [bell, ...Array(6).fill(bell)] });
    const times = results.map(result => result.timeStamps.executionDuration!);
    expect(total(results.map(result => result.cost))).toBe(toMicro(job.cost!));
    expect(times.every(time => time > 0)).toBe(true);
    expect(
      Math.abs(times.reduce((sum, time) => sum + time, 0) - job.timeStamps.executionDuration!),
    ).toBeLessThanOrEqual(times.length);
    for (const [at, { cost, timeStamps }] of results.entries()) {
      expect(cost! / ((times[at]! / 60_000) * 9600)).toBeCloseTo(1, 2);
      expect(timeStamps).toMatchObject({ createdAt: job.createdAt, endedAt: job.timeStamps.endedAt });
    }
  });

  test("charges each program its task, its shots, and its share of the time that is charged at least", async () => {
    const garnet = await run({ deviceQrn: "aws:emulated:qpu:garnet", program: [bell, bell], shots: 100 });
    expect(garnet.results.map(result => result.cost)).toEqual([44.5, 44.5]);
    const statevector = await run({ program: [bell, wide, bell] });
    expect(statevector.job.cost).toBe(0.375);
    const costs = statevector.results.map(result => result.cost!);
    expect(total(costs)).toBe(toMicro(0.375));
    expect(costs[1]).toBeGreaterThan(costs[2]!);
  });

  test("costs the whole of it in version 1", async () => {
    const { job } = await run({ program: [bell, bell] });
    const answer = await fetch(`${service.service.legacyUrl}/quantum-jobs/result/${job.jobQrn}`, {
      headers: { "api-key": service.service.apiKey },
    });
    expect(await answer.json()).toMatchObject({ cost: 0.375, timeStamps: job.timeStamps });
  });

  test.each(["svc:svc:sim:statevector", "svc:svc:sim:sparse", "svc:svc:sim:noisy", perth])(
    "draws each program on %s from a stream of its own, the same for the same seed",
    async deviceQrn => {
      const changes = { deviceQrn, shots: 1000, runtimeOptions: { seed: 7, memory: true } };
      const memory = (results: RuntimeResult[]) => results.map(result => result.resultData.measurements);
      const alone = (await run({ ...changes, program: bell })).results;
      const batch = { ...changes, program: [bell, bell, bell] };
      const [first, second] = await Promise.all([run(batch), run(batch), run(batch)]);
      const drawn = memory(first.results);
      expect(memory(second.results)).toEqual(drawn);
      expect(drawn[0]).toEqual(memory(alone)[0]);
      expect(new Set(drawn.map(each => each!.join(""))).size).toBe(3);
      const third = { ...changes, program: bell, runtimeOptions: { seed: programSeed(7, 2), memory: true } };
      expect(memory((await run(third)).results)[0]).toEqual(drawn[2]);
    },
  );

  test("under the seed that was drawn for another repeats it", async () => {
    const batch = { program: [bell, bell, wide] };
    const { job, results } = await run(batch);
    const again = await run({ ...batch, runtimeOptions: { seed: job.metadata.seed } });
    expect(counts(again.results)).toEqual(counts(results));
  });

  test("of equal programs scatters as independent runs do", async () => {
    const programs = 400;
    const shots = 100;
    const { results } = await run({
      program: Array(programs).fill(bell),
      shots,
      runtimeOptions: { seed: 1 },
    });
    const deviations = counts(results).map(each => (each?.["00"] ?? 0) - shots / 2);
    const chiSquare = deviations.reduce((sum, deviation) => sum + deviation ** 2 / (shots / 4), 0);
    expect(Math.abs(chiSquare - programs)).toBeLessThan(4 * Math.sqrt(2 * programs));
    const next = deviations.slice(1).reduce((sum, each, at) => sum + each * deviations[at]!, 0);
    expect(Math.abs(next) / (shots / 4)).toBeLessThan(4 * Math.sqrt(programs));
  });
});

test("program 0 has the job's seed, and no two programs the same", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), seed => {
      const seeds = Array.from({ length: 2000 }, (_, index) => programSeed(seed, index));
      expect(seeds[0]).toBe(seed);
      expect(new Set(seeds).size).toBe(2000);
      expect(seeds.every(Number.isSafeInteger)).toBe(true);
    }),
    { numRuns: 10 },
  );
});

test("the parts of an amount are whole, sum to it, and are less than 1 away from their weights", () => {
  const weights = fc.array(fc.nat({ max: 1e9 }), { minLength: 1, maxLength: 2000 });
  fc.assert(
    fc.property(fc.nat({ max: 1e12 }), weights, (amount, given) => {
      const parts = splitAmount(amount, given);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount);
      const whole = given.reduce((sum, weight) => sum + weight, 0);
      for (const [at, part] of parts.entries()) {
        const share = whole === 0 ? amount / given.length : (amount * given[at]!) / whole;
        expect(Number.isInteger(part)).toBe(true);
        expect(Math.abs(part - share)).toBeLessThan(1 + 1e-3);
      }
    }),
  );
});
