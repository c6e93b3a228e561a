import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { loadCatalogue } from "../../../src/service/catalogue/catalogue.ts";
import { importDevice } from "../../../src/service/node/import/import-device.ts";
import { addDevice, followDevices, readDevices } from "../../../src/service/node/imported-devices.ts";
import { backUpStore, restoreStore } from "../../../src/service-cluster/backup.ts";
import { newFolder } from "../../folder.ts";
import { ketbookHere } from "../command-line.ts";
import { ketbook } from "../process.ts";
import { bell, type Serving, serving } from "../serving.ts";
import { ionqFile, iqmFile, ownFile, qiskitFiles, rigettiFile } from "./device-files.ts";

const imported = (...contents: unknown[]) =>
  importDevice(
    contents.map((content, i) => ({ name: `file${i}.json`, content })),
    { now: 0 },
  );

describe("a device is read", () => {
  test("from the configuration and the properties of a Qiskit backend, in any order", () => {
    const { configuration, properties } = qiskitFiles();
    const device = imported(configuration, properties);
    expect(imported(properties, configuration)).toEqual(device);
    expect(device).toMatchObject({
      qrn: "ibm:emulated:qpu:trio",
      name: "Trio (emulated)",
      numberQubits: 3,
      topology: {
        type: "coupling-map",
        edges: [
          [0, 1],
          [1, 2],
        ],
      },
      maxShots: 20_000,
      pricing: { perMinute: 9600 },
      calibration: { lastCalibrated: "2026-03-01T08:30:00.000Z" },
    });
    const { qubits, edges } = device.calibration!;
    expect(qubits["2"]).toEqual({
      T1: 102,
      T2: 80,
      frequency: 5.1,
      readoutError: 0.02,
      prob0Given1: 0.03,
      prob1Given0: 0.01,
      readoutLength: 800,
      gateError: { rz: 0, sx: 0.0003, x: 0.0003 },
      gateLength: { rz: 0, sx: 35, x: 35 },
    });
    expect(edges.gateLength.cx).toContainEqual({ source: 2, target: 1, value: 300 });
  });

  test("from Braket's properties of a QPU of IQM, whose qubits are numbered anew", () => {
    const device = imported(iqmFile());
    expect(device).toMatchObject({
      qrn: "aws:emulated:qpu:file0",
      topology: {
        edges: [
          [0, 1],
          [0, 2],
          [1, 3],
          [2, 3],
        ],
      },
      pricing: { perTask: 30, perShot: 0.145, perMinute: 0 },
      maxShots: 20_000,
    });
    expect(device.notes).toContain("1, 2, 3, 4");
    expect(device.calibration!.qubits["3"]).toMatchObject({
      T1: 40,
      T2: 9,
      readoutError: 0.03,
      gateError: { prx: 0.001 },
    });
    expect(device.calibration!.edges.gateError.cz).toContainEqual({ source: 2, target: 3, value: 0.008 });
  });

  test("from Braket's means of a QPU of IonQ", () => {
    const { calibration, topology } = imported(ionqFile());
    expect(topology).toEqual({ type: "fully-connected", qubits: 5 });
    expect(calibration!.qubits["4"]).toMatchObject({
      T1: 1e8,
      T2: 1e6,
      readoutLength: 250_000,
      gateError: { gpi: 0.0001, gpi2: 0.0001 },
    });
    expect(calibration!.edges.gateError.zz).toHaveLength(10);
    expect(calibration!.edges.gateLength.zz![0]).toEqual({ source: 0, target: 1, value: 650_000 });
  });

  test("from Braket's properties of a QPU of Rigetti, where its gate is one to transpile to", () => {
    expect(imported(rigettiFile("CZ")).calibration!.qubits["1"]!.gateError).toEqual({
      rz: 0,
      sx: 0.002,
      x: 0.002,
    });
    expect(() => imported(rigettiFile("ISWAP"))).toThrow(/programs can be transpiled to cx, cz/);
  });

  const changed = (change: (own: ReturnType<typeof ownFile>) => unknown) => {
    const own = ownFile();
    change(own);
    return [own];
  };
  const { configuration, properties } = qiskitFiles();
  test.each<[string, unknown[], RegExp]>([
    ["nothing that is known", [{ hello: 1 }], /file0.json is none of the files that can be read/],
    ["no object", ["text"], /none of the files/],
    ["half a Qiskit backend", [configuration], /two files: its configuration/],
    ["two backends", [configuration, { ...properties, backend_name: "ibm_other" }], /of the same backend/],
    [
      "qubits that are missing",
      [configuration, { ...properties, qubits: [] }],
      /3 qubits, the properties have 0/,
    ],
    [
      "a gate on a qubit that is not there",
      [configuration, { ...properties, gates: [{ gate: "sx", qubits: [9], parameters: [] }] }],
      /names qubits 9 of 3/,
    ],
    [
      "a unit that nobody knows",
      [
        configuration,
        {
          ...properties,
          qubits: properties.qubits.map(all => all.map(one => ({ ...one, unit: "fortnight" }))),
        },
      ],
      /unit "fortnight" is not known/,
    ],
    ["figures that are strings", [{ ...configuration, n_qubits: "3" }, properties], /n_qubits/],
    [
      "a maker that nobody knows",
      [{ ...iqmFile(), braketSchemaHeader: { name: "braket.device_schema.acme", version: "1" } }],
      /iqm, rigetti, ionq can be read/,
    ],
    [
      "a count of qubits that is wrong",
      [{ ...iqmFile(), paradigm: { ...iqmFile().paradigm, qubitCount: 9 } }],
      /qubitCount is 9, but 4 qubits are named/,
    ],
    [
      "an error above 1",
      changed(own => (own.calibration.qubits["0"].readoutError = 1.5)),
      /readoutError is 1.5; errors are 0 to 1/,
    ],
    ["a time below 0", changed(own => (own.calibration.qubits["1"].T1 = -1)), /T1 is -1; it must be above 0/],
    ["a coupling to nowhere", changed(own => own.topology.edges.push([0, 7])), /couples 0 and 7/],
    ["a qubit without figures", changed(own => (own.topology.qubits = 3)), /no figures of 2/],
    [
      "too many qubits",
      changed(own => (own.topology.qubits = 1e9)),
      /1000000000 qubits; a device has 1 to 1024/,
    ],
    [
      "more couplings than are read while others wait",
      changed(own => (own.topology.edges = Array.from({ length: 70_000 }, () => [0, 1]))),
      /70000 couplings; at most 65536/,
    ],
    [
      "a count of qubits that fills the memory",
      [{ ...ionqFile(), paradigm: { ...ionqFile().paradigm, qubitCount: 4e9 } }],
      /qubitCount/,
    ],
    [
      "figures that no entry of a catalogue may have",
      [{ ...iqmFile(), service: { ...iqmFile().service, shotsRange: [1, -5] } }],
      /maxShots/,
    ],
    ["a member that is not known", changed(own => Object.assign(own, { thunder: 1 })), /thunder/],
  ])("but not from %s", (_, contents, message) => {
    expect(() => imported(...contents)).toThrow(message);
  });
});

