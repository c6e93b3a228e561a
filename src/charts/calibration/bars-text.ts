import { clip, pad } from "../../display/text.ts";
import type { CalibrationBars } from "./bars.ts";
import { figureText } from "./figure-text.ts";

const listed = 32;

/** Formats the figures of each qubit as lines of at most `columns` characters. */
export function barsText({ title, subtitle, qubits, strips }: CalibrationBars, columns: number): string {
  const width = Math.max(30, Math.floor(columns));
  const rows = qubits
    .slice(0, listed)
    .map((qubit, index) => [
      String(qubit),
      ...strips.map(strip => figureText(strip.kind, strip.values[index]!)),
    ]);
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
