import type { Gate, MatrixGate } from "../circuit/gate.ts";
import { STDGATES } from "../circuit/standard.ts";
import { gateOfUnitary } from "../circuit/two-level.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import { hermitianEigenvectors } from "../linear-algebra/eigenvectors.ts";
import { adjoint, type Matrix, multiply, sizeOf } from "../linear-algebra/matrix.ts";
import { isDiagonal, matrix2 } from "../linear-algebra/one-qubit.ts";
import { weightOf } from "./kraus.ts";
import { applyNoJump } from "./no-jump.ts";

/** A Kraus operator as `left·D·right`: two unitary gates, and singular values between them, descending. */
export interface FactoredOperator {
  readonly operator: Matrix;
  readonly left: Gate;
  readonly right: Gate;
  /** The inverse of `right`. */
  readonly undo: Gate;
  readonly values: readonly number[];
}

/** A channel on some qubits that is no mixture of Pauli errors: one Kraus operator acts, with a probability that depends on the state. */
export interface KrausSite {
  readonly qubits: readonly number[];
  /** The most likely first. */
  readonly operators: readonly FactoredOperator[];
}

/** Singular values that differ by less are the same. */
const ROUNDING = 1e-9;
const CX = STDGATES.find(gate => gate.name === "cx")!;

/** Factors a Kraus operator. */
export function factorOperator(operator: Matrix): FactoredOperator {
  const size = sizeOf(operator);
  const squares = multiply(adjoint(operator), operator);
  const vectors = hermitianEigenvectors(squares);
  const order = Array.from({ length: size }, (_, k) => k).sort(
    (a, b) => squares[2 * b * (size + 1)]! - squares[2 * a * (size + 1)]!,
  );
  const columns = order.map(k => columnOf(vectors, k));
  const product = multiply(operator, vectors);
  const images = order.map(k => columnOf(product, k));
  const values = images.map(norm);
  const left: Column[] = [];
  images.forEach((image, k) => {
    const value = values[k]!;
    left.push(value > ROUNDING ? image.map(x => x / value) : orthogonalTo(left, 2 * size));
  });
  const right = adjoint(matrixOfColumns(columns));
  return {
    operator,
    left: gateOf(matrixOfColumns(left)),
    right: gateOf(right),
    undo: gateOf(adjoint(right)),
    values: values.map(value => (value > ROUNDING ? value : 0)),
  };
}

/** Whether an operator is proportional to a unitary one. */
export const isUnitary = ({ values }: FactoredOperator): boolean => values[0]! - values.at(-1)! < ROUNDING;

/** A complex vector, real and imaginary parts interleaved. */
type Column = number[];

const columnOf = (m: Matrix, k: number): Column => {
  const size = sizeOf(m);
  return Array.from({ length: 2 * size }, (_, i) => m[2 * ((i >> 1) * size + k) + (i & 1)]!);
};

const matrixOfColumns = (columns: readonly Column[]): Matrix => {
  const size = columns.length;
  return Float64Array.from(
    { length: 2 * size * size },
    (_, i) => columns[(i >> 1) % size]![2 * Math.floor(i / 2 / size) + (i & 1)]!,
  );
};

const norm = (column: Column): number => Math.hypot(...column);

/** Returns a unit vector that is orthogonal to others. */
function orthogonalTo(others: readonly Column[], length: number): Column {
  let best: Column = [];
  for (let unit = 0; unit < length; unit += 2) {
    const vector = Array.from({ length }, (_, i) => Number(i === unit));
    for (const other of others) {
      let [x, y] = [0, 0];
      for (let i = 0; i < length; i += 2) {
        x += other[i]! * vector[i]! + other[i + 1]! * vector[i + 1]!;
        y += other[i]! * vector[i + 1]! - other[i + 1]! * vector[i]!;
      }
      for (let i = 0; i < length; i += 2) {
        vector[i]! -= x * other[i]! - y * other[i + 1]!;
        vector[i + 1]! -= x * other[i + 1]! + y * other[i]!;
      }
    }
    if (best.length === 0 || norm(vector) > norm(best)) best = vector;
  }
  const scale = norm(best);
  return best.map(x => x / scale);
}

function gateOf(matrix: Matrix): Gate {
  const name = "factor of a Kraus operator";
  return sizeOf(matrix) === 4
    ? gateOfUnitary({ name, numParams: 0, numQubits: 2, diagonal: false }, () => matrix.slice())
    : matrixGate(name, matrix, [], isDiagonal(matrix));
}