describe("ketbook device", { timeout: 180_000 }, () => {
  let service: Serving;
  const files = mkdtempSync(join(tmpdir(), "ketbook-devices-"));
  const own = "svc:emulated:qpu:mine";
  const write = (name: string, content: unknown) => {
    writeFileSync(join(files, name), typeof content === "string" ? content : JSON.stringify(content));
    return join(files, name);
  };
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(files, { recursive: true });
  });
  const place = () => ["--data", service.folder, "--json"];
  const device = (...args: string[]) => ketbookHere("device", ...args, ...place());
  const answers = (status: number, qrn = own) =>
    vi.waitFor(async () => expect((await service.call("GET", `/devices/${qrn}`)).status).toBe(status), {
      timeout: 20_000,
      interval: 100,
    });

  test("imports a device, which a running service lists, calibrates, runs, transpiles to and bills", async () => {
    const args = ["import", write("own.json", ownFile()), "--per-shot", "0.25"];
    const { code, stdout, stderr } = await ketbook("device", ...args, ...place());
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ qrn: own, numberQubits: 2 });
    await answers(200);
    const { data } = (await service.call("GET", `/devices/${own}`)).body;
    expect(data).toMatchObject({
      name: "Mine (emulated)",
      pricing: { perTask: 1, perShot: 0.25, perMinute: 0 },
    });
    expect(data).not.toHaveProperty("calibration");
    const { body } = await service.call("GET", `/devices/${own}/calibrations`);
    expect(body.data).toMatchObject({
      deviceQrn: own,
      lastCalibrated: "2026-05-01T00:00:00Z",
      qubits: { 0: { T1: 50 } },
    });
    const costs: number[] = [];
    for (const seed of [1, 2]) {
      const { jobQrn } = await service.submit({
        deviceQrn: own,
        program: bell,
        shots: 4000,
        runtimeOptions: { seed },
      });
      const job = await service.ended(jobQrn);
      expect(job.status).toBe("COMPLETED");
      costs.push(job.cost!);
      const { measurementCounts } = (await service.call("GET", `/jobs/${jobQrn}/result`)).body.data
        .resultData;
      const odd = ((measurementCounts["01"] ?? 0) + (measurementCounts["10"] ?? 0)) / 4000;
      expect(odd).toBeGreaterThan(0.04);
      expect(odd).toBeLessThan(0.15);
      await vi.waitFor(
        async () => {
          const { body } = await service.call("GET", `/jobs/${jobQrn}/compiled-program`);
          expect(body.data?.data).toMatch(/cz \$[01], \$[01];/);
        },
        { timeout: 30_000, interval: 500 },
      );
    }
    expect(costs).toEqual([1001, 1001]);
  });

  test("lists what was imported, refuses it twice, replaces it, and removes it", async () => {
    const file = write("again.json", { ...ownFile(), name: "again" });
    expect((await device("import", file)).code).toBe(0);
    expect((await device("import", file)).stderr).toContain("was imported before. Replace it with --replace");
    expect((await device("import", file, "--replace")).code).toBe(0);
    const { stdout } = await device("list");
    expect(JSON.parse(stdout).map(({ qrn }: { qrn: string }) => qrn)).toContain("svc:emulated:qpu:again");
    await answers(200, "svc:emulated:qpu:again");
    expect((await device("remove", "again")).code).toBe(0);
    await answers(404, "svc:emulated:qpu:again");
    expect((await device("remove", "again")).stderr).toContain("No device again was imported");
  });

  test("keeps every one of several devices that are imported at the same time", async () => {
    const names = ["first", "second", "third", "fourth"];
    const answers = await Promise.all(
      names.map(name =>
        ketbook("device", "import", write(`${name}.json`, { ...ownFile(), name }), ...place()),
      ),
    );
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const listed = JSON.parse((await device("list")).stdout).map(({ qrn }: { qrn: string }) => qrn);
    expect(listed).toEqual(expect.arrayContaining(names.map(name => `svc:emulated:qpu:${name}`)));
  });

  test("and a backup or an export keep what was imported, for the folder that they are restored into", async () => {
    await device("import", write("kept.json", { ...ownFile(), name: "kept" }));
    const devices = readDevices(service.folder);
    expect(devices.map(({ qrn }) => qrn)).toContain("svc:emulated:qpu:kept");
    const [copy, archive] = [join(files, "backup.sqlite"), join(files, "archive.gz")];
    const [restored, imported] = [newFolder(), newFolder()];
    await backUpStore(service.folder, copy);
    await restoreStore(copy, restored);
    expect(readDevices(restored)).toEqual(devices);
    await backUpStore(restored, archive, { isLast: true });
    await restoreStore(archive, imported, { isNoted: false });
    expect(readDevices(imported)).toEqual(devices);
  });

  test("and one whose file is damaged keeps no other from a running service, nor from the next", async () => {
    const folder = newFolder();
    const entry = imported(ownFile());
    addDevice(folder, entry);
    addDevice(folder, { ...entry, qrn: "svc:emulated:qpu:other" });
    const path = (name: string) => join(folder, "devices", name);
    const file = path(readdirSync(path("")).find(name => name.includes("mine"))!);
    const [catalogue, errors] = [loadCatalogue(), [] as string[]];
    const follow = (devices: typeof catalogue) =>
      followDevices(folder, devices, { onError: message => errors.push(message) });
    const stop = follow(catalogue);
    writeFileSync(`${file}.part`, "{");
    renameSync(`${file}.part`, file);
    await vi.waitFor(() => expect(errors).toEqual([expect.stringContaining("is damaged")]), 20_000);
    stop();
    expect([...catalogue.keys()]).toEqual(expect.arrayContaining([own, "svc:emulated:qpu:other"]));
    const next = loadCatalogue();
    follow(next)();
    expect([...next.keys()].filter(qrn => !loadCatalogue().has(qrn))).toEqual(["svc:emulated:qpu:other"]);
  });

  test.each<[string, unknown, string[], RegExp]>([
    ["perth.json", { ...ownFile(), vendor: "ibm", name: "perth" }, [], /a device that every service has/],
    ["broken.json", '{"name": ', [], /broken.json cannot be read/],
    ["own2.json", ownFile(), ["--qrn", "nonsense"], /not a QPU name/],
    ["own3.json", ownFile(), ["--per-task", "-1"], /number of credits/],
  ])("refuses %s in a sentence", async (name, content, args, message) => {
    const { code, stdout, stderr } = await device("import", write(name, content), ...args);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("    at ");
  });
});
