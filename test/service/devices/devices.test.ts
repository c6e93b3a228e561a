import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadCatalogue } from "../../../src/service/catalogue/catalogue.ts";
import standard from "../../../src/service/catalogue/devices.json" with { type: "json" };
import { newFolder } from "../../folder.ts";
import { type Body, bellJob, endless, type Serving, serving } from "../serving.ts";

const [template] = standard.devices;

function catalogueOf(...changes: object[]): string {
  const file = join(newFolder(), "devices.json");
  writeFileSync(file, JSON.stringify({ devices: changes.map(change => ({ ...template, ...change })) }));
  return file;
}

const qpu = {
  qrn: "ibm:test:qpu:slow",
  name: "slow",
  pricingModel: "dynamic",
  pricing: { perTask: 0, perShot: 0, perMinute: 60 },
  minimumSeconds: 0,
  private: true,
  directAccess: false,
  verified: false,
};
const fixed = {
  qrn: "aws:test:qpu:fixed",
  name: "Garnet-like",
  description: "twenty qubits",
  pricing: { perTask: 30, perShot: 0.145, perMinute: 0 },
  numberQubits: 20,
};
const catalogue = () =>
  catalogueOf(
    qpu,
    fixed,
    { name: "alpha", numberQubits: 5 },
    { qrn: "svc:svc:sim:b", name: "Beta", status: "RETIRED" },
    { qrn: "svc:svc:sim:c", name: "beta", pricing: null, createdAt: "2020-01-01T00:00:00.000Z" },
  );

describe("devices", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving({ catalogue: catalogue() });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const names = async (query: string) => {
    const { body } = await service.call("GET", `/devices?${query}`);
    return body.data.map((device: Body) => device.name);
  };

  test("are listed by name without regard to case, ties by QRN", async () => {
    expect(await names("")).toEqual(["alpha", "Beta", "beta", "Garnet-like", "slow"]);
    expect(await names("sortBy=name&sortOrder=desc")).toEqual([
      "slow",
      "Garnet-like",
      "Beta",
      "beta",
      "alpha",
    ]);
    expect(await names("sortBy=numberQubits")).toEqual(["alpha", "Garnet-like", "slow", "Beta", "beta"]);
    expect(await names("sortBy=createdAt&limit=1")).toEqual(["beta"]);
  });

  test.each([
    ["qrn=ibm:test:qpu:slow", ["slow"]],
    ["vendor=aws", ["Garnet-like"]],
    ["providerId=test", ["Garnet-like", "slow"]],
    ["deviceType=QPU", ["Garnet-like", "slow"]],
    ["status=RETIRED", ["Beta"]],
    ["retired=false", ["alpha", "beta", "Garnet-like", "slow"]],
    ["retired=true", ["alpha", "Beta", "beta", "Garnet-like", "slow"]],
    ["private=true", ["slow"]],
    ["verified=false", ["slow"]],
    ["directAccess=false", ["slow"]],
    ["search=TWENTY", ["Garnet-like"]],
    ["search=%25", []],
    ["page=2&limit=3", ["Garnet-like", "slow"]],
  ])("%s finds %j", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test.each(["vendor=google", "retired=yes", "sortBy=price", "sortOrder=up", "limit=0", "deviceType=qpu"])(
    "%s is refused",
    async query => {
      const { status, body } = await service.call("GET", `/devices?${query}`);
      expect([status, body.error.details[0].path]).toEqual([400, query.split("=")[0]]);
    },
  );

  test("a name that is no QRN has no calibration to ask for, and a simulator has none to give", async () => {
    expect((await service.call("GET", "/devices/nothing/calibrations")).status).toBe(400);
    expect((await service.call("GET", "/devices/a:b:qpu:d/calibrations")).status).toBe(404);
    expect((await service.call("GET", `/devices/${template!.qrn}/calibrations`)).status).toBe(404);
  });

  const quote = async (qrn: string, shots: number) =>
    (await service.call("GET", `/jobs/cost-estimate?deviceQrn=${qrn}&shots=${shots}`)).body.data;

  test("what cannot be quoted says why, and is no error", async () => {
    expect(await quote("svc:svc:sim:c", 1)).toMatchObject({
      pricingAvailable: false,
      reason: "no_pricing_configured",
      deviceQrn: "svc:svc:sim:c",
    });
    expect(await quote(fixed.qrn, 1000)).toMatchObject({
      pricingAvailable: true,
      estimatedCost: 175,
      breakdown: { task: 30, shots: 145, time: 0 },
    });
  });

  test("a QPU with dynamic prices is quoted once its history gives a quote", async () => {
    expect(await quote(qpu.qrn, 100)).toMatchObject({
      pricingAvailable: false,
      reason: "dynamic_pricing_unavailable",
      pricingModel: "dynamic",
    });
    const made = await service.submit({ deviceQrn: qpu.qrn });
    expect(made.estimatedCost).toBe(0);
    const job = await service.ended(made.jobQrn);
    expect(job.cost).toBeCloseTo((60 * Number(job.metadata.executionMicroseconds)) / 60e6, 5);
    const quoted = await quote(qpu.qrn, 100);
    expect(quoted.pricingAvailable).toBe(true);
    expect(quoted.estimatedCost / job.cost!).toBeCloseTo(1, 2);
  });

  test("a QPU runs one job at a time, and says how many come first", async () => {
    const jobs = [];
    for (let at = 0; at < 3; at += 1)
      jobs.push(await service.submit({ deviceQrn: qpu.qrn, program: endless }));
    expect(jobs.map(job => job.queuePosition)).toEqual([0, 1, 2]);
    await service.ended(jobs[0]!.jobQrn, "RUNNING");
    const second = (await service.call("GET", `/jobs/${jobs[1]!.jobQrn}`)).body.data;
    expect(second).toMatchObject({ status: "QUEUED", queuePosition: 1 });
    expect((await service.call("GET", `/devices/${qpu.qrn}`)).body.data.queueDepth).toBe(2);
    const other = await service.ended((await service.submit()).jobQrn);
    expect(other.status).toBe("COMPLETED");
    for (const job of jobs) await service.call("POST", `/jobs/${job.jobQrn}/cancel`);
    for (const job of jobs) await service.ended(job.jobQrn);
  });

  test("a batch on a QPU is charged for each of its programs", async () => {
    const { program } = bellJob();
    const made = await service.submit({ deviceQrn: fixed.qrn, program: [program, program], shots: 10 });
    expect(made.estimatedCost).toBe(2 * (30 + 1.45));
    expect((await service.ended(made.jobQrn)).cost).toBe(62.9);
  });
});

