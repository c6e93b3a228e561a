import { rethrowAsKetbookError } from "../../client/rethrow.ts";
import { describeValue } from "../../contract/options.ts";
import { pauliStringsOn, pauliSumOf } from "../../results/index.ts";
import { hermitianProblem, readMatrix } from "./density-matrix.ts";
import type { ComplexNumber } from "./given-amplitudes.ts";

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
    const problem = hermitianProblem(matrix, 1e-9 * Math.max(...matrix.values.map(Math.abs)));
    if (problem) throw new RangeError(`an observable is Hermitian, and ${problem}.`);
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
