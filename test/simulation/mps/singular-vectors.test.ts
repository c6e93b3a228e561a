import fc from "fast-check";
import { expect, test } from "vitest";
import { singularVectors, triangularFactor } from "../../../src/simulation/mps/factorizations.ts";
import { multiply, multiplyAdjoint, zeros } from "../../../src/simulation/mps/tensor-matrix.ts";

const matrices = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
  .chain(([rows, rank, columns]) => {
    const numbers = (length: number) =>
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: length, maxLength: length });
    const matrix = (m: number, n: number) =>
      fc.tuple(numbers(m * n), numbers(m * n)).map(([re, im]) => ({
        rows: m,
        columns: n,
        re: Float64Array.from(re),
        im: Float64Array.from(im),
      }));
    return fc.tuple(matrix(rows, rank), matrix(rank, columns)).map(([a, b]) => multiply(a, b));
  });

const gram = (matrix: ReturnType<typeof zeros>) => {
  const { rows, columns, re, im } = matrix;
  const adjoint = zeros(columns, rows);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      adjoint.re[j * rows + i] = re[i * columns + j]!;
      adjoint.im[j * rows + i] = -im[i * columns + j]!;
    }
  return multiply(adjoint, matrix);
};

const expectClose = (a: ReturnType<typeof zeros>, b: ReturnType<typeof zeros>) => {
  for (const plane of ["re", "im"] as const)
    a[plane].forEach((part, i) => {
      expect(Math.abs(part - b[plane][i]!)).toBeLessThan(1e-11);
    });
};

test("a triangular factor has the Gram matrix of the matrix, of any shape and rank", () => {
  fc.assert(
    fc.property(matrices, matrix => {
      const factor = triangularFactor(matrix);
      expect(factor.rows).toBeLessThanOrEqual(factor.columns);
      expectClose(gram(factor), gram(matrix));
    }),
    { seed: 1 },
  );
});

test("right singular vectors are orthonormal, their values descend, and nothing of the matrix is outside of them", () => {
  fc.assert(
    fc.property(matrices, matrix => {
      const onWork = () => {};
      const { values, vectors, discarded } = singularVectors(matrix, { maxRank: 100, cutoff: 1e-12, onWork });
      expect(discarded).toBe(0);
      expect([...values]).toEqual([...values].sort((a, b) => b - a));
      if (values[0] === 0) return;
      const overlaps = multiplyAdjoint(vectors, vectors);
      const identity = zeros(values.length, values.length);
      for (let i = 0; i < values.length; i++) identity.re[i * (values.length + 1)] = 1;
      expectClose(overlaps, identity);
      expectClose(multiply(multiplyAdjoint(matrix, vectors), vectors), matrix);
    }),
    { seed: 2 },
  );
});
