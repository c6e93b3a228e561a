import { formatNumber, formatPercent, missing } from "../../display/format.ts";
import { clip, pad } from "../../display/text.ts";
import type { CalibrationBars, Strip } from "./bars.ts";

/** Returns a figure in its unit: `112.1 µs`, `188 s`, `0.31 %`. */
export function figureText({ kind }: Strip, value: number | null): string {
  if (kind === "error") return formatPercent(value);
  if (value === null) return missing;
  const shown = (amount: number) => formatNumber(Number(amount.toPrecision(3)));
  return value < 1e5 ? `${shown(value)} µs` : `${shown(value / 1e6)} s`;
}

const listed = 32;

/** Formats the figures of each qubit as lines of at most `columns` characters. */
export function barsText({ title, subtitle, qubits, strips }: CalibrationBars, columns: number): string {
  const width = Math.max(30, Math.floor(columns));
  const rows = qubits
    .slice(0, listed)
    .map((qubit, index) => [String(qubit), ...strips.map(strip => figureText(strip, strip.values[index]!))]);
  const cells = [["qubit", ...strips.map(({ name }) => name)], ...rows];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map(row => row[column]!.length)));
  const lines = cells.map(
    row => `  ${row.map((cell, column) => pad(cell, widths[column]!, "right")).join("  ")}`,
  );
  const left = qubits.length - rows.length;
  return [title, ...subtitle, ...lines, ...(left > 0 ? [`  + ${left} more qubits`] : [])]
    .map(line => clip(line, width))
    .join("\n");
}
