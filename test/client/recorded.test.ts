import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calibrationBars, calibrationMap, miniMap } from "../../src/charts/index.ts";
import { hasEnded } from "../../src/client/watch.ts";
import {
  balanceCard,
  deviceCard,
  deviceTable,
  groupCard,
  groupTable,
  jobCard,
  jobTable,
  pricingTable,
  quoteCard,
  summaryCard,
  usageTable,
} from "../../src/display/index.ts";
import { expectShown, now, reading } from "./reading.ts";
import { calibrations, devices, groups, jobs, quotes } from "./recorded.ts";

describe("a list of devices is read and shown with", () => {
  test.each(Object.entries(devices))("%s", async (_, record) => {
    const page = await reading([structuredClone(record)]).devices.list();
    expect(page.unread).toEqual([]);
    expect(page.rows[0]).toMatchObject({ qrn: record.qrn, ...(record._id ? { _id: record._id } : {}) });
    expectShown(deviceTable(page.rows), deviceCard(page.rows[0]!, { now }));
  });
});

test("what a device's record says stays, word for word", async () => {
  const read = (name: string) => reading(structuredClone(devices[name])).devices.get("x");
  const annealer = await read("an annealer without qubits, topology or noise");
  expect(annealer).toMatchObject({ paradigm: "annealing", verified: true, visibility: "public", __v: 0 });
  const half = await read("one with a price of which members are null");
  expect(half.pricing).toEqual({ perTask: 30, perShot: null, perMinute: null });
  expect(deviceTable([half]).text).toMatch(/30\/task/);
  const clipped = await read("one with an undocumented topology");
  expect(clipped.topology).toEqual({ type: "square-lattice-clipped", rowSpans: [[0, 1]] });
  expect(deviceCard(clipped, { now }).text).toContain("square-lattice-clipped");
  expect((await read("one with a topology that lacks its members")).topology).toBeNull();
  const other = await read("one of an undocumented type, status and paradigm");
  expect(other).toMatchObject({ deviceType: "HYBRID", status: "CALIBRATING", paradigm: "measurement_based" });
  expect(await read("one that is only named")).toMatchObject({ name: "", status: "UNKNOWN", pricing: null });
});

describe("a list of jobs is read and shown with", () => {
  test.each(Object.entries(jobs))("%s", async (_, record) => {
    const page = await reading([structuredClone(record)]).jobs.list();
    expect(page.unread).toEqual([]);
    expect(page.rows[0]).toMatchObject({ jobQrn: record.jobQrn, ...(record._id ? { _id: record._id } : {}) });
    expectShown(jobTable(page.rows, { now }), jobCard(page.rows[0]!, { now }));
  });
});

test("what a job's record says stays; what it does not say is null or empty", async () => {
  const read = (name: string) => reading(structuredClone(jobs[name])).jobs.get("x");
  const analog = await read("an analog one that has no execution duration");
  expect(analog).toMatchObject({
    cost: 130,
    estimatedCost: 0.015,
    numCircuits: null,
    device: { name: "Atoms" },
  });
  expect(jobCard(analog, { now }).text).toContain("2026-01-16 21:31:24 UTC");
  expect(jobCard(analog, { now }).text).toContain("2026-01-16 21:33:27 UTC");
  expect((await read("an annealing one without shots")).shots).toBeNull();
  const tagged = await read("one with a tag without a value");
  expect(tagged.tags).toEqual({ a: null, b: 1 });
  expect(jobCard(tagged, { now }).text).toContain("a: — · b: 1");
  const paused = await read("one in an undocumented status, and why in a provider's words");
  expect([paused.status, hasEnded(paused)]).toEqual(["PAUSED", false]);
  expect(await read("one whose members have other shapes")).toMatchObject({
    name: null,
    shots: null,
    tags: {},
    metadata: {},
    timeStamps: { createdAt: null, endedAt: null, executionDuration: null },
    cost: null,
    statusMsg: null,
  });
  const named = await read("one that is only named");
  expect(named).toMatchObject({ deviceQrn: "", status: "UNKNOWN", runtimeOptions: {} });
  expect(hasEnded(named)).toBe(false);
});

describe("a list of groups is read and shown with", () => {
  test.each(Object.entries(groups))("%s", async (_, record) => {
    const page = await reading([structuredClone(record)]).groups.list();
    expect(page.unread).toEqual([]);
    expectShown(groupTable(page.rows, { now }), groupCard(page.rows[0]!, { now }));
  });
});

describe("a quote is read and shown:", () => {
  test.each(Object.entries(quotes))("%s", async (_, record) => {
    const quote = await reading(structuredClone(record)).jobs.quote({ deviceQrn: "a:b:qpu:c", shots: 50 });
    expect(quote.deviceQrn).toBe("a:b:qpu:c");
    if (quote.pricingAvailable) {
      expect(quote).toMatchObject({ estimatedCost: 7.5, shots: 50, programs: 1 });
      expect(quote.breakdown === null).toBe(!record.breakdown);
    }
    expectShown(quoteCard(quote));
  });
});

