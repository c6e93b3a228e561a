import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ScheduledOperation, scheduleCircuit } from "../../../src/simulation/index.ts";
import { circuit, perth } from "./devices.ts";

const schedule = (body: string) => scheduleCircuit(circuit(body), perth);
const named = (operations: readonly ScheduledOperation[], name: string) =>
  operations.filter(operation => operation.name === name);
const X = perth.qubits[0]!.gates.x!.length;
const CX = perth.pairs.find(({ a, b }) => a === 0 && b === 1)!.gates.cx!.length;
const READOUT = perth.qubits[0]!.readoutLength;

describe("the schedule of a circuit", () => {
  test("puts operations as late as those that follow them allow, with the lengths of the calibration", () => {
    const { operations, duration, isDynamic } = schedule(
      "bit[2] c; x $0; x $1; x $1; x $1; cx $0, $1; c[0] = measure $0; c[1] = measure $1;",
    );
    expect(duration).toBeCloseTo(3 * X + CX + READOUT, 9);
    expect(named(operations, "x").map(({ qubits, start }) => [qubits[0], Math.round(start / X)])).toEqual([
      [0, 2],
      [1, 0],
      [1, 1],
      [1, 2],
    ]);
    for (const { end } of named(operations, "measure")) expect(end).toBeCloseTo(duration, 9);
    expect(isDynamic).toBe(false);
  });

  test("gives no time to virtual gates", () => {
    expect(schedule("rz(0.3) $0; z $0; s $0;").duration).toBe(0);
  });

  test("lets delays pass, those of computed durations and in loops too", () => {
    expect(schedule("x $0; delay[1us] $0; x $0;").duration).toBeCloseTo(1000 + 2 * X, 9);
    expect(schedule("for int i in [1:3] { delay[i * 100ns] $0; } x $0;").duration).toBeCloseTo(600 + X, 9);
  });

  test("lets qubits wait for each other at a barrier", () => {
    const { operations } = schedule("x $0; x $1; x $1; barrier $0, $1; x $0; delay[1us] $1;");
    const [first, ...rest] = named(operations, "x");
    expect(first!.end).toBeCloseTo(2 * X, 9);
    expect(rest.at(-1)!.start).toBeCloseTo(1000 + X, 9);
  });

  test("gives a box all of its duration on all of its qubits", () => {
    const { operations, duration } = schedule("box[2us] { x $0; x $1; delay[100ns] $1; } x $0; x $1;");
    expect(duration).toBeCloseTo(2000 + X, 9);
    expect(named(operations, "x").map(({ end }) => Math.round(end - 2000))).toEqual([
      0,
      -100,
      Math.round(X),
      Math.round(X),
    ]);
  });

  test("gives resets the time of a measurement and a gate on its outcome", () => {
    expect(schedule("reset $0; x $0;").duration).toBeCloseTo(READOUT + 2 * X, 9);
  });

  test("begins a block where the program chooses by what it has measured, after the longest way there", () => {
    const { duration, operations, isDynamic } = schedule(
      "bit c; bit d; c = measure $0; if (c) { x $1; x $1; } else { x $1; } d = measure $1;",
    );
    expect(isDynamic).toBe(true);
    expect(new Set(operations.map(({ block }) => block)).size).toBe(4);
    expect(duration).toBeCloseTo(2 * READOUT + 2 * X, 9);
  });

  test("counts a loop by measured bits once", () => {
    const { duration } = schedule("bit c; c = measure $0; while (c) { x $0; c = measure $0; reset $0; }");
    expect(duration).toBeCloseTo(2 * X + 3 * READOUT, 9);
  });

  test("never lets two operations keep a qubit busy at once, nor leaves room behind one", () => {
    const steps = fc.array(
      fc.constantFrom(
        ...["x $0;", "x $1;", "sx $3;", "cx $0, $1;", "cx $1, $3;", "cx $3, $5;", "delay[250ns] $1;"],
        ...["barrier $0, $3;", "reset $5;", "c[0] = measure $1;", "box { x $0; cx $1, $3; }", "swap $3, $5;"],
      ),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(steps, lines => {
        const { operations, duration } = schedule(`bit[1] c; ${lines.join(" ")}`);
        for (const qubit of [0, 1, 3, 5]) {
          const own = operations.filter(({ qubits }) => qubits.includes(qubit));
          own.forEach(({ start, end }, i) => {
            expect(start).toBeGreaterThanOrEqual(-1e-9);
            const next = own[i + 1]?.start ?? duration;
            expect(end).toBeLessThanOrEqual(next + 1e-9);
          });
        }
        for (const one of operations) {
          if (lines.some(line => line.startsWith("box"))) break;
          const followers = one.qubits.map(qubit => {
            const own = operations.filter(({ qubits }) => qubits.includes(qubit));
            return own[own.indexOf(one) + 1]?.start ?? duration;
          });
          expect(one.end).toBeCloseTo(Math.min(...followers), 6);
        }
      }),
      { numRuns: 100, seed: 3 },
    );
  });
});
