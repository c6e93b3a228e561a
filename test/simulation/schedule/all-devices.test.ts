import { describe, expect, test } from "vitest";
import type { DeviceFigures } from "../../../src/simulation/index.ts";
import { countsOn, exactOn, figuresOf, isWithin } from "./devices.ts";
import { ghzAgreement, ghzBody, pathOf, twirledGhzAgreement } from "./ghz-populations.ts";

const SHOTS = 20_000;
const gateOnly = { readout: false };
const DEVICES = ["perth", "auckland", "brisbane", "garnet", "forte"];

/** Qubits of a GHZ state whose relaxation is twirled; Garnet's lattice has no path through all of its 20. */
const longPath = (name: string) => (name === "garnet" ? 19 : 20);

/** The first, the middle and the last qubit of a device. */
const someOf = ({ qubits }: DeviceFigures) => [0, qubits.length >> 1, qubits.length - 1];

describe.each(DEVICES)("experiments on %s find its published figures", name => {
  const device = figuresOf(name);
  const length = longPath(name);

  test("T1, by the decay of a 1 over delays", () => {
    for (const qubit of someOf(device)) {
      const { T1 } = device.qubits[qubit]!;
      const one = (time: number) =>
        exactOn(device, `bit c; x $${qubit}; delay[${time}ns] $${qubit}; c = measure $${qubit};`, gateOnly)[
          "1"
        ]!;
      for (const part of [0.1, 1, 3]) expect(one(part * T1) / one(0)).toBeCloseTo(Math.exp(-part), 9);
    }
  });

  test("T2, by the contrast of a Ramsey fringe and of an echo", () => {
    for (const qubit of someOf(device)) {
      const { T2 } = device.qubits[qubit]!;
      const q = `$${qubit}`;
      /** Half the difference of two readings, half a turn apart. */
      const contrast = (time: number, middle: string) => {
        const half = `delay[${time / 2}ns] ${q};`;
        const [a, b] = ["", `rz(pi) ${q};`].map(turn => {
          const body = `bit c; sx ${q}; ${half} ${middle} ${half} ${turn} sx ${q}; c = measure ${q};`;
          return exactOn(device, body, gateOnly)["1"]!;
        });
        return (a! - b!) / 2;
      };
      for (const middle of [`rz(0.8) ${q};`, `x ${q};`])
        for (const part of [0.2, 1, 2])
          expect(contrast(part * T2, middle) / contrast(0, middle), middle).toBeCloseTo(Math.exp(-part), 9);
    }
  });

  test("the error of a gate, by randomized benchmarking", () => {
    for (const qubit of someOf(device).slice(1)) {
      const { error } = device.qubits[qubit]!.otherwise;
      const ratio = survival(device, qubit, 60) / survival(device, qubit, 10);
      const found = (1 - ratio ** (1 / 100)) / 2;
      expect(found / error).toBeCloseTo(1, 1);
    }
  });

  test("the readout matrix", () => {
    const qubits = someOf(device);
    const measure = qubits.map((qubit, i) => `c[${i}] = measure $${qubit};`).join(" ");
    for (const [value, flips] of ["", qubits.map(qubit => `x $${qubit};`).join(" ")].entries()) {
      const found = exactOn(device, `bit[3] c; ${flips} ${measure}`, { relaxation: false, gates: false });
      qubits.forEach((qubit, i) => {
        const ones = Object.entries(found).reduce((sum, [key, p]) => sum + (key[2 - i] === "1" ? p : 0), 0);
        const { oneGivenZero, zeroGivenOne } = device.qubits[qubit]!;
        expect(ones).toBeCloseTo(value ? 1 - zeroGivenOne : oneGivenZero, 9);
      });
    }
  });

  test("a GHZ state of five qubits, whose relaxation, idling and gates make up its errors", () => {
    const path = pathOf(device, 5);
    const found = exactOn(device, ghzBody(path), gateOnly);
    expect(found["00000"]! + found["11111"]!).toBeCloseTo(ghzAgreement(device, path), 9);
  });

  test.skipIf(device.qubits.length < length)(
    "a GHZ state of 19 or 20 qubits, within the error of its shots",
    () => {
      const path = pathOf(device, length);
      const counts = countsOn(device, ghzBody(path), { noise: gateOnly });
      const alike = (counts["0".repeat(length)] ?? 0) + (counts["1".repeat(length)] ?? 0);
      const expected = twirledGhzAgreement(device, path);
      expect(isWithin(alike, SHOTS, expected), `${alike} of ${SHOTS}, not ${expected}`).toBe(true);
    },
  );
});

/** Returns by how much random sequences of so many gates, and what undoes them, end where they began more often than by chance. */
function survival(device: DeviceFigures, qubit: number, length: number): number {
  const SEQUENCES = 16;
  let state = 12345 + qubit;
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const q = `$${qubit}`;
  let sum = 0;
  for (let i = 0; i < SEQUENCES; i++) {
    const turns = Array.from({ length }, () => random(4));
    const forth = turns.map(turn => `rz(${turn} * pi / 2) ${q}; sx ${q};`);
    const back = turns
      .map(turn => `rz(pi) ${q}; sx ${q}; rz(pi) ${q}; rz(${-turn} * pi / 2) ${q};`)
      .reverse();
    const body = `bit c; ${forth.join(" ")} ${back.join(" ")} ${i % 2 ? `x ${q};` : ""} c = measure ${q};`;
    sum += exactOn(device, body, gateOnly)[i % 2] ?? 0;
  }
  return sum / SEQUENCES - 0.5;
}
