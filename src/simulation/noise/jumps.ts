import { type Gate, matrixGate } from "../circuit/gate.ts";
import { standardGate } from "../circuit/standard.ts";
import { gateOfUnitary } from "../circuit/two-level.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import {
  adjoint,
  hermitianEigenvectors,
  identity,
  type Matrix,
  multiply,
  sizeOf,
  zeros,
} from "../linear-algebra/matrix.ts";
import { isDiagonal, matrix2 } from "../linear-algebra/one-qubit.ts";
import { hazardOf } from "../sampling/draws.ts";
import { weightOf } from "./kraus.ts";

/** A Kraus operator as `left·D·right`: singular values D, descending, between two unitary gates; null is the identity. */
export interface JumpOperator {
  readonly operator: Matrix;
  /** The squares of the singular values. */
  readonly squares: readonly number[];
  readonly left: Gate | null;
  readonly right: Gate | null;
  /** The inverse of `right`. */
  readonly undo: Gate | null;
  /** An operator on one qubit with one entry: it projects the qubit on `from` and sets it to `to`. */
  readonly collapse?: { readonly from: number; readonly to: number };
}

/** A channel on some qubits that is not a mixture of Pauli errors: one Kraus operator acts, with a probability that depends on the state. */
export interface JumpSite {
  readonly qubits: readonly number[];
  /** The most likely first. The others are the quantum jumps. */
  readonly operators: readonly JumpOperator[];
  /** Whether a measurement that was put off may stay so: each operator maps basis states to basis states. */
  readonly keepsBasis: boolean;
  /** The hazard of a jump, if the first operator is a multiple of the identity. */
  readonly hazard?: number;
}

/** Singular values that differ by less are equal. */
const ROUNDING = 1e-9;
/** Damping of less than this is rounding. */
const NEGLIGIBLE = 1e-15;
const CX = standardGate("cx");

/** Returns the site of a channel that is given by its Kraus operators, the most likely first. */
export function jumpSite(qubits: readonly number[], operators: readonly JumpOperator[]): JumpSite {
  return { qubits, operators, keepsBasis: operators.every(({ right, collapse }) => collapse || !right) };
}

/**
 * Returns the site of amplitude damping of a qubit that happens with a probability, and else leaves the qubit alone: a
 * 1 decays to 0, or its amplitudes shrink.
 */
export function dampingSite(qubit: number, decay: number, share = 1): JumpSite {
  const jump = collapseTo(0, 1, share * decay);
  if (share === 1) return jumpSite([qubit], [scaling(1, 1 - decay), jump]);
  const kept = decay < 1 ? scaling(share, share * (1 - decay)) : collapseTo(0, 0, share);
  return { ...jumpSite([qubit], [scaling(1 - share, 1 - share), kept, jump]), hazard: hazardOf(share) };
}

const NO_GATES = { left: null, right: null, undo: null };

/** Returns the diagonal operator whose entries have these squares. */
function scaling(zero: number, one: number): JumpOperator {
  const operator = matrix2(Math.sqrt(zero), 0, 0, 0, 0, 0, Math.sqrt(one), 0);
  return { ...NO_GATES, operator, squares: [zero, one] };
}

/** Returns the operator with one entry, which has this square. */
function collapseTo(to: number, from: number, square: number): JumpOperator {
  const operator = new Float64Array(8);
  operator[2 * (2 * to + from)] = Math.sqrt(square);
  return { ...NO_GATES, operator, squares: [square, 0], collapse: { from, to } };
}

/** Factors a Kraus operator, by the eigenvectors of its square (Golub and Van Loan, Matrix Computations, 8.6). */
export function factorOperator(operator: Matrix): JumpOperator {
  return simpleOperator(operator) ?? decompose(operator);
}

/** Returns an operator on one qubit that needs no gates, or undefined for another. */
function simpleOperator(operator: Matrix): JumpOperator | undefined {
  if (sizeOf(operator) !== 2) return undefined;
  const squares = [0, 1, 2, 3].map(at => operator[2 * at]! ** 2 + operator[2 * at + 1]! ** 2);
  const entries = [0, 1, 2, 3].filter(at => squares[at]! > ROUNDING ** 2);
  if (entries.length === 1) return collapseTo(entries[0]! >> 1, entries[0]! & 1, squares[entries[0]!]!);
  const isReal = operator.every((part, i) => (i & 1) === 0 || Math.abs(part) < ROUNDING);
  const [zero, one] = [operator[0]!, operator[6]!];
  const isScaling = entries.every(at => at === 0 || at === 3) && isReal && zero >= one && one >= 0;
  return isScaling ? scaling(zero ** 2, one ** 2) : undefined;
}

function decompose(operator: Matrix): JumpOperator {
  const square = multiply(adjoint(operator), operator);
  const vectors = rowsOf(adjoint(hermitianEigenvectors(square)));
  const eigenvalue = (k: number) => square[2 * k * (vectors.length + 1)]!;
  const order = [...vectors.keys()].sort((a, b) => eigenvalue(b) - eigenvalue(a));
  const right = matrixOfRows(order.map(k => vectors[k]!));
  const images = rowsOf(adjoint(multiply(operator, adjoint(right))));
  const values = images.map(norm);
  /** The rows of the inverse of `left`. */
  const rows: Float64Array[] = [];
  images.forEach((image, k) => {
    rows.push(values[k]! > ROUNDING ? image.map(x => x / values[k]!) : orthogonalTo(rows, images.length));
  });
  return {
    operator,
    left: gateOf(adjoint(matrixOfRows(rows))),
    right: gateOf(right),
    undo: gateOf(adjoint(right)),
    squares: values.map(value => (value > ROUNDING ? value ** 2 : 0)),
  };
}

