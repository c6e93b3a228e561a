import { describe, expect, test } from "vitest";
import { expectedFidelity } from "../../../src/simulation/index.ts";
import { circuit, perth } from "./devices.ts";

const fidelity = (body: string) => expectedFidelity(circuit(body), perth);
const readout = (qubit: number) => {
  const { zeroGivenOne, oneGivenZero } = perth.qubits[qubit]!;
  return 1 - (zeroGivenOne + oneGivenZero) / 2;
};
const x = 1 - perth.qubits[0]!.gates.x!.error;

describe("the expected fidelity of a circuit", () => {
  test("is the product of its gates and readouts, in loops too", () => {
    const gates = "x $0; ".repeat(20);
    expect(fidelity(`bit c; ${gates} c = measure $0;`)).toBeCloseTo(x ** 20 * readout(0), 12);
    expect(fidelity("bit c; for int i in [1:20] { x $0; } c = measure $0;")).toBeCloseTo(
      x ** 20 * readout(0),
      12,
    );
  });

  test("is the mean of both ways of a choice by a measured bit", () => {
    const [none, five, mean] = ["", "x $0; ".repeat(5)].flatMap((gates, i) => {
      const body = (one: string) => `bit c; c = measure $0; if (c) { x $0; ${one} } else { x $0; }`;
      return i === 0 ? [fidelity(body(""))] : [readout(0) * x ** 6, fidelity(body(gates))];
    }) as [number, number, number];
    expect(none).toBeCloseTo(readout(0) * x, 12);
    expect(mean).toBeCloseTo((none + five) / 2, 12);
  });

  test("has a loop by a measured bit run on as often as it ends", () => {
    const turn = x * readout(0);
    const again = turn / 2 / (1 - turn / 2);
    const found = fidelity("bit c; c = measure $0; while (c) { x $0; c = measure $0; }");
    expect(found).toBeCloseTo((readout(0) * (again + 1)) / 2, 8);
  });

  test("is 0 of a loop that never ends", () => {
    expect(fidelity("bit c; c = measure $0; while (true) { c = measure $0; if (c) { x $0; } }")).toBeLessThan(
      1e-6,
    );
  });
});
