import { describe, expect, test } from "vitest";
import { deviceFigures } from "../../../src/simulation/index.ts";

const qubit = (figures: object) => ({
  ...{ T1: null, T2: null, readoutError: null, prob0Given1: null, prob1Given0: null, readoutLength: null },
  ...{ gateError: {}, gateLength: {} },
  ...figures,
});
const figuresOf = (qubits: Record<number, object>, gateError = {}) =>
  deviceFigures({
    qubits: Object.fromEntries(Object.entries(qubits).map(([i, figures]) => [i, qubit(figures)])),
    edges: { gateError, gateLength: {} },
  });

describe("the errors of a calibration", () => {
  test("are those of a pair's best gate, and the median of all pairs for those that are not coupled", () => {
    const cx = [0.04, 0.08, 0.4].map((value, i) => ({ source: i, target: i + 1, value }));
    const { pairs, uncoupled } = figuresOf({ 3: {} }, { cx, ecr: [{ source: 0, target: 1, value: 0.02 }] });
    expect(pairs.map(pair => pair.otherwise.error)).toEqual([0.02, 0.08, 0.4]);
    expect(uncoupled.error).toBe(0.08);
  });

  test("are never more than those of the completely depolarizing channel", () => {
    const { qubits, pairs } = figuresOf(
      { 0: { gateError: { sx: 1 }, prob0Given1: 1.5, prob1Given0: -1 } },
      { ecr: [{ source: 0, target: 1, value: 1 }] },
    );
    expect(qubits[0]).toMatchObject({ otherwise: { error: 0.5 }, zeroGivenOne: 1, oneGivenZero: 0 });
    expect(pairs[0]!.otherwise.error).toBe(0.75);
  });

  test("are filled: by the readout error for its parts, by the median of the other qubits for the rest", () => {
    const { qubits } = figuresOf({
      0: { readoutError: 0.02, gateError: { prx: 0.02 } },
      2: { prob0Given1: 0.04, prob1Given0: 0.06, gateError: { prx: 0.04 } },
    });
    expect(qubits.map(({ zeroGivenOne }) => zeroGivenOne)).toEqual([0.02, 0.03, 0.04]);
    expect(qubits.map(({ oneGivenZero }) => oneGivenZero)).toEqual([0.02, 0.04, 0.06]);
    expect(qubits.map(({ otherwise }) => otherwise.error)).toEqual([0.02, 0.03, 0.04]);
  });
});
