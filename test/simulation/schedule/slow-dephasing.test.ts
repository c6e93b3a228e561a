import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type DeviceOptions, deviceFigures, simulateDevice } from "../../../src/simulation/index.ts";
import { circuit, isWithin } from "./devices.ts";

const SHARE = 0.79;
const quiet = { gates: false, readout: false };
const deviceNamed = (name: string) => {
  const file = new URL(`../../../src/service/catalogue/calibrations/${name}.json`, import.meta.url);
  return deviceFigures(JSON.parse(readFileSync(file, "utf8")), SHARE);
};
const brisbane = deviceNamed("brisbane");

/** A superposition of qubit 0 that waits for a time, in as many parts as there are pulses and one more. */
const sequence = (time: number, pulses: readonly string[] = [], undo = "") => {
  const edge = pulses.length > 0 ? time / pulses.length / 2 : time;
  const wait = (length: number) => `delay[${length}ns] $0;`;
  const inner = pulses.map((pulse, i) => `${wait(i === 0 ? edge : 2 * edge)} ${pulse} $0;`);
  return `bit c; h $0; ${inner.join(" ")} ${wait(edge)} ${undo} h $0; c = measure $0;`;
};
const contrast = (device: typeof brisbane, body: string, noise: DeviceOptions["noise"] = {}) => {
  const { "0": zero = 0 } = simulateDevice(circuit(body), device, { shots: 0, noise: { ...quiet, ...noise } })
    .measurementProbabilities!;
  return 2 * zero - 1;
};

describe("frequencies that differ from shot to shot", () => {
  test.each(["perth", "auckland", "brisbane"])(
    "shorten a Ramsey fringe on %s to T2*, while an echo finds T2",
    name => {
      const device = deviceNamed(name);
      const { T2 } = device.qubits[0]!;
      expect(contrast(device, sequence(SHARE * T2))).toBeCloseTo(Math.exp(-1), 2);
      expect(contrast(device, sequence(T2, ["x"]))).toBeCloseTo(Math.exp(-1), 2);
      expect(contrast(device, sequence(T2))).toBeLessThan(0.28);
    },
  );

  test.each([
    ["an echo by Y", ["y"]],
    ["an echo by a rotation", ["rx(pi)"]],
    ["CPMG", ["x", "x", "x", "x"]],
    ["XY4", ["x", "y", "x", "y"]],
    ["XY8", ["x", "y", "x", "y", "y", "x", "y", "x"]],
  ])("are undone by %s", (_, pulses) => {
    const { T2 } = brisbane.qubits[0]!;
    const found = Math.abs(contrast(brisbane, sequence(0.6 * T2, pulses)));
    expect(found).toBeGreaterThan(0.97 * Math.exp(-0.6));
    expect(found).toBeGreaterThan(1.05 * contrast(brisbane, sequence(0.6 * T2)));
  });

  test("are undone where a pulse exchanges unequal waits only in part", () => {
    const { T2, slowDephasing } = brisbane.qubits[0]!;
    const body = `bit c; h $0; delay[${T2}ns] $0; x $0; delay[${T2 / 2}ns] $0; h $0; c = measure $0;`;
    expect(contrast(brisbane, body)).toBeCloseTo(Math.exp(-1.5 - (T2 / 2 / slowDephasing) ** 2), 2);
  });

  test("spare an idle qubit that is decoupled while its neighbours work", () => {
    const work = `h $13; ${"cx $13, $12; ".repeat(12)}`;
    const decoupled = (half: string) =>
      contrast(brisbane, `bit c; h $0; barrier $0, $13; ${half} h $0; c = measure $0;`);
    const idle = decoupled(`${work} ${work} barrier $0, $13;`);
    const pulsed = decoupled(`${work} barrier $0, $13; x $0; barrier $0, $13; ${work} barrier $0, $13;`);
    expect(pulsed).toBeGreaterThan(idle + 0.02);
  });

  test("are reversed on the control of an echoed gate, and kept on that of a controlled X", () => {
    const { T2 } = brisbane.qubits[0]!;
    const ecr = "gate ecr a, b { s a; sx b; cx a, b; x a; }";
    const twice = (gate: string) =>
      `${ecr} bit c; h $0; ${`delay[${T2 / 4}ns] $0; ${gate} $0, $14;`.repeat(2)} h $0; c = measure $0;`;
    expect(contrast(brisbane, twice("ecr"))).toBeGreaterThan(contrast(brisbane, twice("cx")) + 0.02);
  });

  test("act alike by every method, and not where they are switched off", () => {
    const { T2 } = brisbane.qubits[0]!;
    const ramsey = circuit(sequence(T2));
    const one = (1 - contrast(brisbane, sequence(T2))) / 2;
    const shots = 20_000;
    for (const method of ["density matrix", "trajectories", "matrix product state"] as const) {
      const options = { shots, seed: 6, method, noise: quiet };
      expect(
        isWithin(simulateDevice(ramsey, brisbane, options).measurementCounts["1"]!, shots, one),
        method,
      ).toBe(true);
    }
    expect(contrast(brisbane, sequence(T2), { slowDephasing: false })).toBeCloseTo(Math.exp(-1), 2);
    expect(contrast(brisbane, sequence(T2), { relaxation: false })).toBeCloseTo(1, 10);
    const alone = contrast(brisbane, sequence(T2), { relaxation: false, slowDephasing: true });
    expect(alone).toBeCloseTo(Math.exp(-((T2 / brisbane.qubits[0]!.slowDephasing) ** 2)), 10);
  });
});
