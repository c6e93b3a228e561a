import { clip, pad } from "../../display/text.ts";
import type { CalibrationDrift } from "./drift.ts";
import { figureText } from "./figure-text.ts";

/** Formats each line of a drift as first, least, largest and latest value, in lines of at most `columns` characters. */
export function driftText({ title, subtitle, panels }: CalibrationDrift, columns: number): string {
  const width = Math.max(30, Math.floor(columns));
  const rows = panels.flatMap(({ name, kind, lines }) =>
    lines.map(({ name: line, values }) => {
      const known = values.filter(value => value !== null);
      const shown = (value: number | undefined) => figureText(kind, value ?? null);
      const range = known.length > 0 ? [Math.min(...known), Math.max(...known)] : [];
      return [`${name}, ${line}`, shown(known[0]), shown(range[0]), shown(range[1]), shown(known.at(-1))];
    }),
  );
  const cells = [["", "first", "least", "largest", "latest"], ...rows];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map(row => row[column]!.length)));
  const lines = cells.map(
    row => `  ${row.map((cell, i) => pad(cell, widths[i]!, i === 0 ? "left" : "right")).join("  ")}`,
  );
  return [title, ...subtitle, ...lines].map(line => clip(line, width)).join("\n");
}
