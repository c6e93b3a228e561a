import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calendar, daysBetween, shiftDay } from "../../src/contract/calendar.ts";
import type { RuntimeJob } from "../../src/contract/job.ts";
import { sumOf, sumsByKey } from "../../src/notebook/account/spending.ts";
import { job } from "../display/records.ts";

const micro = fc.integer({ min: 0, max: 1e12 });
const jobs = fc.uniqueArray(
  fc.record({
    jobQrn: fc.string(),
    deviceQrn: fc.constantFrom("a", "b", "__proto__", "toString"),
    cost: fc.option(micro.map(value => value / 1e6)),
    estimatedCost: fc.option(micro.map(value => value / 1e6)),
    status: fc.constantFrom("RUNNING", "COMPLETED", "FAILED", "CANCELLED"),
    shots: fc.nat(1e6),
    numCircuits: fc.option(fc.integer({ min: 1, max: 2000 })),
  }),
  { selector: ({ jobQrn }) => jobQrn, maxLength: 40 },
);
const asJob = (over: object) => job(over as Partial<RuntimeJob>);

/** The sums of some jobs, all together and with each key. */
function sumsOf(records: readonly object[], keysOf: (record: RuntimeJob) => string[]) {
  const all = records.map(asJob);
  return { total: sumOf(all), rows: sumsByKey(all, keysOf) };
}

describe("sums of jobs", () => {
  test("are the same however jobs are grouped, to the millionth of a credit", () => {
    fc.assert(
      fc.property(jobs, records => {
        const groupings = [() => ["all"], ({ deviceQrn }: RuntimeJob) => [deviceQrn]];
        for (const keysOf of groupings) {
          const sums = sumsOf(records, keysOf);
          for (const field of ["cost", "estimated", "jobs", "shots"] as const) {
            const rows = sums.rows.reduce((sum, row) => sum + Math.round(row[field] * 1e6), 0);
            expect(rows).toBe(Math.round(sums.total[field] * 1e6));
          }
        }
        const settled = records.reduce((sum, { cost }) => sum + Math.round((cost ?? 0) * 1e6), 0);
        expect(sumsOf(records, () => []).total.cost).toBe(settled / 1e6);
      }),
    );
  });

  test("do not depend on the order of the jobs, nor on jobs that come twice", () => {
    fc.assert(
      fc.property(jobs, records => {
        const keysOf = ({ deviceQrn }: RuntimeJob) => [deviceQrn, deviceQrn];
        const once = sumsOf(records, keysOf);
        const again = sumsOf([...records.toReversed(), ...records], keysOf);
        expect(again.total).toEqual(once.total);
        expect(new Set(again.rows)).toEqual(new Set(once.rows));
      }),
    );
  });

  test("count a job in each of its keys, and once in the total", () => {
    const sums = sumsOf([{ cost: 0.1 }], () => ["a", "b"]);
    expect(sums.rows).toMatchObject([
      { key: "a", cost: 0.1 },
      { key: "b", cost: 0.1 },
    ]);
    expect(sums.total).toMatchObject({ cost: 0.1, jobs: 1 });
  });

  test("are those of decimal fractions", () => {
    const records = [0.1, 0.2].map((cost, index) => ({ jobQrn: String(index), cost }));
    const sums = sumsOf(records, () => ["a"]);
    expect(sums.total.cost).toBe(0.3);
  });

  test("hold the estimate until the cost is known, and none of a job that failed", () => {
    const totalOf = (over: object) => sumsOf([{ cost: null, estimatedCost: 7, ...over }], () => []).total;
    expect(totalOf({ status: "RUNNING" })).toMatchObject({ cost: 0, estimated: 7 });
    expect(totalOf({ status: "NEVER_HEARD_OF" })).toMatchObject({ estimated: 7 });
    expect(totalOf({ status: "COMPLETED" })).toMatchObject({ estimated: 7 });
    expect(totalOf({ status: "COMPLETED", cost: 0 })).toMatchObject({ cost: 0, estimated: 0 });
    expect(totalOf({ status: "FAILED" })).toMatchObject({ cost: 0, estimated: 0 });
    expect(totalOf({ status: "CANCELLED" })).toMatchObject({ cost: 0, estimated: 0 });
  });

  test("count the shots of all programs of a batch, and leave out what is no number", () => {
    const totalOf = (over: object) => sumsOf([over], () => []).total;
    expect(totalOf({ shots: 10, numCircuits: 3 }).shots).toBe(30);
    expect(totalOf({ shots: null, numCircuits: undefined }).shots).toBe(0);
    expect(totalOf({ cost: Number.NaN, estimatedCost: -1, status: "RUNNING" })).toMatchObject({
      cost: 0,
      estimated: 0,
    });
    expect(totalOf({ cost: 1e300 }).cost).toBe(0);
  });

  test("have a row for each key that was asked for, in that order", () => {
    const rows = sumsByKey([asJob({ cost: 2 })], () => ["y"], ["x", "y"]);
    expect(rows.map(({ key, cost }) => [key, cost])).toEqual([
      ["x", 0],
      ["y", 2],
    ]);
  });
});

describe("the calendar of a time zone", () => {
  const zone = fc.constantFrom(
    "UTC",
    "Europe/Berlin",
    "America/St_Johns",
    "Asia/Kathmandu",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
    "Africa/Cairo",
    "America/Sao_Paulo",
  );
  const moment = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) });

  test("finds the first moment of each day, also where clocks are changed at midnight", () => {
    fc.assert(
      fc.property(zone, moment, (timeZone, now) => {
        const days = calendar(timeZone);
        const day = days.dayOf(now);
        const start = days.startOf(day);
        expect(start).toBeLessThanOrEqual(now);
        expect(days.dayOf(start)).toBe(day);
        expect(days.dayOf(start - 1) < day).toBe(true);
      }),
    );
  });

  test("counts days one by one, across months and leap years", () => {
    expect(daysBetween("2028-02-27", "2028-03-01")).toEqual([
      "2028-02-27",
      "2028-02-28",
      "2028-02-29",
      "2028-03-01",
    ]);
    expect(shiftDay("2026-01-01", -1)).toBe("2025-12-31");
    expect(daysBetween("2026-01-02", "2026-01-01")).toEqual([]);
  });
});
