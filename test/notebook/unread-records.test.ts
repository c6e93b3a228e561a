import { inspect } from "node:util";
import { expect, test } from "vitest";
import { serving } from "./serving.ts";

const hostile = {
  toJSON: 1,
  toString: "x",
  show: "y",
  settled: 2,
  render: 3,
  constructor: null,
  hasOwnProperty: 4,
  calibration: { lastCalibrated: "2026-11-01T00:00:00Z" },
};

test("no member of a service's record takes away what a device can do", async () => {
  const record = { qrn: "a:b:qpu:c", name: "C", deviceType: "QPU", coupling: "tunable", ...hostile };
  await using service = await serving({
    "/devices": [record],
    "/devices/a:b:qpu:c": record,
    "/devices/a:b:qpu:c/calibrations": { qubits: {}, edges: {}, map: 1, bars: 2, toJSON: 3 },
  });
  const all = await service.ketbook.devices();
  const [device] = all;
  expect(device).toMatchObject({ qrn: "a:b:qpu:c", coupling: "tunable" });
  expect(device!.toJSON()).toMatchObject(hostile);
  expect(JSON.parse(JSON.stringify(device))).toMatchObject(hostile);
  expect((await device!.calibration()).map().toText()).toEqual(expect.any(String));
  expect(all.toRows()).toEqual([expect.objectContaining(hostile)]);
  expect(all.toCSV()).toContain("a:b:qpu:c");
  expect((await all.toArrow()).length).toBeGreaterThan(0);
  expect(String(device)).toContain("C");
  await device!.settled();
  expect(inspect(all)).toContain("a:b:qpu:c");
});

test("nor from any other record that shows itself", async () => {
  const balance = { organizationId: "lab", svcCredits: 5, extra: 1, ...hostile };
  await using service = await serving({ "/billing/credits/balance": balance });
  const found = await service.ketbook.credits();
  expect(found).toMatchObject({ organizationId: "lab", svcCredits: 5, extra: 1 });
  expect(String(found)).toContain("5 credits");
  expect(inspect(found)).toContain("lab");
  expect(JSON.parse(JSON.stringify(found))).toMatchObject(balance);
});

test("records without which a list is incomplete are said below it", async () => {
  const job = { jobQrn: "a-qjob-1", deviceQrn: "a:b:sim:c", status: "COMPLETED" };
  const today = { deviceQrn: "a:b:sim:c", used: 1 };
  const day = { date: "2026-11-20", count: 3 };
  await using service = await serving({
    "/jobs/group/group:1": { groupJobQrn: "group:1", status: "OPEN" },
    "/jobs/group/group:1/jobs": [job, null, {}],
    "/usage/simulator": [today, null],
    "/usage/simulator/series": [day, { date: "2026-11-21" }, 7],
  });
  const { ketbook } = service;
  const jobs = await ketbook.group("group:1").jobs();
  expect([String(jobs), jobs.unread.length]).toEqual(["1 job", 2]);
  expect(inspect(jobs)).toContain("2 records could not be read: ");
  const usage = await ketbook.usage();
  expect([String(usage), usage.unread.length]).toEqual(["1 simulator", 1]);
  expect(inspect(usage)).toContain("1 record could not be read: ");
  const days = await ketbook.usage("a:b:sim:c");
  expect([String(days), days.unread.length]).toEqual(["1 day", 2]);
  expect(days.table().text).toContain("2 records could not be read: ");
  expect(inspect(days)).toContain("2 records could not be read");
  const daily = await ketbook.usage().days(2);
  expect([String(daily), daily.unread.length]).toEqual([
    "3 jobs on 1 simulator, 2026-11-20 to 2026-11-20",
    3,
  ]);
  expect(daily.table().text).toContain("3 records could not be read: ");
  expect(daily.bars().toText()).toContain(" · all on c\n");
  expect(daily.bars({ title: "Mine" }).toText()).toContain("3 records could not be read");
});

test("jobs of which nobody says when they were made are said where a time is asked for", async () => {
  const made = { status: "COMPLETED", deviceQrn: "a:b:sim:c", cost: "265.000000", tags: { course: "qc" } };
  const createdAt = new Date(Date.now() - 1000).toISOString();
  await using service = await serving({
    "/jobs": [
      { ...made, jobQrn: "dated", createdAt },
      { ...made, jobQrn: "undated" },
      { ...made, jobQrn: "other", tags: {} },
    ],
  });
  const { ketbook } = service;
  for (const times of [{ since: "2020-01-01" }, { until: new Date(Date.now() + 1e6) }]) {
    const jobs = await ketbook.jobs({ ...times, tag: "course" });
    expect(jobs.map(({ qrn }) => qrn)).toEqual(["dated"]);
    expect(jobs.unread).toMatchObject([{ index: 1, problem: "nobody says when undated was made" }]);
    expect(inspect(jobs)).toContain("1 record could not be read: nobody says when undated was made");
  }
  expect(await ketbook.jobs()).toHaveLength(3);
  const spent = await ketbook.spending({ by: "device" });
  expect([spent.cost, spent.jobs, spent.unread.length]).toEqual([265, 1, 2]);
  expect(inspect(spent)).toContain("not counted: 2 jobs that could not be read");
});

test("going through rows warns of those that could not be read, once at the end", async () => {
  const made = { status: "COMPLETED", deviceQrn: "a:b:sim:c" };
  const createdAt = new Date(Date.now() - 1000).toISOString();
  await using service = await serving({
    "/jobs": [{ ...made, jobQrn: "dated", createdAt }, { ...made, jobQrn: "undated" }, null],
  });
  const warnings: string[] = [];
  const listen = ({ name, message }: Error) => name === "KetbookWarning" && warnings.push(message);
  process.on("warning", listen);
  const seen: string[] = [];
  for await (const { qrn } of service.ketbook.jobs({ since: "2020-01-01" })) seen.push(qrn);
  for await (const { qrn } of service.ketbook.jobs().limit(1)) seen.push(qrn);
  await new Promise(setImmediate);
  process.off("warning", listen);
  expect(seen).toEqual(["dated", "dated"]);
  expect(warnings).toEqual([
    expect.stringMatching(/^Jobs: left out 2 records that could not be read: .+/),
    expect.stringMatching(/^Jobs: left out 1 record that could not be read: .+/),
  ]);
});

test("jobs on a device that nobody has are refused with the name that was meant, where no job is found", async () => {
  const device = { qrn: "a:b:qpu:perth", name: "Perth", deviceType: "QPU", status: "ONLINE" };
  const job = { jobQrn: "old", status: "COMPLETED", deviceQrn: "a:b:qpu:gone" };
  await using service = await serving({ "/devices": [device], "/jobs": [job] });
  const { ketbook } = service;
  await expect(ketbook.jobs({ device: "pert" })).rejects.toThrow(
    /"pert": no device has that name\. Did you mean "perth"\? Online now: perth\./,
  );
  await expect(ketbook.jobs({ device: "a:b:qpu:pert" }).first()).rejects.toThrow('Did you mean "perth"?');
  expect(await ketbook.jobs({ device: "Perth" })).toHaveLength(0);
  expect(await ketbook.jobs({ device: "qpu:gone" })).toHaveLength(1);
});