const rowsOf = (m: Matrix): Float64Array[] => {
  const width = 2 * sizeOf(m);
  return Array.from({ length: width / 2 }, (_, row) => m.slice(row * width, (row + 1) * width));
};

const matrixOfRows = (rows: readonly Float64Array[]): Matrix =>
  Float64Array.from(rows.flatMap(row => [...row]));

const norm = (row: Float64Array): number => Math.hypot(...row);

/** Returns a unit row that is orthogonal to others: the longest of the projection on their complement, scaled to 1. */
function orthogonalTo(others: readonly Float64Array[], size: number): Float64Array {
  const known = zeros(size);
  known.set(matrixOfRows(others));
  const projection = multiply(adjoint(known), known);
  const rows = rowsOf(identity(size).map((x, i) => x - projection[i]!));
  const longest = rows.reduce((best, row) => (norm(row) > norm(best) ? row : best));
  return longest.map(x => x / norm(longest));
}

/** Checks that an operator is proportional to a unitary one. */
export const isUnitary = ({ squares }: JumpOperator): boolean => squares[0]! - squares.at(-1)! < ROUNDING;

function gateOf(matrix: Matrix): Gate {
  const name = "factor of a Kraus operator";
  return sizeOf(matrix) === 4
    ? gateOfUnitary({ name, numParams: 0, numQubits: 2, diagonal: false }, () => matrix.slice())
    : matrixGate(name, () => matrix, { diagonal: isDiagonal(matrix) });
}

/** Applies a gate, if there is one. */
export function turn(state: QuantumState, gate: Gate | null, qubits: readonly number[]): void {
  if (gate) state.apply(gate, [], 0, qubits, 0);
}

/** Returns the probability of an operator on a state to which its `right` has been applied. */
export function probabilityOf(
  state: QuantumState,
  qubits: readonly number[],
  operator: JumpOperator,
): number {
  const { squares, collapse } = operator;
  const [a = 0, b = 0] = qubits;
  if (qubits.length === 2 && isUnitary(operator)) return squares[0]!;
  const first = state.probabilityOfOne(a);
  if (collapse) return squares[0]! * (collapse.from ? first : 1 - first);
  if (qubits.length === 1) return squares[0]! * (1 - first) + squares[1]! * first;
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

/** Returns the probability of each operator of a site on a state. */
export const probabilitiesOf = (state: QuantumState, { qubits, operators }: JumpSite): number[] =>
  operators.map(operator => {
    turn(state, operator.right, qubits);
    const probability = probabilityOf(state, qubits, operator);
    turn(state, operator.undo, qubits);
    return probability;
  });

/** Returns the jump that happens, for a uniform random number. */
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
  operator: JumpOperator,
  probability: number,
): void {
  const { squares, left } = operator;
  const max = squares[0]!;
  if (qubits.length === 1) {
    const damping = 1 - squares[1]! / max;
    if (damping > NEGLIGIBLE) damp(state, qubits[0]!, damping);
  } else if (!isUnitary(operator)) {
    const ratios = squares.map(square => Math.sqrt(square / max));
    const scale = Math.sqrt(max / probability);
    dampPair(
      state,
      qubits,
      ratios.map(ratio => ratio * scale),
    );
  }
  turn(state, left, qubits);
}

/** Shrinks the amplitudes of a qubit's 1, as in amplitude damping without a decay, and normalizes. */
function damp(state: QuantumState, qubit: number, probability: number): void {
  if (state.isClassical(qubit)) return;
  if (state.damp) {
    state.damp(qubit, probability);
    return;
  }
  const scale = 1 / Math.sqrt(1 - probability * state.probabilityOfOne(qubit));
  shrink(state, [], [qubit], [scale, scale * Math.sqrt(1 - probability)]);
}

/** Multiplies the amplitudes of the basis states of a pair by these factors. */
function dampPair(state: QuantumState, qubits: readonly number[], factors: readonly number[]): void {
  for (const value of [0, 1]) shrink(state, [value === 1], qubits, [factors[value]!, factors[value + 2]!]);
}

/** Multiplies the amplitudes of 0 and of 1 by factors, where controls allow it. */
function shrink(
  state: QuantumState,
  controls: readonly boolean[],
  qubits: readonly number[],
  [zero, one]: readonly [number, number],
): void {
  const m = matrix2(zero, 0, 0, 0, 0, 0, one, 0);
  const gate = matrixGate("damping", () => m, { controls, diagonal: true });
  state.apply(gate, [], 0, qubits, 0);
}

/** Returns the probability of a jump on a maximally mixed state. */
export const jumpProbability = ({ operators }: JumpSite): number =>
  Math.max(0, 1 - weightOf(operators[0]!.operator));
