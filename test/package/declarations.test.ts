import { join } from "node:path";
import { expect, test } from "vitest";
import { findGaps } from "./declarations.ts";

/** Types some of whose members have no sentence yet. */
const unfinished = [
  ...["Balance", "CreditBalance", "CreditPricing", "Pricing", "SimulatorUsage", "UsageDay"],
  ...["Calibration", "DeviceCalibration", "EdgeFigure", "QubitCalibration"],
  ...["Device", "DeviceFilter", "DevicePricing", "RuntimeDevice", "Topology"],
  ...["ErrorDetail", "JobError", "NoQuote", "Quote"],
  ...["GroupFilter", "GroupOptions", "JobGroup", "JobGroupRequest"],
  ...["JobFilter", "JobTimes", "JobsSummary", "RuntimeJob", "Summary"],
  ...["Expectation", "Interval", "LikelyOutcome", "RuntimeResult"],
];

const { hidden, undocumented } = findGaps(join(import.meta.dirname, "../../dist/index.d.ts"));

test("every type that a public signature names can be imported", () => {
  expect(hidden).toEqual([]);
});

test("every public name and member has a sentence", () => {
  expect(undocumented.filter(name => !unfinished.some(type => name.startsWith(`${type}.`)))).toEqual([]);
});
