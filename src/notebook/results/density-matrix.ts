import {
  type Chart,
  type ComplexMatrix,
  cityChart,
  type DensityOptions,
  hintonChart,
} from "../../charts/index.ts";
import { rethrowAsKetbookError } from "../../client/index.ts";
import { describeValue } from "../../contract/index.ts";
import { formatCount } from "../../display/index.ts";
import { pauliStringsOn, pauliSumOf } from "../../results/index.ts";
import { DisplayableValue } from "../values/displayable-value.ts";
import { type ComplexNumber, complexOf } from "./state.ts";

/** So far from those of a density matrix may entries be: they are often written with two digits. */
const roundingError = 0.02;

/** The density matrix of qubits. It shows itself as a Hinton diagram. */
export class DensityMatrix extends DisplayableValue {
  /** Number of rows, and of columns. */
  readonly size: number;
  /** 2 · size² numbers: real and imaginary parts interleaved, row by row. */
  readonly values: Float64Array;

  /**
   * Makes a density matrix from its rows.
   *
   * @example
   * ```ts
   * import { DensityMatrix } from "ketbook";
   * DensityMatrix.from([[0.5, { re: 0, im: -0.25 }], [{ re: 0, im: 0.25 }, 0.5]]);
   * ```
   *
   * @throws KetbookError for anything else: a density matrix is Hermitian and positive, and its trace is 1.
   */
  static from(rows: readonly (readonly ComplexNumber[])[]): DensityMatrix {
    return rethrowAsKetbookError("DensityMatrix.from", () => {
      const matrix = readMatrix(rows, "a density matrix");
      const problem = matrixProblem(matrix, "a density matrix", roundingError);
      if (problem) throw new RangeError(problem);
      return new DensityMatrix(matrix);
    });
  }

  /** @internal */
  constructor({ size, values }: ComplexMatrix) {
    super();
    this.size = size;
    this.values = values;
  }

  /** Qubits that the matrix is of. */
  get numQubits(): number {
    return Math.log2(this.size);
  }

  /** Trace of the squared matrix: 1 for a pure state, 1/2^n for the maximally mixed state of n qubits. */
  get purity(): number {
    return this.values.reduce((sum, value) => sum + value * value, 0);
  }

  /** Draws the matrix of up to six qubits as squares: their area is the size of an entry, their colour its phase. */
  hinton(options?: DensityOptions): Chart<DensityOptions> {
    return rethrowAsKetbookError("hinton", () => hintonChart(this, options));
  }

  /** Draws the matrix of up to four qubits as a city; `hinton` hides no entry behind another. */
  city(options?: DensityOptions): Chart<DensityOptions> {
    return rethrowAsKetbookError("city", () => cityChart(this, options));
  }

  /** The number of qubits and the purity, in a line. */
  override toString(): string {
    return `Density matrix of ${formatCount(this.numQubits, "qubits")}, purity ${this.purity.toFixed(3)}`;
  }

  /** The entries, row by row, each as its real and imaginary part. */
  toJSON(): [re: number, im: number][][] {
    return matrixRows(this.values).map(row => row.map(({ re, im }) => [re, im]));
  }

  /** @internal */
  protected override render(): Chart | { html: string; text: string } {
    const text = this.toString();
    if (this.numQubits > 6) return { html: `<p>${text}</p>`, text };
    return this.hinton();
  }
}

export function matrixRows(values: ArrayLike<number>): { re: number; im: number }[][] {
  const size = Math.sqrt(values.length / 2);
  const entry = (at: number) => ({ re: values[2 * at]!, im: values[2 * at + 1]! });
  return Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_, column) => entry(row * size + column)),
  );
}

/** Returns rows of complex numbers as a matrix. Throws a `RangeError` unless they form a square of 2, 4, 8, … */
export function readMatrix(rows: readonly (readonly ComplexNumber[])[], what: string): ComplexMatrix {
  const size = Array.isArray(rows) ? rows.length : 0;
  if (size < 2 || !Number.isInteger(Math.log2(size)) || !isSquare(rows))
    throw new RangeError(`${what} of n qubits must be a list of 2^n rows with 2^n entries each.`);
  const parts = rows.flatMap((row, y) => row.flatMap((entry, x) => complexOf(entry, `entry [${y}][${x}]`)));
  return { size, values: Float64Array.from(parts) };
}

const isSquare = (rows: readonly unknown[]) =>
  rows.every(row => Array.isArray(row) && row.length === rows.length);

