import { formatNumber } from "../../display/format.ts";
import { type Column, table } from "../../display/table.ts";
import { clip, pad, plain } from "../../display/text.ts";
import { type Amplitudes, type ComplexMatrix, qubitsOf, reducedDensityMatrix } from "./reduced.ts";

/** The density matrix of some qubits, worked out before it is drawn in one way or another. */
export interface DensityMatrix {
  matrix: ComplexMatrix;
  /** The basis states of rows and columns, as bits. */
  labels: string[];
  title: string;
  subtitle: string;
}

/**
 * Returns the density matrix of the listed qubits, or of all. Throws a `RangeError` for qubits that are not there, that
 * are listed twice, or that are more than `max`; `noun` is what is drawn, such as `A city`.
 */
export function densityMatrixOf(
  amplitudes: Amplitudes,
  options: { qubits?: readonly number[]; title?: string },
  { max, noun, key }: { max: number; noun: string; key: string },
): DensityMatrix {
  const count = qubitsOf(amplitudes);
  const all = Array.from({ length: count }, (_, qubit) => qubit);
  const qubits = options.qubits ?? all;
  const wrong = qubits.find(qubit => !all.includes(qubit));
  if (wrong !== undefined)
    throw new RangeError(`There is no qubit ${wrong}: the state has the qubits 0 to ${count - 1}.`);
  if (new Set(qubits).size !== qubits.length) throw new RangeError("A qubit is named twice.");
  if (qubits.length < 1 || qubits.length > max)
    throw new RangeError(
      `${noun} is drawn of 1 to ${max} qubits, not of ${qubits.length}: choose some, as in { qubits: [0, 1] }.`,
    );
  const matrix = reducedDensityMatrix(amplitudes, qubits);
  const { size, values } = matrix;
  let purity = 0;
  for (const value of values) purity += value * value;
  const names = qubits.toReversed().map(qubit => `q[${qubit}]`);
  return {
    matrix,
    labels: Array.from({ length: size }, (_, bits) => bits.toString(2).padStart(qubits.length, "0")),
    title: plain(options.title ?? "Density matrix", 80),
    subtitle: `${names.join(" ")} · purity ${purity.toFixed(3)} · ${key}`,
  };
}

const entryText = ({ size, values }: ComplexMatrix, row: number, column: number) => {
  const at = 2 * (row * size + column);
  const [re, im] = [values[at]!, values[at + 1]!].map(value => (Math.abs(value) < 5e-4 ? 0 : value));
  const real = re!.toFixed(3).replace("-", "−");
  return im === 0 ? real : `${real} ${im! < 0 ? "−" : "+"} ${Math.abs(im!).toFixed(3)}i`;
};

/** The matrix as a table. */
export function densityTable({ matrix, labels, title }: DensityMatrix) {
  const columns: Column<number>[] = labels.map((label, column) => ({
    label: `⟨${label}|`,
    align: "right",
    value: row => entryText(matrix, row, column),
  }));
  return table<number>({
    caption: title,
    noun: "rows",
    rows: labels.map((_, row) => row),
    columns: [{ label: "", value: row => `|${labels[row]}⟩` }, ...columns],
  });
}

/** The matrix in lines of at most `columns` characters. */
export function densityText({ matrix, labels, title, subtitle }: DensityMatrix, columns: number): string {
  const width = Math.max(30, Math.floor(columns));
  const cells = labels.map((_, row) => labels.map((_, column) => entryText(matrix, row, column)));
  const cell = Math.max(...cells.flat().map(text => text.length));
  const fits = Math.max(1, Math.floor((width - labels[0]!.length - 6) / (cell + 2)));
  const lines = cells.map((row, index) => {
    const shown = row.slice(0, fits).map(text => pad(text, cell, "right"));
    return `  |${labels[index]}⟩  ${shown.join("  ")}`;
  });
  const left = labels.length - fits;
  return [title, subtitle, ...lines, ...(left > 0 ? [`  + ${formatNumber(left)} columns`] : [])]
    .map(line => clip(line, width))
    .join("\n");
}