describe("devices that take no jobs", () => {
  test.each([
    ["OFFLINE", 409, "DEVICE_NOT_AVAILABLE"],
    ["UNAVAILABLE", 409, "DEVICE_NOT_AVAILABLE"],
    ["RETIRED", 410, "DEVICE_RETIRED"],
  ])("refuse them where they are %s with %i", async (deviceStatus, status, code) => {
    await using service = await serving({ catalogue: catalogueOf({ status: deviceStatus }) });
    const answer = await service.call("POST", "/jobs", bellJob());
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });
});

describe("a catalogue", () => {
  test.each([
    [{ qrn: "svc:sim:x" }, "must have the form"],
    [{ numberQubits: "5" }, "numberQubits"],
    [{ engine: undefined, status: "ONLINE" }, "needed by a device that is ONLINE"],
    [{ maxShots: 1e9 }, "maxShots"],
    [{ colour: "red" }, "colour"],
    [{ engine: "noisy" }, "must name one at least"],
    [{ noiseModels: ["thunder"] }, "names thunder, which is none of the noiseModels"],
  ])("with %j is refused", (change, message) => {
    expect(() => loadCatalogue(catalogueOf(change))).toThrow(message);
  });

  const model = {
    name: "own",
    description: "",
    oneQubit: [{ channel: "thermal_relaxation", T1: 10, T2: 20, time: 1 }],
    twoQubit: [],
    readout: { zeroGivenOne: 0, oneGivenZero: 0 },
  };
  const withModel = (changes: object) => {
    const file = join(newFolder(), "devices.json");
    const device = { ...template, engine: "noisy", noiseModels: ["own"] };
    writeFileSync(file, JSON.stringify({ devices: [device], noiseModels: [{ ...model, ...changes }] }));
    return file;
  };

  test("may bring noise models of its own, which are checked as well", () => {
    const [device] = loadCatalogue(withModel({})).values();
    expect([...device!.noise.keys()]).toEqual(["own"]);
    const tooLong = [{ channel: "thermal_relaxation", T1: 10, T2: 21, time: 1 }];
    expect(() => loadCatalogue(withModel({ oneQubit: tooLong }))).toThrow("must be at most twice T1");
    const tooMuch = [{ channel: "depolarizing", probability: 1.5 }];
    expect(() => loadCatalogue(withModel({ twoQubit: tooMuch }))).toThrow("probability");
  });

  test("that names a device twice is refused", () => {
    expect(() => loadCatalogue(catalogueOf({}, {}))).toThrow("twice");
  });
});
