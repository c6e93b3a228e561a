import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readResult } from "../../../src/service/jobs/results.ts";
import { purgeDeletedJobs } from "../../../src/service/retention.ts";
import { PART_LENGTH } from "../../../src/service/store/documents.ts";
import { transact } from "../../../src/service/store/store.ts";
import { type Body, bell, type Serving, serving } from "../serving.ts";

const shots = 100_000;
/** Three million characters, of which every second one takes two units, cut at odd places; its outputs can't be packed. */
const longBell = { ...bell, data: `${bell.data}\nint n = 1;\n// ${"x𝛙".repeat(1_000_000)}` };
const shotByShot = { program: bell, shots, runtimeOptions: { memory: true, seed: 7 } };

let service: Serving;
let batch: Body;
beforeAll(async () => {
  service = await serving();
  const program = [bell, longBell, bell];
  batch = await service.ended((await service.submit({ ...shotByShot, shots: 90_000, program })).jobQrn);
});
afterAll(() => service[Symbol.asyncDispose]());

const ownCaller = async () => {
  const { id, organization_id } = await service.store
    .selectFrom("users")
    .selectAll()
    .executeTakeFirstOrThrow();
  return {
    userId: id,
    organizationId: organization_id,
    tier: "local",
    allow: undefined,
    keyId: "",
    scope: "admin" as const,
  };
};

const partCounts = async () =>
  Object.fromEntries(
    (
      await service.store
        .selectFrom("job_documents")
        .groupBy("kind")
        .select(eb => ["kind", eb.fn.countAll<number>().as("parts")])
        .execute()
    ).map(({ kind, parts }) => [kind, parts]),
  );

describe("programs and results of more than a million characters", () => {
  test("are answered as they were submitted and computed, each with its record", async () => {
    const { body: programs } = await service.call("GET", `/jobs/${batch.jobQrn}/program`);
    expect(programs.data.map((each: Body) => each.data.length)).toEqual([
      bell.data.length,
      longBell.data.length,
      bell.data.length,
    ]);
    expect(programs.data[1].data === longBell.data).toBe(true);
    const { body: results } = await service.call("GET", `/jobs/${batch.jobQrn}/result`);
    expect(results.data.map((each: Body) => each.status)).toEqual(Array(3).fill("COMPLETED"));
    const total = results.data.reduce((sum: number, { cost }: Body) => sum + cost, 0);
    expect(total).toBeCloseTo(batch.cost, 6);
    for (const { resultData } of results.data) {
      const ones = resultData.measurements.filter((bits: number[]) => bits.join("") === "11").length;
      expect(resultData.measurements).toHaveLength(90_000);
      expect(resultData.outputs).toHaveLength(90_000);
      expect(resultData.measurementCounts["11"]).toBe(ones);
    }
  });

  test("are kept in parts, and short ones whole", async () => {
    const { programs, results, costs, methods } = await partCounts();
    expect([programs! > 8, results! > 4]).toEqual([true, true]);
    expect([costs, methods]).toEqual([1, 1]);
  });

  test("are counted to the byte", async () => {
    const { rows } = await sql<{ bytes: number }>`select
      (select sum(octet_length(body)) from job_documents) as bytes`.execute(service.store);
    expect(await service.store.selectFrom("storage_usage").select("bytes").execute()).toEqual(rows);
  });

  test("are read no more than a part at a time", async () => {
    const { pieces } = await readResult(service.store, await ownCaller(), batch.jobQrn);
    let longest = 0;
    for await (const piece of pieces) longest = Math.max(longest, piece.length);
    expect(longest).toBeLessThanOrEqual(PART_LENGTH + 1);
  });

  test("are those of a job of one program, too, and of version 1", async () => {
    const { jobQrn } = await service.submit({ ...shotByShot, program: longBell });
    await service.ended(jobQrn);
    const { data } = (await service.call("GET", `/jobs/${jobQrn}/program`)).body;
    expect(data.data === longBell.data).toBe(true);
    const legacy = async (path: string): Promise<Body> =>
      (
        await fetch(`${service.service.legacyUrl}/quantum-jobs${path}`, {
          headers: { "api-key": service.service.apiKey },
        })
      ).json();
    const [record] = await legacy(`?svcJobId=${jobQrn}`);
    expect(record.openQasm === longBell.data).toBe(true);
    expect((await legacy(`/result/${jobQrn}`)).measurements).toHaveLength(shots);
    expect((await legacy("")).map((each: Body) => each.openQasm)).toEqual([null, null]);
  });

  test("are gone once a deleted job is purged, also under who reads them", async () => {
    const { pieces } = await readResult(service.store, await ownCaller(), batch.jobQrn);
    const reading = (pieces as AsyncIterable<string>)[Symbol.asyncIterator]();
    for (let read = 0; read < 3; read += 1) await reading.next();
    const jobs = (await service.call("GET", "/jobs")).body.data;
    for (const { jobQrn } of jobs) await service.call("DELETE", `/jobs/${jobQrn}`);
    await transact(service.store, transaction => purgeDeletedJobs(transaction, { now: Date.now() + 1000 }));
    await expect(Array.fromAsync({ [Symbol.asyncIterator]: () => reading })).rejects.toThrow(
      "removed while they were read",
    );
    expect(await partCounts()).toEqual({});
    expect(await service.store.selectFrom("storage_usage").select("bytes").execute()).toEqual([{ bytes: 0 }]);
  });
});
