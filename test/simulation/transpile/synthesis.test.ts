import fc from "fast-check";
import { expect, test } from "vitest";
import {
  distanceUpToPhase,
  innerProduct,
  kron,
  type Matrix,
  multiply,
} from "../../../src/simulation/linear-algebra/matrix.ts";
import { matrix2 } from "../../../src/simulation/linear-algebra/one-qubit.ts";
import { nativeGate } from "../../../src/simulation/transpile/target.ts";
import { exactPulsesOf, pulsesOf } from "../../../src/simulation/transpile/translate.ts";
import {
  circuitMatrix,
  numNativeOf,
  synthesize,
} from "../../../src/simulation/transpile/two-qubit-synthesis.ts";
import { weylDecomposition } from "../../../src/simulation/transpile/weyl.ts";

const { PI, cos, sin } = Math;

const special = fc.constantFrom(0, PI / 8, PI / 4, -PI / 4, PI / 2, 1e-4);
const coordinate = fc.oneof(special, fc.double({ min: -4, max: 4, noNaN: true }));
const angle = fc.oneof(fc.constantFrom(0, PI / 2, PI, -PI / 2), fc.double({ min: -7, max: 7, noNaN: true }));

function rotation(theta: number, phi: number, lambda: number): Matrix {
  const [c, s] = [cos(theta / 2), sin(theta / 2)];
  return matrix2(
    ...[c, 0, -s * cos(lambda), -s * sin(lambda)],
    ...[s * cos(phi), s * sin(phi), c * cos(phi + lambda), c * sin(phi + lambda)],
  );
}
const unitary2 = fc.tuple(angle, angle, angle).map(angles => rotation(...angles));

/** exp(i(x·XX + y·YY + z·ZZ)). */
function canonical(x: number, y: number, z: number): Matrix {
  const m = new Float64Array(32);
  const set = (row: number, column: number, modulus: number, phase: number) => {
    m[8 * row + 2 * column] = modulus * cos(phase);
    m[8 * row + 2 * column + 1] = modulus * sin(phase);
  };
  for (const [a, b, sign] of [
    [0, 3, -1],
    [1, 2, 1],
  ] as const) {
    for (const row of [a, b]) set(row, row, cos(x + sign * y), -sign * z);
    set(a, b, sin(x + sign * y), PI / 2 - sign * z);
    set(b, a, sin(x + sign * y), PI / 2 - sign * z);
  }
  return m;
}

const local = fc.tuple(unitary2, unitary2);
const unitary4 = fc
  .tuple(local, fc.tuple(coordinate, coordinate, coordinate), local)
  .map(([left, [x, y, z], right]) => multiply(kron(...left), multiply(canonical(x, y, z), kron(...right))));

test("the KAK decomposition of a two-qubit unitary is the unitary, with coordinates in the Weyl chamber", () => {
  fc.assert(
    fc.property(unitary4, matrix => {
      const { coordinates, left, right } = weylDecomposition(matrix);
      const [x, y, z] = coordinates;
      expect(PI / 4 - x).toBeGreaterThan(-1e-8);
      expect(x - y).toBeGreaterThan(-1e-8);
      expect(y - Math.abs(z)).toBeGreaterThan(-1e-8);
      const product = multiply(kron(...left), multiply(canonical(x, y, z), kron(...right)));
      expect(distanceUpToPhase(matrix, product)).toBeLessThan(1e-10);
    }),
    { numRuns: 200 },
  );
});

test.each(["cx", "cz", "ecr", "zz", "rzz", "ms"] as const)(
  "any two-qubit unitary is a circuit of the fewest %s gates, three at most",
  basis => {
    fc.assert(
      fc.property(unitary4, matrix => {
        const decomposed = weylDecomposition(matrix);
        const circuit = synthesize(decomposed, basis);
        expect(circuit.uses).toHaveLength(numNativeOf(decomposed.coordinates, basis));
        expect(circuit.uses.length).toBeLessThanOrEqual(3);
        expect(distanceUpToPhase(matrix, circuitMatrix(circuit, basis))).toBeLessThan(1e-9);
      }),
      { numRuns: 100 },
    );
  },
);