const matrixGate = (
  name: string,
  m: Matrix,
  controls: readonly boolean[],
  diagonal: boolean,
): MatrixGate => ({
  kind: "matrix",
  name,
  symbol: name,
  numParams: 0,
  numQubits: controls.length + 1,
  controls,
  diagonal,
  matrix: () => m,
});

/**
 * Returns the probability of an operator on a state to which its `right` has been applied. The state is as before
 * afterwards.
 */
export function probabilityOf(
  state: QuantumState,
  qubits: readonly number[],
  values: readonly number[],
): number {
  const squares = values.map(value => value ** 2);
  const [a = 0, b = 0] = qubits;
  const first = state.probabilityOfOne(a);
  if (qubits.length === 1) return squares[0]! * (1 - first) + squares[1]! * first;
  if (squares[0]! - squares[3]! < ROUNDING) return squares[0]!;
  const second = state.probabilityOfOne(b);
  state.apply(CX, [], 0, [a, b], 0);
  const odd = state.probabilityOfOne(b);
  state.apply(CX, [], 0, [a, b], 0);
  const both = Math.max(0, (first + second - odd) / 2);
  const rest = Math.max(0, 1 - first - second + both);
  return [rest, first - both, second - both, both].reduce(
    (sum, p, i) => sum + Math.max(0, p) * squares[i]!,
    0,
  );
}

/** Returns the probability of each operator on a state. */
export const probabilitiesOf = (
  state: QuantumState,
  qubits: readonly number[],
  operators: readonly FactoredOperator[],
): number[] =>
  operators.map(({ right, undo, values }) => {
    state.apply(right, [], 0, qubits, 0);
    const probability = probabilityOf(state, qubits, values);
    state.apply(undo, [], 0, qubits, 0);
    return probability;
  });

/** Returns which operator but the first acts, for a uniform random number. */
export function drawJump([, ...probabilities]: readonly number[], uniform: number): number {
  let left = uniform * probabilities.reduce((sum, probability) => sum + probability, 0);
  for (const [index, probability] of probabilities.entries()) {
    left -= probability;
    if (left < 0) return index + 1;
  }
  return 1 + probabilities.indexOf(Math.max(...probabilities));
}

/** Applies the singular values and `left` of an operator to a state to which its `right` has been applied, and normalizes it. */
export function completeOperator(
  state: QuantumState,
  qubits: readonly number[],
  { values, left }: FactoredOperator,
  { probability, ancilla }: { probability: number; ancilla: number },
): void {
  const max = values[0]!;
  const ratios = values.map(value => value / max);
  if (values.at(-1)! < max - ROUNDING) {
    if (qubits.length === 1) applyNoJump(state, qubits[0]!, 1 - ratios[1]! ** 2, ancilla);
    else
      dampPair(state, qubits as readonly [number, number], ratios, {
        scale: max / Math.sqrt(probability),
        ancilla,
      });
  }
  state.apply(left, [], 0, qubits, 0);
}

/** Shrinks the amplitudes of the basis states of a pair by these factors, and normalizes. */
function dampPair(
  state: QuantumState,
  [a, b]: readonly [number, number],
  factors: readonly number[],
  { scale, ancilla }: { scale: number; ancilla: number },
): void {
  const name = "damping of a pair";
  if (ancilla < 0) {
    for (const value of [0, 1]) {
      const [zero, one] = [factors[value]! * scale, factors[value + 2]! * scale];
      const gate = matrixGate(name, matrix2(zero, 0, 0, 0, 0, 0, one, 0), [value === 1], false);
      state.apply(gate, [], 0, [a, b], 0);
    }
    return;
  }
  factors.forEach((factor, index) => {
    if (factor === 1) return;
    const sine = Math.sqrt(1 - factor ** 2);
    const rotation = matrix2(factor, 0, -sine, 0, sine, 0, factor, 0);
    const gate = matrixGate(name, rotation, [(index & 1) === 1, (index & 2) === 2], false);
    state.apply(gate, [], 0, [a, b, ancilla], 0);
  });
  state.project(ancilla, 0);
}

/** Returns the probability that another operator than the most likely acts on a maximally mixed state. */
export const jumpProbability = ({ operators }: KrausSite): number =>
  Math.max(0, 1 - weightOf(operators[0]!.operator));