/** Says why a matrix is not Hermitian, and of a density matrix why it is none; `undefined` where it is. */
function matrixProblem({ size, values }: ComplexMatrix, what: string, tolerance: number): string | undefined {
  const isState = what === "a density matrix";
  const diagonal = Array.from({ length: size }, (_, row) => values[2 * row * (size + 1)]!);
  const trace = diagonal.reduce((sum, value) => sum + value, 0);
  if (isState && !(Math.abs(trace - 1) <= tolerance))
    return `the trace of a density matrix is 1, and that of this matrix is ${trace.toPrecision(4)}.`;
  for (let row = 0; row < size; row++)
    for (let column = 0; column <= row; column++) {
      const [one, other] = [2 * (row * size + column), 2 * (column * size + row)];
      if (Math.hypot(values[one]! - values[other]!, values[one + 1]! + values[other + 1]!) > tolerance)
        return `${what} is Hermitian, and the entries [${row}][${column}] and [${column}][${row}] of this matrix are not complex conjugates.`;
      const most = Math.sqrt(Math.max(0, diagonal[row]!) * Math.max(0, diagonal[column]!));
      if (isState && Math.hypot(values[one]!, values[one + 1]!) > most + tolerance)
        return `a density matrix is positive, and the entry [${row}][${column}] of this matrix is too large for its diagonal.`;
    }
  if (isState && !isPositive({ size, values }, tolerance))
    return "a density matrix is positive, and this matrix has a negative eigenvalue.";
  return undefined;
}

/** Whether a Hermitian matrix has no eigenvalue below `-shift`, by Cholesky's decomposition. */
function isPositive({ size, values }: ComplexMatrix, shift: number): boolean {
  const rest = Float64Array.from(values);
  const at = (row: number, column: number) => 2 * (row * size + column);
  for (let pivot = 0; pivot < size; pivot++) {
    const scale = rest[at(pivot, pivot)]! + shift;
    if (!(scale > 0)) return false;
    for (let row = pivot + 1; row < size; row++) {
      const [re, im] = [rest[at(row, pivot)]! / scale, rest[at(row, pivot) + 1]! / scale];
      for (let column = pivot + 1; column <= row; column++) {
        const [x, y] = [rest[at(column, pivot)]!, rest[at(column, pivot) + 1]!];
        rest[at(row, column)]! -= re * x + im * y;
        rest[at(row, column) + 1]! -= im * x - re * y;
      }
    }
  }
  return true;
}

/** Qubits on which a matrix may be an observable, and of which a list of Pauli strings may be made. */
const MAX = { matrix: 3, strings: 4 };

/**
 * An observable that is given by its Hermitian matrix, on one to three qubits, as a sum of Pauli strings: for
 * `run(…).observables` and `expectation`.
 *
 * @param rows - The matrix. The first of the qubits is the lowest bit of a row's number.
 * @param qubits - The qubits on which it acts. Default: the first ones.
 *
 * @example
 * ```ts
 * import { hermitian, qasm, run } from "ketbook";
 * const bell = qasm`include "stdgates.inc"; qubit[2] q; h q[0]; cx q[0], q[1];`;
 * const bothOne = hermitian([[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]], [0, 1]);
 * const { observables } = await run(bell).observables(bothOne).shots(0);
 * observables[0]?.value; // 0.5
 * ```
 *
 * @throws KetbookError for a matrix that is not Hermitian, and for other qubits than it has.
 */
export function hermitian(
  rows: readonly (readonly ComplexNumber[])[],
  qubits?: readonly number[],
): { [pauliString: string]: number } {
  return rethrowAsKetbookError("hermitian", () => {
    const matrix = readMatrix(rows, "an observable");
    const width = Math.log2(matrix.size);
    if (width > MAX.matrix)
      throw new RangeError(`a matrix may act on at most ${MAX.matrix} qubits, not ${width}.`);
    const problem = matrixProblem(matrix, "an observable", 1e-9 * Math.max(...matrix.values.map(Math.abs)));
    if (problem) throw new RangeError(problem);
    const places = qubits ?? [...Array(width).keys()];
    checkQubits(places, width);
    return pauliSumOf(matrix, places);
  });
}

/**
 * All Pauli strings on one to four qubits, such as `"X0 Z1"`: with them as its observables, an exact run has
 * `result.densityMatrix(qubits)`.
 *
 * @throws KetbookError for qubits that are not numbers, or named twice.
 */
export function pauliStrings(qubits: readonly number[]): string[] {
  return rethrowAsKetbookError("pauliStrings", () => {
    checkQubits(qubits);
    return pauliStringsOn(qubits);
  });
}

function checkQubits(qubits: readonly number[], width = qubits?.length): void {
  const isQubit = (qubit: number, at: number) =>
    Number.isSafeInteger(qubit) && qubit >= 0 && qubits.indexOf(qubit) === at;
  if (
    Array.isArray(qubits) &&
    qubits.length === width &&
    width > 0 &&
    width <= MAX.strings &&
    qubits.every(isQubit)
  )
    return;
  const wanted = qubits?.length === width ? `1 to ${MAX.strings}` : width;
  throw new RangeError(
    `the qubits must be a list of ${wanted} different numbers such as [0, 1], not ${Array.isArray(qubits) ? `[${qubits.slice(0, 8).join(", ")}]` : describeValue(qubits)}.`,
  );
}