test("a quote says for how many programs it is: one, unless the service says more", async () => {
  const asked = { deviceQrn: "a:b:qpu:c", shots: 50, programs: 20 };
  const quote = { pricingAvailable: true, estimatedCost: 1, deviceQrn: "a:b:qpu:c", shots: 50 };
  expect(await reading(quote).jobs.quote(asked)).toMatchObject({ programs: 1 });
  expect(await reading({ ...quote, programs: 20 }).jobs.quote(asked)).toMatchObject({ programs: 20 });
});

describe("a calibration is read and drawn:", () => {
  test.each(Object.entries(calibrations))("%s", async (_, record) => {
    const calibration = await reading(structuredClone(record)).devices.calibrations("a:b:qpu:c");
    expect(calibration.deviceQrn).toBe("a:b:qpu:c");
    const device = await reading(structuredClone(devices["one with an undocumented topology"])).devices.get(
      "x",
    );
    const map = miniMap(device, calibration);
    expect(map.svg).not.toMatch(/undefined|NaN|Infinity/);
    expectShown(
      deviceCard(device, { now, calibration, map }),
      deviceTable([device], { calibrations: new Map([[device.qrn, calibration]]) }),
    );
    for (const chart of [calibrationMap(device, calibration), calibrationBars(device, calibration)]) {
      expect(chart.toText()).not.toMatch(/undefined|NaN|null|Infinity/);
      expect(chart.table().text).not.toMatch(/undefined|NaN|null|Infinity/);
    }
  });
});

test("of a calibration's pairs and gates, those with a figure stay", async () => {
  const { qubits, edges } = await reading(
    structuredClone(calibrations["one with figures that are missing"]),
  ).devices.calibrations("a:b:qpu:c");
  expect(qubits["0"]).toMatchObject({ T1: null, gateError: { x: 0.01 } });
  expect(qubits["2"]).toMatchObject({ T2: null, gateError: {} });
  expect(edges.gateError).toEqual({ cz: [{ source: 1, target: 2, value: 0.02 }], ecr: [] });
});

test("a list keeps what can be read, and says of each record that cannot be read where it stood and what is wrong", async () => {
  const list = [null, { jobQrn: "q" }, 7, { name: "no name" }, { jobQrn: "" }, "q", ["q"], { jobQrn: "r" }];
  const page = await reading(structuredClone(list)).jobs.list();
  expect(page.rows.map(({ jobQrn }) => jobQrn)).toEqual(["q", "r"]);
  expect(page.unread).toEqual([
    { index: 0, problem: "data should be an object, and is missing", value: null },
    { index: 2, problem: "data should be an object, and is a number", value: 7 },
    { index: 3, problem: "jobQrn should be a string, and is missing", value: { name: "no name" } },
    { index: 4, problem: "jobQrn should be a string, and is missing", value: { jobQrn: "" } },
    { index: 5, problem: "data should be an object, and is a string", value: "q" },
    { index: 6, problem: "data should be an object, and is a list", value: ["q"] },
  ]);
  const inGroup = await reading([{ jobQrn: "q" }, 7]).groups.jobs("group:1");
  expect(inGroup.map(({ jobQrn }) => jobQrn)).toEqual(["q"]);
  expect(inGroup.unread).toHaveLength(1);
});

test("an account whose records say little is read and shown", async () => {
  const { account, jobs: jobsClient } = reading({});
  const balance = await account.balance();
  expect(balance).toMatchObject({ svcCredits: null, organizationId: "" });
  expectShown(balanceCard(balance, { spent: 3 }), pricingTable(await account.pricing()));
  expectShown(summaryCard(await jobsClient.summary()));
  const usage = await reading([{ deviceQrn: "a:b:sim:c" }, { tier: "free" }]).account.usage();
  expect(usage).toHaveLength(1);
  expectShown(usageTable(usage, { now }));
});

test("a balance under the service's own vendor code is read", async () => {
  const balance = await reading({ acmeCredits: "12.5", awsCredits: 3 }).account.balance();
  expect(balance).toMatchObject({ svcCredits: 12.5, awsCredits: 3 });
});

test("no record that names its job keeps a list from being read and shown", async () => {
  const members = [
    "name",
    "deviceQrn",
    "status",
    "shots",
    "tags",
    "timeStamps",
    "metadata",
    "cost",
    "createdAt",
    "__proto__",
  ];
  const record = fc.dictionary(fc.constantFrom(...members), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 5 }), async records => {
      const text = JSON.stringify(records.map((each, index) => ({ ...each, jobQrn: `q${index}` })));
      const page = await reading(JSON.parse(text)).jobs.list();
      expect(page.rows).toHaveLength(records.length);
      jobTable(page.rows, { now });
      for (const row of page.rows) {
        jobCard(row, { now });
        expect([row.shots === null || typeof row.shots === "number", typeof row.status]).toEqual([
          true,
          "string",
        ]);
      }
    }),
  );
});
