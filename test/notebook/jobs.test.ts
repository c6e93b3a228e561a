import { beforeAll, expect, test } from "vitest";
import { jobs, run } from "../../src/index.ts";
import { bundleOf } from "./bundle.ts";
import { useServiceHere } from "./own-service.ts";
import { bell } from "./programs.ts";

await useServiceHere();

beforeAll(async () => {
  const round = (index: number) =>
    run(bell)
      .shots(10)
      .named(index % 2 ? `odd ${index}` : `even ${index}`)
      .tagged({ index });
  for (let index = 0; index < 7; index += 1) await round(index);
});

test("jobs() lists your jobs, the newest first, as a table", async () => {
  const all = await jobs();
  expect(all.map(job => job.record.tags.index)).toEqual([6, 5, 4, 3, 2, 1, 0]);
  expect(bundleOf(all)["text/html"]).toContain("<table");
});

test("jobs are narrowed by status, word, tag and function", async () => {
  expect(await jobs({ status: "FAILED" })).toHaveLength(0);
  expect(await jobs({ search: "odd" })).toHaveLength(3);
  expect(await jobs({ tags: { index: 4 } })).toHaveLength(1);
  expect(await jobs().filter(job => Number(job.record.tags.index) > 4)).toHaveLength(2);
});

test("limit asks for no more, and first for one", async () => {
  expect(await jobs().limit(2)).toHaveLength(2);
  expect((await jobs({ search: "even" }).first())?.record.name).toBe("even 6");
  expect(await jobs({ search: "nobody" }).first()).toBeUndefined();
  expect(() => jobs().limit(0)).toThrow("limit(0)");
});

test("for await goes through every page and stops where the reader stops", async () => {
  const seen: unknown[] = [];
  for await (const job of jobs()) {
    seen.push(job.record.tags.index);
    if (seen.length === 3) break;
  }
  expect(seen).toEqual([6, 5, 4]);
});

test("the summary counts all jobs, and shows itself", async () => {
  const summary = await jobs().summary();
  expect(summary).toMatchObject({ total: 7, statuses: { COMPLETED: 7 }, shots: { total: 70, average: 10 } });
  expect(bundleOf(summary)["text/plain"]).toContain("7 jobs");
});
