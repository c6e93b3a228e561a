import { describeValue } from "../../contract/index.ts";

/** A state of qubits: real and imaginary parts of its amplitudes interleaved; qubit `q` is bit `q` of an amplitude's index. */
export type Amplitudes = ArrayLike<number>;

/** A square matrix of complex numbers: real and imaginary parts interleaved, row by row. */
export interface ComplexMatrix {
  /** Number of rows, and of columns. */
  size: number;
  /** 2 · size² numbers. */
  values: Float64Array;
}

/** The mean values of X, Y and Z of one qubit: a point in the unit ball, on its surface when the qubit is pure. */
export interface BlochVector {
  /** Mean of Pauli X, -1 to 1. */
  x: number;
  /** Mean of Pauli Y, -1 to 1. */
  y: number;
  /** Mean of Pauli Z, -1 to 1: 1 for the state |0⟩. */
  z: number;
}

/** Returns the number of qubits. Throws a `RangeError` for a length that fits none, or a value that is not finite. */
export function qubitsOf(amplitudes: Amplitudes): number {
  const qubits = Math.log2(amplitudes.length / 2);
  if (!Number.isInteger(qubits) || qubits < 0)
    throw new RangeError(
      `A state has a real and an imaginary part for each of 2^n amplitudes; ${amplitudes.length} numbers fit no n.`,
    );
  for (let index = 0; index < amplitudes.length; index++)
    if (!Number.isFinite(amplitudes[index]))
      throw new RangeError(
        `Number ${index} of the state is ${amplitudes[index]}, which is not part of an amplitude.`,
      );
  return qubits;
}

/** Refuses a qubit that is not one of `count`. Throws a `RangeError` that names it. */
export function checkQubits(qubits: readonly number[] | undefined, count: number, of = "state"): void {
  const wrong = qubits?.find(qubit => !Number.isInteger(qubit) || qubit < 0 || qubit >= count);
  if (wrong !== undefined)
    throw new RangeError(
      `There is no qubit ${describeValue(wrong)}: the ${of} has the qubits 0 to ${count - 1}.`,
    );
}

/** Returns the density matrix of the kept qubits, the first the lowest bit. Time grows with 4 to their number. */
export function reducedDensityMatrix(amplitudes: Amplitudes, kept: readonly number[]): ComplexMatrix {
  const qubits = qubitsOf(amplitudes);
  const size = 2 ** kept.length;
  const values = new Float64Array(2 * size * size);
  const others = Array.from({ length: qubits }, (_, qubit) => qubit).filter(qubit => !kept.includes(qubit));
  const spread = (bits: number, places: readonly number[]) =>
    places.reduce((index, place, bit) => index + ((bits >> bit) & 1) * 2 ** place, 0);
  const places = Array.from({ length: size }, (_, bits) => spread(bits, kept));
  for (let rest = 0; rest < 2 ** others.length; rest++) {
    const base = spread(rest, others);
    for (let row = 0; row < size; row++) {
      const one = 2 * (base + places[row]!);
      const [re, im] = [amplitudes[one]!, amplitudes[one + 1]!];
      if (re === 0 && im === 0) continue;
      for (let column = 0; column < size; column++) {
        const other = 2 * (base + places[column]!);
        const [ore, oim] = [amplitudes[other]!, amplitudes[other + 1]!];
        const at = 2 * (row * size + column);
        values[at] = values[at]! + re * ore + im * oim;
        values[at + 1] = values[at + 1]! + im * ore - re * oim;
      }
    }
  }
  return { size, values };
}

export function blochVector(amplitudes: Amplitudes, qubit: number): BlochVector {
  const { values } = reducedDensityMatrix(amplitudes, [qubit]);
  return { x: 2 * values[2]!, y: -2 * values[3]!, z: values[0]! - values[6]! };
}

/** Returns how entangled a qubit of a pure state is with the others: the entropy of its reduced state, 0 to 1 bit. */
export function entanglementOf({ x, y, z }: BlochVector): number {
  const likely = Math.min(1, (1 + Math.hypot(x, y, z)) / 2);
  const term = (p: number) => (p < 1e-12 ? 0 : -p * Math.log2(p));
  return term(likely) + term(1 - likely);
}

/** A basis state, and its amplitude. */
export type PossibleState = ReturnType<typeof possibleStates>[number];

const minProbability = 1e-12;

/** Returns the basis states of a state, the likeliest first; of those that differ only by rounding, the lowest. */
export function possibleStates(amplitudes: Amplitudes) {
  const all = [];
  for (let index = 0; index < amplitudes.length / 2; index++) {
    const [re, im] = [amplitudes[2 * index]!, amplitudes[2 * index + 1]!];
    const probability = re ** 2 + im ** 2;
    if (probability > minProbability) all.push({ index, re, im, probability, phase: Math.atan2(im, re) });
  }
  return all.sort((one, other) => {
    const isEqual = Math.abs(one.probability - other.probability) <= 1e-9 * one.probability;
    return isEqual ? one.index - other.index : other.probability - one.probability;
  });
}

export const basisState = (index: number, numQubits: number): string =>
  numQubits > 0 ? index.toString(2).padStart(numQubits, "0") : "";
