import { beforeAll, describe, expect, test } from "vitest";
import { paginate } from "../../src/contract/envelope.ts";
import type { RuntimeJob } from "../../src/contract/job.ts";
import { devices, type Job, jobs, Ketbook, KetbookError, run, spending } from "../../src/index.ts";
import { answering } from "../client/answering.ts";
import { job } from "../display/records.ts";
import { bundleOf } from "./bundle.ts";
import { useServiceHere } from "./own-service.ts";
import { bell, endless } from "./programs.ts";

await useServiceHere();

const statevector = "svc:svc:sim:statevector";
const sparse = "svc:svc:sim:sparse";
let made: Job[] = [];
const costOf = (some: readonly Job[]) =>
  some.reduce((sum, { cost }) => sum + Math.round(cost! * 1e6), 0) / 1e6;

beforeAll(async () => {
  await run(bell).on("sparse").shots(40);
  await run([bell, bell]).on("statevector").shots(20).tagged({ course: "qc-2" });
  await run(bell).on("statevector").shots(10).tagged({ course: "qc-1", week: 3 });
  made = await jobs();
});

describe("spending()", () => {
  test("sums the jobs of the last thirty days by day, days without any included", async () => {
    const days = await spending();
    const today = new Date().toISOString().slice(0, 10);
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toEqual({ key: today, cost: costOf(made), estimated: 0, jobs: 3, shots: 90 });
    expect(days.slice(0, -1).every(({ cost, jobs }) => cost === 0 && jobs === 0)).toBe(true);
    expect(days).toMatchObject({ cost: costOf(made), estimated: 0, jobs: 3, shots: 90 });
    expect(costOf(made)).toBeGreaterThan(0);
  });

  test("sums by device, the most expensive first", async () => {
    const rows = await spending({ by: "device" });
    expect(rows.map(({ key, jobs }) => [key, jobs])).toEqual([
      [statevector, 2],
      [sparse, 1],
    ]);
    expect(rows[0]!.cost + rows[1]!.cost).toBe(rows.cost);
  });

  test("sums by tag: a job counts in each of its tags, which is said, and once in the total", async () => {
    const rows = await spending({ by: "tag" });
    expect(Object.fromEntries(rows.map(({ key, jobs }) => [key, jobs]))).toEqual({
      "course: qc-1": 1,
      "course: qc-2": 1,
      "week: 3": 1,
      untagged: 1,
    });
    expect(rows.jobs).toBe(3);
    expect(rows.cost).toBe(costOf(made));
    expect(rows.table().text).toContain("A job with several tags counts in each of them.");
    expect(bundleOf(rows)["text/plain"]).toContain("A job with several tags counts in each of them.");
  });

  test("sums by the values of one tag, in which each job counts once", async () => {
    const rows = await spending({ by: { tag: "course" } });
    expect(Object.fromEntries(rows.map(({ key, jobs }) => [key, jobs]))).toEqual({
      "course: qc-1": 1,
      "course: qc-2": 1,
      "no course": 1,
    });
    expect(rows.table().text).not.toContain("several tags");
  });

  test("is narrowed by tag, device and time, and says by what", async () => {
    expect((await spending({ tag: "course" })).jobs).toBe(2);
    const [device] = await devices({ qrn: sparse });
    for (const given of ["sparse", sparse, device!]) {
      const narrowed = await spending({ device: given });
      expect(narrowed.jobs).toBe(1);
      expect(narrowed.bars().toText()).toContain(sparse);
    }
    const [newest] = made;
    expect((await spending({ until: newest!.record.createdAt! })).jobs).toBe(2);
    expect((await spending({ since: newest!.record.createdAt! })).jobs).toBe(1);
    await expect(spending({ device: "sparrow" })).rejects.toThrow(/"sparrow".*Online now/);
  });

  test("shows itself as a chart, as a table when asked, and in one line", async () => {
    const rows = await spending({ by: "device", since: "2026-01-01" });
    expect(Object.keys(bundleOf(rows))).toContain("application/vnd.vegalite.v5+json");
    expect(rows.table().text).toMatch(/Device +Cost \(credits\) +Jobs +Shots/);
    expect(rows.bars({ title: "My lab", top: 1 }).toText()).toMatch(/^My lab\n[\s\S]*\+1 more/);
    expect(String(rows)).toMatch(/^[\d.]+ credits by 3 jobs, 2026-01-01 to 20\d\d-\d\d-\d\d$/);
    expect(JSON.parse(JSON.stringify(rows))).toEqual([...rows]);
    const none = await spending({ by: "tag", tag: "nobody" });
    expect(bundleOf(none)["text/plain"]).toContain("No jobs.");
    expect(String(none)).toMatch(/^0 credits by 0 jobs, /);
  });

  test("holds the estimate of a job that runs apart from the costs, until it has ended", async () => {
    const running = await run(endless).on("statevector").shots(10).submit();
    const before = await spending({ by: "device" });
    expect(before).toMatchObject({ cost: costOf(made), estimated: running.record.estimatedCost, jobs: 4 });
    expect(before.estimated).toBeGreaterThan(0);
    expect(before.table().text).toContain("Estimated (credits)");
    await running.cancel();
    const ended = await running.wait().catch(() => running.refresh());
    const after = await spending();
    expect(after).toMatchObject({ cost: costOf([...made, ended]), estimated: 0 });
  });

  test.each([
    [
      { by: "week" },
      'spending: by must be "day", "device", "tag" or an object such as { tag: "course" }, not "week"',
    ],
    [{ by: null }, "spending: by must be"],
    [{ by: { tag: "" } }, "spending: by must be"],
    [{ tag: 3 }, 'spending: tag must be the name of a tag, such as "course", not 3'],
    [{ tga: "course" }, 'spending: Unknown option "tga". Did you mean "tag"?'],
    [{ since: "yesterday" }, 'spending: since must be a date, such as "2026-11-21", not "yesterday"'],
    [{ until: Number.NaN }, "spending: until must be a date"],
    [
      { timezone: "Mars/Olympus" },
      'spending: timezone must be a time zone, such as "Europe/Berlin", not "Mars/Olympus"',
    ],
    [{ since: "2026-03-01", until: "2026-02-01" }, "since ("],
    [{ since: "9000-01-01" }, "before now"],
    [{ until: 0 }, "since ("],
    [{ device: 3 }, "spending: device must be a device, or the name of one, not 3"],
  ])("refuses %j in words", (options, message) => {
    expect(() => spending(options as object)).toThrow(KetbookError);
    expect(() => spending(options as object)).toThrow(message);
  });

  test("refuses what its chart has not, by name", async () => {
    const rows = await spending({ by: "device" });
    expect(() => rows.bars({ top: -1 })).toThrow("top must be a whole number, 1 or more");
    const days = await spending();
    expect(() => days.bars({ top: 3 })).toThrow('Unknown option "top"');
  });
});

