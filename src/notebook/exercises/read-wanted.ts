import { KetbookError } from "../../client/errors.ts";
import type { RecordedProgram } from "../../contract/program.ts";
import type { Distribution } from "../../results/index.ts";
import { executeBranches } from "../../simulation/index.ts";
import { type ComplexNumber, complexOf } from "../results/given-amplitudes.ts";
import { type Columns, splitOutputs } from "./compare-outputs.ts";
import { compileAnswer } from "./exercise-check.ts";

const MAX_UNITARY_QUBITS = 8;

/** Returns what a program makes of each input, or of |0…0⟩ alone. */
export function columnsOfProgram(target: string | RecordedProgram, isUnitary: boolean): Columns {
  const { circuit } = compileAnswer(target);
  const qubits = Array.from({ length: circuit.numQubits }, (_, qubit) => qubit);
  if (isUnitary && qubits.length > MAX_UNITARY_QUBITS)
    throw new RangeError(
      `the program has ${qubits.length} qubits; unitaries of up to ${MAX_UNITARY_QUBITS} are compared.`,
    );
  const [branch, ...others] = executeBranches(circuit, {
    inputs: isUnitary ? qubits : [],
    ignoresFinalMeasurements: !isUnitary,
  });
  if (!branch || others.length > 0)
    throw new RangeError("the program ends in several states because of its measurements or resets.");
  return splitOutputs(branch.amplitudes, circuit.numQubits, qubits).columns;
}

/** Reads the rows of a unitary matrix, and returns its columns. */
export function columnsOfRows(rows: readonly (readonly ComplexNumber[])[]): Columns {
  const size = rows.length;
  const numQubits = Math.log2(size);
  if (
    !Number.isInteger(numQubits) ||
    size < 2 ||
    numQubits > MAX_UNITARY_QUBITS ||
    rows.some(row => row.length !== size)
  )
    throw new RangeError("a unitary of n qubits must be a list of 2^n rows with 2^n numbers each.");
  const columns = Array.from({ length: size }, (_, column) =>
    Float64Array.from(rows.flatMap((row, index) => complexOf(row[column]!, `entry ${index}, ${column}`))),
  );
  const product = (a: Float64Array, b: Float64Array) => {
    let [re, im] = [0, 0];
    for (let i = 0; i < a.length; i += 2) {
      re += a[i]! * b[i]! + a[i + 1]! * b[i + 1]!;
      im += a[i]! * b[i + 1]! - a[i + 1]! * b[i]!;
    }
    return Math.hypot(re - (a === b ? 1 : 0), im);
  };
  columns.forEach((a, i) => {
    if (columns.slice(i).some(b => product(a, b) > 0.02)) throw new RangeError("the matrix is not unitary.");
  });
  return columns.map(column => {
    const norm = Math.hypot(...column);
    return column.map(part => part / norm);
  });
}

/**
 * Reads the probabilities of bit strings, and how far they were rounded. Throws a `KetbookError` for what is no
 * distribution.
 */
export function readDistribution(wanted: Distribution): { probabilities: Distribution; rounding: number } {
  const entries = Object.entries(Object(wanted) as Distribution);
  const [first] = entries;
  const isRight = ([key, value]: [string, number]) =>
    /^[01]+$/.test(key) && key.length === first![0].length && Number.isFinite(value) && value >= 0;
  const total = entries.reduce((sum, [, value]) => sum + value, 0);
  if (!first || !entries.every(isRight) || Math.abs(total - 1) > 0.02)
    throw new KetbookError(
      'checks.distribution: give the probabilities of bit strings of one width, such as { "00": 0.5, "11": 0.5 }, which sum to 1.',
    );
  const probabilities = Object.fromEntries(
    entries.filter(([, value]) => value > 0).map(([key, value]) => [key, value / total]),
  );
  return { probabilities, rounding: 2 * Math.abs(total - 1) };
}
