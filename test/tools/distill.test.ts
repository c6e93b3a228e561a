import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { calibrationSchema } from "../../src/contract/schemas/index.ts";
import { format } from "../../tools/distill/format.ts";
import { distillForte } from "../../tools/distill/forte.ts";
import { distillGarnet } from "../../tools/distill/garnet.ts";
import { distillIbm } from "../../tools/distill/ibm.ts";

const fetchedAt = "2026-01-02T00:00:00.000Z";
const service = { updatedAt: "2026-01-01T12:00:00+02:00" };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "distill-"));
  mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));

test("figures of IBM are rounded, couplings go one way, and resets are left out", () => {
  put("conf_x.json", {
    n_qubits: 3,
    coupling_map: [
      [1, 0],
      [0, 1],
      [2, 1],
    ],
    coords: [
      [4, 2],
      [4, 3],
      [5, 3],
    ],
  });
  const qubit = [
    { name: "T1", value: 123.456789 },
    { name: "readout_error", value: 0.0123456 },
  ];
  put("props_x.json", {
    last_update_date: "2026-01-01T12:00:00+02:00",
    qubits: [qubit, qubit, qubit],
    gates: [
      { qubits: [0], gate: "sx", parameters: [{ name: "gate_error", value: 0.000123456 }] },
      { qubits: [0], gate: "reset", parameters: [{ name: "gate_length", value: 1000 }] },
      { qubits: [1, 0], gate: "cx", parameters: [{ name: "gate_length", value: 300.04 }] },
    ],
  });
  const { topology, calibration } = distillIbm("x", folder, fetchedAt);
  expect(topology).toEqual({
    type: "coupling-map",
    qubits: 3,
    edges: [
      [0, 1],
      [1, 2],
    ],
    coordinates: [
      [0, 0],
      [0, 1],
      [1, 1],
    ],
  });
  expect(calibration).toMatchObject({ lastCalibrated: "2026-01-01T10:00:00.000Z", fetchedAt });
  expect(calibration.qubits["0"]).toMatchObject({
    T1: 123.5,
    T2: null,
    readoutError: 0.0123,
    gateError: { sx: 0.000123 },
    gateLength: {},
  });
  expect(calibration.edges.gateLength).toEqual({ cx: [{ source: 1, target: 0, value: 300 }] });
  expect(calibrationSchema.parse(calibration)).toEqual(calibration);
});

test("the newest file of garnet is taken; its qubits are numbered from 0, and lie on a square lattice", () => {
  const one = {
    T1: 5e-5,
    T2: 1e-5,
    f1Q_simultaneous_RB: 0.999,
    fRO: 0.97,
    readout_error_0_to_1: 0.01,
    readout_error_1_to_0: 0.05,
  };
  const properties = (fidelity: number) => ({
    one_qubit: { 1: one, 2: one, 3: one, 4: one },
    two_qubit: {
      "3-4": { fCZ: fidelity },
      "1-2": { fCZ: fidelity },
      "1-3": { fCZ: fidelity },
      "2-4": { fCZ: fidelity },
    },
  });
  const file = (fidelity: number) => ({
    service,
    paradigm: { qubitCount: 4 },
    provider: { properties: properties(fidelity) },
  });
  put("garnet_device_properties_1.json", file(0.5));
  put("garnet_device_properties_2.json", JSON.stringify(file(0.99)));
  const { topology, calibration } = distillGarnet(folder, fetchedAt);
  expect(topology).toMatchObject({
    edges: [
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 3],
    ],
    coordinates: [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ],
  });
  expect(calibration.edges.gateError.cz?.map(({ value }) => value)).toEqual([0.01, 0.01, 0.01, 0.01]);
  expect(calibration.qubits["3"]).toMatchObject({
    T1: 50,
    readoutError: 0.03,
    prob0Given1: 0.05,
    gateError: { prx: 0.001 },
  });
});

test("the means of forte go to every qubit and every pair", () => {
  put("ionq_forte_enterprise_device_capabilities.json", {
    service,
    paradigm: { qubitCount: 3 },
    provider: {
      fidelity: { "1Q": { mean: 0.9998 }, "2Q": { mean: 0.99 }, spam: { mean: 0.995 } },
      timing: { T1: 100, T2: 1, "1Q": 0.00013, "2Q": 0.00097, readout: 0.00015 },
    },
  });
  const { topology, calibration } = distillForte(folder, fetchedAt);
  expect(topology).toEqual({ type: "fully-connected", qubits: 3 });
  expect(Object.keys(calibration.qubits)).toEqual(["0", "1", "2"]);
  expect(calibration.edges.gateError.zz).toEqual([
    { source: 0, target: 1, value: 0.01 },
    { source: 0, target: 2, value: 0.01 },
    { source: 1, target: 2, value: 0.01 },
  ]);
});

test("a file of another form is refused with the member that is wrong", () => {
  put("conf_x.json", { n_qubits: 3 });
  expect(() => distillIbm("x", folder, fetchedAt)).toThrow(
    /conf_x\.json is not of the form expected:[\s\S]*coupling_map/,
  );
  expect(() => distillGarnet(folder, fetchedAt)).toThrow("has no garnet_device_properties_*.json");
});

describe("the catalogue's files", () => {
  const catalogue = new URL("../../src/service/catalogue/", import.meta.url);
  const files = readdirSync(new URL("calibrations/", catalogue)).map(name => `calibrations/${name}`);
  test.each([...files, "topologies.json"])("%s is as it would be written again", name => {
    const text = readFileSync(new URL(name, catalogue), "utf8");
    expect(`${format(JSON.parse(text))}\n`).toBe(text);
  });
});
