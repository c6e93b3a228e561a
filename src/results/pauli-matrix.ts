import type { Pauli } from "./pauli.ts";

/** Real and imaginary parts of a square matrix, interleaved, row by row; the first qubit is the lowest bit of a row's number. */
export interface SquareMatrix {
  readonly size: number;
  readonly values: ArrayLike<number>;
}

const LETTERS = ["I", "X", "Y", "Z"] as const;
/** Smaller coefficients are rounding, relative to the largest entry. */
const ROUNDING = 1e-14;

/** A Pauli string on some qubits: its name, such as `X0 Z2`, and where its entries are. */
interface NumberedString {
  name: string;
  /** Bits of a column's number that differ in its row. */
  flips: number;
  /** Bits of a column's number that change the sign. */
  signs: number;
  /** Power of i of every entry. */
  turns: number;
}

/** Lists all Pauli strings on some qubits, the identity first. */
function stringsOn(qubits: readonly number[]): NumberedString[] {
  return Array.from({ length: 4 ** qubits.length }, (_, index) => {
    const letters = qubits.map((_, place) => LETTERS[Math.floor(index / 4 ** place) % 4]!);
    const factors = qubits
      .map((qubit, place) => ({ qubit, letter: letters[place]! }))
      .filter(({ letter }) => letter !== "I")
      .sort((a, b) => a.qubit - b.qubit);
    const mask = (...of: readonly Pauli[]) =>
      letters.reduce((sum, letter, place) => sum + ((of as string[]).includes(letter) ? 2 ** place : 0), 0);
    return {
      name: factors.map(({ qubit, letter }) => `${letter}${qubit}`).join(" ") || `I${qubits[0]}`,
      flips: mask("X", "Y"),
      signs: mask("Y", "Z"),
      turns: letters.filter(letter => letter === "Y").length,
    };
  });
}

/** Returns the entry of a Pauli string in a column. */
function entryOf({ signs, turns }: NumberedString, column: number): [re: number, im: number] {
  let power = turns;
  for (let bits = column & signs; bits > 0; bits &= bits - 1) power += 2;
  return [[1, 0, -1, 0][power % 4]!, [0, 1, 0, -1][power % 4]!];
}

/** The names of all Pauli strings on some qubits but the identity. */
export const pauliStringsOn = (qubits: readonly number[]): string[] =>
  stringsOn(qubits)
    .slice(1)
    .map(({ name }) => name);

/** A Hermitian matrix on some qubits as a sum of Pauli strings: by string its coefficient. */
export function pauliSumOf(
  { size, values }: SquareMatrix,
  qubits: readonly number[],
): { [pauliString: string]: number } {
  const scale = Array.from(values).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const terms = stringsOn(qubits).map(string => {
    let sum = 0;
    for (let column = 0; column < size; column++) {
      const at = 2 * (column * size + (column ^ string.flips));
      const [re, im] = entryOf(string, column);
      sum += re * values[at]! - im * values[at + 1]!;
    }
    return [string.name, sum / size] as const;
  });
  const kept = terms.filter(([, coefficient]) => Math.abs(coefficient) > ROUNDING * scale);
  return Object.fromEntries(kept.length > 0 ? kept : terms.slice(0, 1));
}

/** The density matrix of some qubits, of the expectation values of all Pauli strings on them. */
export function matrixOfMeans(
  qubits: readonly number[],
  meanOf: (pauliString: string) => number,
): { size: number; values: Float64Array } {
  const size = 2 ** qubits.length;
  const values = new Float64Array(2 * size * size);
  stringsOn(qubits).forEach((string, index) => {
    const mean = (index === 0 ? 1 : meanOf(string.name)) / size;
    for (let column = 0; column < size; column++) {
      const at = 2 * ((column ^ string.flips) * size + column);
      const [re, im] = entryOf(string, column);
      values[at]! += mean * re;
      values[at + 1]! += mean * im;
    }
  });
  return { size, values };
}
