import { describe, expect, test } from "vitest";
import { DensityMatrix, KetbookError, State } from "../../src/index.ts";
import { bundleOf } from "./bundle.ts";

const plus = State.from([Math.SQRT1_2, Math.SQRT1_2]);

describe("a density matrix", () => {
  test("of a state shows itself as a Hinton diagram, and is of all qubits by default", () => {
    const matrix = State.from({ "00": 0.8, "11": [0, 0.6] }).densityMatrix();
    expect([matrix.size, matrix.numQubits]).toEqual([4, 2]);
    expect(bundleOf(matrix)).toHaveProperty("image/png");
    expect(matrix.toSVG()).toBe(matrix.hinton().toSVG());
    expect(matrix.purity).toBeCloseTo(1);
    expect(matrix.toJSON()[3]![0]!.map(part => Math.round(part * 100) / 100)).toEqual([0, 0.48]);
    expect(String(matrix)).toBe("Density matrix of 2 qubits, purity 1.000");
  });

  test("is drawn from its rows as from the state that it is of", () => {
    const rows = [
      [0.5, 0.5],
      [0.5, 0.5],
    ];
    expect(DensityMatrix.from(rows).hinton().toSVG()).toBe(plus.densityMatrix().hinton().toSVG());
    expect(DensityMatrix.from(rows).city().toSVG()).toBe(plus.city().toSVG());
    expect([...DensityMatrix.from(rows).values]).toEqual([0.5, 0, 0.5, 0, 0.5, 0, 0.5, 0]);
  });

  test("is of the matrices that states have, mixed and pure", () => {
    const states = [State.from([0.6, 0, { re: 0, im: 0.8 }, 0]), State.from(Array(8).fill(Math.sqrt(1 / 8)))];
    for (const state of states)
      for (const qubits of [[0], [1, 0]]) {
        const rows = state.densityMatrix(qubits).toJSON();
        expect(DensityMatrix.from(rows as never).purity).toBeCloseTo(state.densityMatrix(qubits).purity, 9);
      }
  });

  const third = (entry: number) => Array.from({ length: 4 }, () => [entry, entry, entry, entry]);
  test.each<[string, number[][], string]>([
    ["no square", [[1, 0]], "a list of 2^n rows"],
    ["of trace 4", third(1), "trace"],
    [
      "not Hermitian",
      [
        [0.5, 0.4],
        [0, 0.5],
      ],
      "Hermitian",
    ],
    [
      "not positive",
      [
        [0.5, 0.9],
        [0.9, 0.5],
      ],
      "positive",
    ],
    [
      "of a negative eigenvalue",
      [
        [0.25, 0.25, 0.25, 0],
        [0.25, 0.25, -0.25, 0],
        [0.25, -0.25, 0.25, 0],
        [0, 0, 0, 0.25],
      ],
      "negative eigenvalue",
    ],
  ])("that is %s is refused", (_, rows, words) => {
    expect(() => DensityMatrix.from(rows)).toThrow(KetbookError);
    expect(() => DensityMatrix.from(rows)).toThrow(words);
  });

  test.each([[[1]], [[0, 0]], [[]], [[0.5]]])("of the qubits %j of one is refused", qubits => {
    expect(() => plus.densityMatrix(qubits)).toThrow("each once");
  });
});
