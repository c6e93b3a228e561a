import { expect, test } from "vitest";
import {
  credits,
  devices,
  KetbookError,
  NotFoundError,
  pricing,
  run,
  usage,
  ValidationError,
} from "../../src/index.ts";
import { bundleOf } from "./bundle.ts";
import { useServiceHere } from "./own-service.ts";
import { bell } from "./programs.ts";

await useServiceHere();

const simulator = "svc:svc:sim:statevector";

test("credits() says what may be spent, and a run spends what it cost", async () => {
  const before = await credits();
  expect(before.svcCredits).toBe(1_000_000);
  const { cost } = await run(bell).shots(5);
  const after = await credits();
  expect(after.svcCredits).toBeCloseTo(before.svcCredits! - cost!, 6);
  expect(bundleOf(after)["text/plain"]).toMatch(/ left, 0\.37 spent by your jobs/);
  expect(bundleOf(before)["text/plain"]).toContain("1,000,000 credits");
});

test("pricing() says what credits cost", async () => {
  const prices = await pricing();
  expect(prices.usdPerCredit).toBe(0.01);
  expect(bundleOf(prices)["text/html"]).toContain("<table");
});

test("usage() counts the jobs of today on each simulator", async () => {
  const today = await usage();
  expect(today.find(row => row.deviceQrn === simulator)).toMatchObject({
    used: 1,
    dailyLimit: null,
    tier: "local",
  });
  expect(bundleOf(today)["text/html"]).toContain("no limit");
});

test("usage(device) counts completed jobs day by day, in a time zone", async () => {
  const [device] = await devices({ qrn: simulator });
  const week = await usage(device!).days(7).in("Europe/Berlin");
  expect(week).toHaveLength(7);
  expect(week.at(-1)!.count).toBe(1);
  expect(week.slice(0, -1).every(day => day.count === 0)).toBe(true);
  expect(bundleOf(week)["text/plain"]).toContain(week.at(-1)!.date);
  expect(week.table().text).toContain(week.at(-1)!.date);
  expect(week.bars({ title: "My week" }).toText()).toMatch(/^My week\n/);
});

test("usage().days() counts the completed jobs of every simulator, day by day", async () => {
  await run(bell).on("sparse").shots(5);
  const quotas = await usage();
  const week = await usage().days(7).in("Europe/Berlin");
  expect(week).toHaveLength(7 * quotas.length);
  expect(week.map(({ date }) => date)).toEqual(week.map(({ date }) => date).toSorted());
  const today = week.slice(-quotas.length).filter(({ count }) => count > 0);
  expect(today.map(({ deviceQrn, count }) => [deviceQrn, count]).toSorted()).toEqual([
    ["svc:svc:sim:sparse", 1],
    [simulator, 1],
  ]);
  expect(week.jobs).toBe(2);
  expect(String(week)).toBe(
    `2 jobs on ${quotas.length} simulators, ${week[0]!.date} to ${week.at(-1)!.date}`,
  );
  expect(bundleOf(week)["text/plain"]).toMatch(/█ sparse {2}▓ statevector|█ statevector {2}▓ sparse/);
  expect(Object.keys(bundleOf(week))).toContain("application/vnd.vegalite.v5+json");
  const [head, , latest] = week.table().text.split("\n").slice(1);
  expect(head).toMatch(/^Day .*statevector.*Total$/);
  expect(latest).toMatch(new RegExp(`^${week.at(-1)!.date} .* 2$`));
  expect(await usage().in("Europe/Berlin")).toHaveLength(30 * quotas.length);
});

test("usage takes options of the call beside a simulator, and without one", async () => {
  const options = { signal: AbortSignal.abort(new Error("not now")) };
  for (const asked of [usage(options), usage(options).days(3), usage("statevector", options)])
    await expect(Promise.resolve(asked)).rejects.toThrow("not now");
});

test("what usage cannot answer is refused in words", async () => {
  for (const days of [400, -1, 0.5]) {
    expect(() => usage(simulator).days(days)).toThrow(/^days\(.*\): give a whole number of days, 1 to 365/);
    expect(() => usage().days(days)).toThrow(KetbookError);
  }
  await expect(Promise.resolve(usage(simulator).in("Mars/Olympus"))).rejects.toThrow(ValidationError);
  await expect(Promise.resolve(usage("svc:svc:sim:nothing"))).rejects.toThrow(NotFoundError);
});