/** A service with these jobs, in pages of two. */
function serving(records: readonly RuntimeJob[]) {
  return answering(({ url }) => {
    const page = Number(new URL(url!, "http://localhost").searchParams.get("page") ?? 1);
    const body = {
      success: true,
      data: records.slice(2 * page - 2, 2 * page),
      pagination: paginate(page, 2, records.length),
      meta: { timestamp: "2026-11-21T10:30:00Z" },
    };
    return { body };
  });
}

const jobAt = (index: number, createdAt: string, over: Partial<RuntimeJob> = {}) =>
  job({
    jobQrn: `svc:svc:sim:statevector-0000-qjob-${String(index).padStart(24, "0")}`,
    createdAt,
    timeStamps: { createdAt, endedAt: null, executionDuration: null },
    cost: 1,
    ...over,
  });

describe("over the jobs of a service", () => {
  test("days are those of a time zone, and begin and end as they do there", async () => {
    await using service = await serving([
      jobAt(5, "2026-03-02T05:00:00Z"),
      jobAt(4, "2026-03-02T04:59:59Z"),
      jobAt(3, "2026-03-01T05:00:00Z"),
      jobAt(2, "2026-03-01T04:59:59Z"),
    ]);
    const kb = new Ketbook({ url: service.url, apiKey: "key" });
    const window = { since: "2026-02-28", until: "2026-03-02", timezone: "America/New_York" };
    const days = await kb.spending(window);
    expect(days.map(({ key, jobs }) => [key, jobs])).toEqual([
      ["2026-02-28", 1],
      ["2026-03-01", 2],
    ]);
    expect(String(days)).toBe("3 credits by 3 jobs, 2026-02-28 to 2026-03-01");
    expect(days.bars().toText()).toContain("days of America/New_York");
    expect(String(await kb.spending({ ...window, timezone: "UTC" }))).toBe(
      "2 credits by 2 jobs, 2026-02-28 to 2026-03-01",
    );
  });

  test("a job that comes again on the next page, since newer ones were made, counts once", async () => {
    const [a, b, c] = [1, 2, 3].map(index => jobAt(index, "2026-03-01T12:00:00Z"));
    await using service = await serving([c!, b!, b!, a!]);
    const kb = new Ketbook({ url: service.url, apiKey: "key" });
    expect((await kb.spending({ since: "2026-01-01" })).cost).toBe(3);
  });

  test("of a long time, days before the first job are left out, and all jobs counted", async () => {
    await using service = await serving([jobAt(2, "2026-03-01T12:00:00Z"), jobAt(1, "2020-02-29T12:00:00Z")]);
    const kb = new Ketbook({ url: service.url, apiKey: "key" });
    const ever = await kb.spending({ since: 0, until: "2026-03-02" });
    expect(ever[0]).toMatchObject({ key: "2020-02-29", jobs: 1 });
    expect(ever).toHaveLength(2193);
    expect(ever.jobs).toBe(2);
    const recent = await kb.spending({ since: -1e15, until: "2020-01-01" });
    expect(recent).toHaveLength(366);
    expect(recent.jobs).toBe(0);
  });

  test("what a record leaves out makes a row of its own, and no failure", async () => {
    const bare = { tags: { course: null }, deviceQrn: "", shots: null, estimatedCost: null } as never;
    const odd = { jobQrn: undefined } as never;
    const madeAt = "2026-03-01T12:00:00Z";
    await using service = await serving([jobAt(2, madeAt, odd), jobAt(1, madeAt, bare)]);
    const kb = new Ketbook({ url: service.url, apiKey: "key" });
    const since = "2026-03-01";
    const rows = await kb.spending({ since, by: "tag" });
    expect(rows).toMatchObject([{ key: "course: —", cost: 1, shots: 0 }]);
    expect(rows.unread).toHaveLength(1);
    expect(rows.table().text).toContain("1 record could not be read: ");
    expect(rows.bars().toText()).toContain("not counted: 1 job that could not be read");
    expect(await kb.spending({ since, by: "device" })).toMatchObject([{ key: "no device", cost: 1 }]);
  });

  test("a failure of the service is told, and the next await asks again", async () => {
    let fails = true;
    await using service = await answering(() =>
      fails
        ? { status: 403, body: { success: false, message: "not for you" } }
        : { body: { success: true, data: [jobAt(1, new Date().toISOString())] } },
    );
    const asked = new Ketbook({ url: service.url, apiKey: "key" }).spending();
    await expect(asked).rejects.toThrow("not for you");
    fails = false;
    expect((await asked).cost).toBe(1);
  });
});
