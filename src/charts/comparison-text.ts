import { formatPercent } from "../display/format.ts";
import { blocks } from "../display/meter.ts";
import { clip, clipMiddle, pad } from "../display/text.ts";
import type { Comparison } from "./comparison.ts";
import { unknownBitOrder } from "./outcome-label.ts";

const minBar = 8;
const maxBar = 40;

/** Draws a comparison in lines of at most `columns` characters: a group of bars an outcome. */
export function comparisonText(
  { labels, series, title, subtitle, bits }: Comparison,
  columns: number,
): string {
  const width = Math.max(36, Math.floor(columns));
  const longest = (words: string[]) => Math.max(1, ...words.map(word => word.length));
  const labelWidth = Math.min(longest(labels), 12);
  const nameWidth = Math.min(longest(series.map(({ name }) => name)), width - labelWidth - minBar - 16);
  const room = Math.min(maxBar, width - labelWidth - nameWidth - 16);
  const tallest = Math.max(...series.flatMap(({ values }) => values.map(({ value }) => value)), 1e-12);
  const groups = labels.flatMap((label, row) =>
    series.map(({ name, values }, index) => {
      const { value } = values[row]!;
      const outcome = pad(index === 0 ? clipMiddle(label, labelWidth) : "", labelWidth);
      const bar = pad(blocks(value / tallest, room), room);
      return `  ${outcome}  ${pad(clipMiddle(name, nameWidth), nameWidth)}  ${bar}  ${pad(formatPercent(value), 8, "right")}`;
    }),
  );
  const note = bits === unknownBitOrder ? [`  ${bits}`] : [];
  return [...[title, ...subtitle].map(line => clip(line, width)), ...groups, ...note].join("\n");
}
