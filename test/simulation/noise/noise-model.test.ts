import { describe, expect, test } from "vitest";
import { noiseFromCalibration } from "../../../src/simulation/noise-model.ts";

const qubit = (figures: object) => ({
  readoutError: null,
  prob0Given1: null,
  prob1Given0: null,
  gateError: {},
  ...figures,
});

describe("a noise model of a calibration", () => {
  test("turns average infidelities into probabilities of Pauli errors", () => {
    const model = noiseFromCalibration({
      qubits: {
        0: qubit({ gateError: { rz: 0, sx: 0.002 } }),
        1: qubit({ gateError: { rz: 0, sx: 0.004 } }),
      },
      edges: { gateError: { cx: [{ source: 1, target: 0, value: 0.01 }] } },
    });
    expect(model.oneQubit).toEqual([0.003, 0.006]);
    expect(model.twoQubit.pairs).toEqual([{ a: 0, b: 1, probability: 0.0125 }]);
  });

  test("takes a pair's best gate, and the median of all pairs for those that are not coupled", () => {
    const cx = [0.04, 0.08, 0.4].map((value, i) => ({ source: i, target: i + 1, value }));
    const { twoQubit } = noiseFromCalibration({
      qubits: { 3: qubit({}) },
      edges: { gateError: { cx: [...cx, { source: 1, target: 0, value: 0.02 }] } },
    });
    expect(twoQubit.pairs.map(pair => pair.probability)).toEqual([0.025, 0.1, 0.5]);
    expect(twoQubit.otherwise).toBe(0.1);
  });

  test("never makes more noise than the completely depolarizing channel", () => {
    const model = noiseFromCalibration({
      qubits: { 0: qubit({ gateError: { sx: 1 }, prob0Given1: 1.5, prob1Given0: -1 }) },
      edges: { gateError: { ecr: [{ source: 0, target: 1, value: 1 }] } },
    });
    expect(model.oneQubit).toEqual([0.75]);
    expect(model.twoQubit.pairs[0]!.probability).toBe(15 / 16);
    expect([model.zeroGivenOne, model.oneGivenZero]).toEqual([[1], [0]]);
  });

  test("fills missing figures: the readout error for its parts, the median of the other qubits for the rest", () => {
    const model = noiseFromCalibration({
      qubits: {
        0: qubit({ readoutError: 0.02, gateError: { prx: 0.02 } }),
        2: qubit({ prob0Given1: 0.04, prob1Given0: 0.06, gateError: { prx: 0.04 } }),
      },
      edges: { gateError: {} },
    });
    expect(model.zeroGivenOne).toEqual([0.02, 0.03, 0.04]);
    expect(model.oneGivenZero).toEqual([0.02, 0.04, 0.06]);
    expect(model.oneQubit).toEqual([0.03, 0.045, 0.06]);
    expect(model.twoQubit.otherwise).toBe(0);
  });
});
