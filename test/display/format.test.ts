import { expect, test } from "vitest";
import {
  formatAge,
  formatCredits,
  formatDuration,
  formatMoment,
  formatNumber,
  formatPercent,
} from "../../src/display/index.ts";
import { now } from "./records.ts";

test.each([
  [1234, "1,234"],
  [0, "0"],
  [0.1 + 0.2, "0.3"],
  [null, "—"],
  [Number.NaN, "—"],
])("writes the number %s as %s", (value, text) => expect(formatNumber(value)).toBe(text));

test.each([
  [0.48, "48.0 %"],
  [0.0031, "0.31 %"],
  [0.01, "1.0 %"],
  [0.00999, "1.0 %"],
  [1, "100.0 %"],
  [0, "0 %"],
  [3e-6, "0.00030 %"],
  [1e-9, "< 0.0001 %"],
  [undefined, "—"],
])("writes the share %s as %s", (value, text) => expect(formatPercent(value)).toBe(text));

test.each([
  [0, "0 s"],
  [0.85, "850 µs"],
  [12, "12 ms"],
  [999.7, "1.0 s"],
  [3400, "3.4 s"],
  [59_990, "1 min"],
  [125_000, "2 min 5 s"],
  [3_780_000, "1 h 3 min"],
  [273_600_000, "3 d 4 h"],
  [-1, "—"],
  [null, "—"],
])("writes %s ms as %s", (value, text) => expect(formatDuration(value)).toBe(text));

test("credits have their unit, and one is singular", () => {
  expect(formatCredits(1)).toBe("1 credit");
  expect(formatCredits(0.145)).toBe("0.145 credits");
  expect(formatCredits(485.98504)).toBe("485.99 credits");
  expect(formatCredits(0.0123456)).toBe("0.0123 credits");
  expect(formatCredits(null)).toBe("—");
});

test("moments stand in UTC with their age", () => {
  expect(formatMoment("2026-11-21T12:27:03+02:00", now)).toBe("2026-11-21 10:27:03 UTC (2 min ago)");
  expect(formatAge("2026-11-21T12:30:00Z", now)).toBe("in 2 h");
  expect(formatAge("2026-11-21T10:30:00.2Z", now)).toBe("just now");
  expect(formatMoment("yesterday", now)).toBe("—");
  expect(formatMoment(null, now)).toBe("—");
});
