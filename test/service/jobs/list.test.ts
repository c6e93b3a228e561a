import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RuntimeJob } from "../../../src/contract/job.ts";
import { bell, type Serving, serving, statevector } from "../serving.ts";

const devices = [statevector, "aws:emulated:qpu:garnet"];
const words = ["alpha", "Beta", "a_b", "a%b", "x\\y", "é"];
const tagValues = ["one", "1", 1, true, "true"];

let service: Serving;
let jobs: RuntimeJob[];
beforeAll(async () => {
  service = await serving();
  const made: RuntimeJob[] = [];
  for (let at = 0; at < 40; at += 1) {
    const program = at % 7 === 0 ? { ...bell, data: "nonsense" } : bell;
    const tags = Object.fromEntries(
      ["t", "u"].slice(0, at % 3).map((key, by) => [key, tagValues[(at * 3 + by) % 5]!]),
    );
    const name = at % 4 === 0 ? null : `${words[at % 6]} ${words[(at * 5) % 6]}`;
    made.push(
      await service.submit({ deviceQrn: devices[at % 5 === 0 ? 1 : 0], program, tags, name, shots: 1 }),
    );
  }
  const ended = await Promise.all(made.map(job => service.ended(job.jobQrn)));
  for (const job of ended.filter((_, at) => at % 9 === 0))
    await service.call("DELETE", `/jobs/${job.jobQrn}`);
  jobs = ended.filter((_, at) => at % 9 !== 0).reverse();
});
afterAll(() => service[Symbol.asyncDispose]());

interface Asked {
  vendor?: string;
  provider?: string;
  status?: string;
  statusGroup?: string;
  search?: string;
  tags?: Record<string, string | number | boolean>;
}

/** What the list should hold, told in the plainest way. */
function matches(
  job: RuntimeJob,
  { vendor, provider, status, statusGroup, search, tags = {} }: Asked,
): boolean {
  const said = [job.name ?? "", job.jobQrn, ...Object.entries(job.tags).flat().map(String)];
  return (
    (!vendor || vendor === "all" || job.vendor === vendor) &&
    (!provider || job.provider === provider) &&
    (status ? job.status === status : statusGroup !== "pending") &&
    (!search || said.some(text => text.toLowerCase().includes(search.toLowerCase()))) &&
    Object.entries(tags).every(([key, value]) => job.tags[key] === value)
  );
}

test("any mix of filters finds what it should, page by page", { timeout: 60_000 }, async () => {
  const asked = fc.record(
    {
      vendor: fc.constantFrom("all", "svc", "aws", "ionq"),
      provider: fc.constantFrom("svc", "emulated", "none"),
      status: fc.constantFrom("COMPLETED", "FAILED", "QUEUED"),
      statusGroup: fc.constantFrom("all", "pending", "returned"),
      search: fc.constantFrom(...words, "QJOB", "_", "%", "\\", "t", "one"),
      tags: fc.dictionary(fc.constantFrom("t", "u"), fc.constantFrom(...tagValues)),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(
      asked,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 4 }),
      async (query, limit, page) => {
        const { tags, ...rest } = query;
        const parameters = new URLSearchParams({ ...rest, ...(tags ? { tags: JSON.stringify(tags) } : {}) });
        const { data, pagination } = (
          await service.call("GET", `/jobs?limit=${limit}&page=${page}&${parameters}`)
        ).body;
        const expected = jobs.filter(job => matches(job, query));
        expect(pagination.total).toBe(expected.length);
        expect(data.map((job: RuntimeJob) => job.jobQrn)).toEqual(
          expected.slice((page - 1) * limit, page * limit).map(job => job.jobQrn),
        );
      },
    ),
    { numRuns: 120 },
  );
});

test("a list is narrowed by twenty tags, and refused with more", async () => {
  const tagged = (count: number) => {
    const tags = Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
    return service.call("GET", `/jobs?tags=${encodeURIComponent(JSON.stringify(tags))}`);
  };
  expect((await tagged(20)).status).toBe(200);
  for (const count of [21, 1500]) {
    const { status, body } = await tagged(count);
    expect([status, body.error.details]).toEqual([
      400,
      [{ path: "tags", message: "must name at most 20 tags" }],
    ]);
  }
});
