import { expect, expectTypeOf, test } from "vitest";
import type { JobGroup, RuntimeDevice, RuntimeJob, SimulatorUsage } from "../../src/client.ts";
import {
  createGroup,
  type Device,
  devices,
  groups,
  type Job,
  jobs,
  Result,
  Results,
  run,
  spending,
  usage,
} from "../../src/index.ts";
import { bundleOf } from "./bundle.ts";
import { useServiceHere } from "./own-service.ts";
import { bell } from "./programs.ts";

await useServiceHere();

test("rows of a list are typed records", async () => {
  const { job } = await run(bell).shots(5);
  await createGroup({ name: "homework" });
  expectTypeOf((await jobs()).toRows()).toEqualTypeOf<RuntimeJob[]>();
  expectTypeOf((await devices()).toRows()).toEqualTypeOf<RuntimeDevice[]>();
  expectTypeOf((await groups()).toRows()).toEqualTypeOf<JobGroup[]>();
  expectTypeOf((await usage()).toRows()).toEqualTypeOf<SimulatorUsage[]>();
  expect((await jobs()).toRows()[0]!.jobQrn).toBe(job.qrn);
  expect((await groups()).toRows()[0]!.groupJobQrn).toMatch(/^group:/);
});

test("rows of results are typed too", async () => {
  const results = await run([bell, bell]).shots(5);
  const [row] = results[0]!.toRows();
  expectTypeOf(row!.probability).toEqualTypeOf<number | undefined>();
  expectTypeOf(row!.energy).toEqualTypeOf<number | null | undefined>();
  expect(row!.outcome).toMatch(/^[01]{2}$/);
  expect(results.toRows().at(-1)!.program).toBe(1);
});

test("a part of a list, and a list in another order, are lists of the same kind", async () => {
  const all = await devices();
  const qpus = all.filter(({ deviceType }) => deviceType === "QPU");
  const least = all.toSorted((a, b) => (a.numberQubits ?? 0) - (b.numberQubits ?? 0));
  for (const list of [qpus, qpus.slice(0, 1), least, all.toReversed()]) {
    expectTypeOf(list).toEqualTypeOf(all);
    expect(list.constructor).toBe(all.constructor);
    expect(bundleOf(list)["text/html"]).toContain("<table");
  }
  expect(qpus.slice(0, 1).toCSV().split("\r\n")).toHaveLength(3);
  expect([String(qpus), String(qpus.slice(0, 1)), String(least)]).toEqual([
    `${qpus.length} devices`,
    "1 device",
    String(all),
  ]);
  expect(all.toReversed()[0]).toBe(all.at(-1));
  const kept = all.filter((device): device is Device & { modality: string } => device.modality !== null);
  expectTypeOf(kept[0]!.modality).toEqualTypeOf<string>();
  const names = all.map(({ name }) => name);
  expectTypeOf(names).toEqualTypeOf<string[]>();
  expect(names.constructor).toBe(Array);
  expect(all.flatMap(device => [device]).constructor).toBe(Array);
  const none: Job[] = (await jobs()).filter(() => false);
  expect(none).toHaveLength(0);
});

test("a list says how many there are while it has them all or the first of them, and of a part only its own", async () => {
  await run(bell).shots(1);
  const first = await jobs().limit(1);
  expect(first.total).toBeGreaterThan(1);
  expect(String(first.toSorted())).toBe(`1 of ${first.total} jobs`);
  const { total } = (await jobs()).slice(0, 1);
  expect(total).toBeNull();
});

test("a part of what was spent sums up its own jobs, each counted once", async () => {
  await run(bell).tagged({ course: "qc", week: 3 }).shots(5);
  await run(bell).tagged({ course: "qc" }).shots(5);
  const tags = await spending({ by: "tag" });
  const course = tags.filter(({ key }) => key === "course: qc");
  const both = tags.filter(({ key }) => key !== "untagged");
  expect([course.jobs, both.jobs, course.cost]).toEqual([2, 2, both.cost]);
  expect(course.cost).toBeCloseTo(course[0]!.cost, 6);
  expect(tags.jobs).toBeGreaterThan(2);
  expect(tags.toSorted().cost).toBe(tags.cost);
  expect(course.table().text).toContain("2 jobs");
});

test("parts of the other lists keep what they are about", async () => {
  const today = (await usage("statevector").days(3)).slice(-1);
  expect(String(today)).toBe("1 day");
  expect(today.bars().toText()).toContain("svc:svc:sim:statevector");
  const top = (await run(bell).shots(0)).top().slice(0, 1);
  expect(String(top)).toMatch(/^Likeliest 1 of 2 outcomes: /);
  expect(String((await usage().days(1)).filter(({ count }) => count > 0))).toMatch(/jobs on 1 simulator,/);
});

test("results of a batch know what it cost, and a part of them what its programs cost; their table leaves that to the job", async () => {
  const results = await run([bell, bell, bell]).shots(5);
  const { cost } = results[0]!.job;
  expect(results.cost).toBe(cost);
  expect(results.slice(0, 2).cost).toBeCloseTo(results[0]!.cost! + results[1]!.cost!, 6);
  const { text } = results.table();
  expect(text).toMatch(/^3 results\n.* Share$/m);
  expect(text).not.toContain("redit");
  const made = Results.from([Result.from({ resultData: { measurementCounts: { "0": 1 } } })]) as Results;
  expect(made.cost).toBeNull();
});

test("tables, rows and what a deletion did have words of their own in a string", async () => {
  const name = `to be deleted ${Date.now()}`;
  const { job } = await run(bell).named(name).tagged({ use: "words" }).shots(5);
  const spent = await spending({ by: { tag: "use" }, tag: "use" });
  expect(String(spent.table())).toBe(spent.table().text);
  expect(`${spent[0]}`).toBe("use: words: 0.375 credits by 1 job");
  expect(spent[0]!.toString()).toBe(String(spent[0]));
  expect(JSON.parse(JSON.stringify(spent[0]))).toEqual(spent.toRows()[0]);
  expect(Object.keys(spent[0]!)).toEqual(["key", "cost", "estimated", "jobs", "shots"]);
  const used = (await usage()).find(({ deviceQrn }) => deviceQrn === job.record.deviceQrn);
  expect(String(used)).toMatch(/^svc:svc:sim:statevector: \d+ jobs? today$/);
  const [today] = await usage("statevector").days(1);
  expect(String(today)).toMatch(/^\d{4}-\d\d-\d\d: \d+ jobs?$/);
  expect(String((await usage().days(1))[0])).toMatch(/^\d{4}-\d\d-\d\d: \d+ jobs? on svc:/);
  const deleted = await jobs({ search: name }).delete();
  expect(deleted).toEqual({ successfulIds: [job.qrn], failedIds: {}, stillRunning: [] });
  expect(`${deleted}`).toBe("1 job deleted");
});