/** Returns the largest distance of entries of two matrices, up to a phase. */
function entryDistance(a: Matrix, b: Matrix): number {
  const [re, im] = innerProduct(a, b);
  const norm = Math.hypot(re, im);
  const [c, s] = [re / norm, im / norm];
  const distances = Array.from({ length: a.length / 2 }, (_, k) => {
    const [x, y] = [a[2 * k]!, a[2 * k + 1]!];
    return Math.hypot(c * x - s * y - b[2 * k]!, s * x + c * y - b[2 * k + 1]!);
  });
  return Math.max(...distances);
}

test.each(["cx", "cz", "ecr", "zz", "rzz", "ms"] as const)(
  "a two-qubit unitary close to one of fewer gates is a circuit of %s gates to 1e-11",
  basis => {
    const tiny = fc
      .tuple(fc.double({ min: -16, max: -5, noNaN: true }), fc.constantFrom(-1, 0, 1))
      .map(([exponent, sign]) => sign * 10 ** exponent);
    const base = fc.constantFrom(0, PI / 4, -PI / 4, PI / 2, 0.3);
    const near = fc.tuple(base, tiny).map(([value, offset]) => value + offset);
    const quarter = fc.tuple(fc.constantFrom(0, PI / 2, PI, -PI / 2, 1), tiny).map(([a, b]) => a + b);
    const locals = fc.tuple(...Array.from({ length: 4 }, () => fc.tuple(quarter, quarter, quarter)));
    fc.assert(
      fc.property(locals, fc.tuple(near, near, near), (angles, [x, y, z]) => {
        const [a, b, c, d] = angles.map(given => rotation(...given)) as [Matrix, Matrix, Matrix, Matrix];
        const matrix = multiply(kron(a, b), multiply(canonical(x, y, z), kron(c, d)));
        const { coordinates, left, right } = weylDecomposition(matrix);
        const decomposed = multiply(kron(...left), multiply(canonical(...coordinates), kron(...right)));
        expect(entryDistance(matrix, decomposed)).toBeLessThan(1e-13);
        const circuit = circuitMatrix(synthesize({ coordinates, left, right }, basis), basis);
        expect(entryDistance(matrix, circuit)).toBeLessThan(1e-11);
      }),
      { numRuns: 100 },
    );
  },
);

const product = (pulses: readonly { name: string; params: readonly number[] }[]): Matrix =>
  pulses.reduce<Matrix>(
    (matrix, { name, params }) => {
      const gate = nativeGate(name);
      if (gate.kind !== "matrix") throw new TypeError(name);
      return multiply(gate.matrix(params, 0), matrix);
    },
    matrix2(1, 0, 0, 0, 0, 0, 1, 0),
  );

test.each(["zsx", "prx", "gpi"] as const)(
  "a rotation about Z or an X whose other entries are rounding errors keeps its angle in the basis %s",
  basis => {
    fc.assert(
      fc.property(angle, angle, fc.boolean(), (phi, noise, isFlip) => {
        const [one, other] = [cos(phi), sin(phi)];
        const [x, y] = [4e-15 * cos(noise), 4e-15 * sin(noise)];
        const matrix = isFlip ? matrix2(x, y, 1, 0, one, other, y, x) : matrix2(1, 0, x, y, y, x, one, other);
        expect(distanceUpToPhase(matrix, product(exactPulsesOf(matrix, basis)))).toBeLessThan(1e-10);
      }),
    );
  },
);

test.each(["zsx", "prx", "gpi"] as const)("any one-qubit unitary is a few pulses of the basis %s", basis => {
  fc.assert(
    fc.property(unitary2, matrix => {
      expect(distanceUpToPhase(matrix, product(exactPulsesOf(matrix, basis)))).toBeLessThan(1e-10);
      const { pulses, angle } = pulsesOf(matrix, basis);
      const rest = matrix2(cos(angle / 2), -sin(angle / 2), 0, 0, 0, 0, cos(angle / 2), sin(angle / 2));
      expect(distanceUpToPhase(matrix, multiply(rest, product(pulses)))).toBeLessThan(1e-10);
      expect(pulses.filter(({ name }) => name !== "rz").length).toBeLessThanOrEqual(2);
    }),
    { numRuns: 100 },
  );
});
