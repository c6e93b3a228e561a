import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSnapshot } from "../../../src/service/catalogue/calibrations.ts";
import { loadCatalogue } from "../../../src/service/catalogue/catalogue.ts";
import { deviceFigures } from "../../../src/simulation/index.ts";

const emulated = [...loadCatalogue().values()].filter(device => device.deviceType === "QPU");
const sizes = { perth: 7, auckland: 27, brisbane: 127, garnet: 20, forte: 36 };

describe("the emulated QPUs", () => {
  test("are the five of the contract, with their numbers of qubits", () => {
    const qubits = emulated.map(({ qrn, numberQubits }) => [qrn.split(":")[3], numberQubits]);
    expect(Object.fromEntries(qubits)).toEqual(sizes);
  });

  test.each(emulated)("$name says that it is emulated wherever a person reads it", device => {
    expect(device.name).toMatch(/ \(emulated\)$/);
    expect(device.description).toMatch(/^An emulation of /);
    expect(device.notes).toMatch(/^Emulated: no job reaches the real QPU\./);
    expect(device.provider).toBe("emulated");
  });

  test.each(emulated)("$name names the source of its figures and their licence", ({ notes }) => {
    expect(notes).toMatch(
      /taken from .*(qiskit-ibm-runtime|amazon-braket-examples) \(Apache-2\.0\), figures only\./,
    );
  });

  test.each(emulated)("$name has the prices of the contract", ({ vendor, pricing, pricingModel }) => {
    if (vendor === "ibm") expect(pricingModel).toBe("dynamic");
    else expect(pricingModel).toBe("fixed");
    if (vendor === "aws") expect(pricing).toEqual({ perTask: 30, perShot: 0.145, perMinute: 0 });
    if (vendor === "ionq") expect(pricing).toEqual({ perTask: 30, perShot: 8, perMinute: 0 });
  });
});

test("the short names of all devices are those that an editor offers", () => {
  const source = new URL("../../../src/notebook/devices/resolve-device.ts", import.meta.url);
  const offered = Array.from(readFileSync(source, "utf8").matchAll(/\| "(.+)"/g), ([, name]) => name);
  const names = [...loadCatalogue().keys()].map(qrn => qrn.split(":").at(-1));
  expect(offered.sort()).toEqual(names.sort());
});

describe("their topologies", () => {
  test.each(emulated)(
    "$name is in one piece, without an edge twice or a qubit outside",
    ({ topology, numberQubits }) => {
      if (topology.type !== "coupling-map") {
        expect(topology).toEqual({ type: "fully-connected", qubits: numberQubits });
        return;
      }
      expect(topology.qubits).toBe(numberQubits);
      expect(new Set(topology.edges.map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`)).size).toBe(
        topology.edges.length,
      );
      const reached = new Set([0]);
      for (let round = 0; round < numberQubits; round++)
        for (const edge of topology.edges)
          if (edge.some(qubit => reached.has(qubit))) for (const qubit of edge) reached.add(qubit);
      expect([...reached].sort((a, b) => a - b)).toEqual([...Array(numberQubits).keys()]);
    },
  );

  test.each(emulated.filter(device => device.topology.type === "coupling-map"))(
    "$name can be drawn: every edge joins neighbours on a grid, on which no two qubits share a place",
    ({ topology }) => {
      if (topology.type !== "coupling-map") throw new Error("filtered above");
      const places = topology.coordinates!;
      expect(new Set(places.map(String)).size).toBe(topology.qubits);
      for (const [a, b] of topology.edges) {
        const [dx, dy] = [places[a]![0] - places[b]![0], places[a]![1] - places[b]![1]];
        expect([Math.abs(dx) + Math.abs(dy), a, b]).toEqual([1, a, b]);
      }
    },
  );
});

describe("their calibrations", () => {
  test.each(emulated)(
    "$name has figures of each qubit and each coupled pair, errors from 0 to 1",
    async ({ qrn, numberQubits, topology }) => {
      const calibration = (await readSnapshot(qrn))!;
      expect(calibration).toMatchObject({ deviceQrn: qrn, provider: "emulated" });
      expect(Object.keys(calibration.qubits).map(Number)).toEqual([...Array(numberQubits).keys()]);
      for (const { T1, T2, prob0Given1, prob1Given0, readoutError, gateError } of Object.values(
        calibration.qubits,
      )) {
        expect(Math.min(T1!, T2!)).toBeGreaterThan(1);
        for (const error of [prob0Given1!, prob1Given0!, readoutError!, ...Object.values(gateError)]) {
          expect(error).toBeGreaterThanOrEqual(0);
          expect(error).toBeLessThan(0.5);
        }
        expect(readoutError!).toBeCloseTo((prob0Given1! + prob1Given0!) / 2, 2);
      }
      const pairs = Object.values(calibration.edges.gateError).flat();
      for (const { value } of pairs) expect(value > 0 && value <= 1).toBe(true);
      const known = new Set(
        pairs.map(({ source, target }) => `${Math.min(source, target)} ${Math.max(source, target)}`),
      );
      if (topology.type === "coupling-map")
        expect(known).toEqual(new Set(topology.edges.map(([a, b]) => `${a} ${b}`)));
      else expect(known.size).toBe((numberQubits * (numberQubits - 1)) / 2);
    },
  );

  test("are missing for simulators", async () => {
    expect(await readSnapshot("svc:svc:sim:statevector")).toBeUndefined();
    expect(await readSnapshot("__proto__")).toBeUndefined();
  });

  test.each(emulated)("$name has errors for every qubit", async ({ qrn, numberQubits }) => {
    const { qubits, uncoupled } = deviceFigures((await readSnapshot(qrn))!);
    expect(qubits).toHaveLength(numberQubits);
    for (const { otherwise, zeroGivenOne, oneGivenZero } of qubits)
      for (const p of [otherwise.error, zeroGivenOne, oneGivenZero]) expect(p > 0 && p < 0.5).toBe(true);
    expect(uncoupled.error).toBeGreaterThan(0.004);
    expect(uncoupled.error).toBeLessThan(0.016);
  });
});

describe("a catalogue of one's own", () => {
  test("is refused where it emulates a device without a calibration", () => {
    const { vendor, provider, deviceType, noise, ...perth } = emulated.find(({ qrn }) =>
      qrn.endsWith(":perth"),
    )!;
    using folder = mkdtempDisposableSync(join(tmpdir(), "catalogue-"));
    const file = join(folder.path, "catalogue.json");
    const load = (device: object) => {
      writeFileSync(file, JSON.stringify({ devices: [device] }));
      return loadCatalogue(file);
    };
    expect(load(perth).get(perth.qrn)).toMatchObject({ vendor, provider, deviceType });
    expect(() => load({ ...perth, qrn: "ibm:emulated:qpu:nowhere" })).toThrow(/needs a calibration/);
  });
});
