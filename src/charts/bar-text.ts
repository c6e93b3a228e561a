import { blocks, clipMiddle, pad, terminalWidth } from "../display/index.ts";

export interface TextBar {
  names: readonly string[];
  /** Length of the bar: 1 is that of the longest, and negative ones run to the left. */
  share: number;
  numbers: readonly string[];
  /** The characters of the bar, where it has several parts. */
  parts?(room: number): string;
}

const minBar = 8;
const maxBar = 48;
const minName = 6;

const widthsOf = (rows: readonly (readonly string[])[]) =>
  (rows[0] ?? []).map((_, column) => Math.max(1, ...rows.map(row => terminalWidth(row[column] ?? ""))));

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number + 2, 0);

/** Draws bars below each other in lines of at most `columns` characters, over some notes. */
export function barLines(bars: readonly TextBar[], columns: number, notes: readonly string[] = []): string[] {
  const width = Math.max(30, Math.floor(columns));
  const numbers = widthsOf(bars.map(bar => bar.numbers));
  const wanted = widthsOf(bars.map(bar => bar.names));
  const left = width - 4 - sum(numbers) - minBar;
  const names = wanted.map(each => Math.min(each, Math.max(minName, Math.floor(left / wanted.length) - 2)));
  const lowest = bars.reduce((low, { share }) => Math.min(low, share), 0);
  const axis = lowest < 0 ? 1 : 0;
  const room = Math.max(minBar, Math.min(maxBar, width - 2 - axis - sum(numbers) - sum(names)));
  const below = Math.round((room * -lowest) / (1 - lowest));
  const drawn = bars.map(({ names: words, share, numbers: values, parts }) => {
    const above = pad(parts?.(room) ?? blocks(share, room - below), room - below);
    const negative = "█".repeat(Math.max(0, Math.round(-share * (room - below))));
    return [
      ...words.map((word, index) => pad(clipMiddle(word, names[index]!), names[index]!)),
      below > 0 ? `${pad(negative.slice(0, below), below, "right")}│${above}` : above,
      ...values.map((value, index) => pad(value, numbers[index]!, "right")),
    ].join("  ");
  });
  return [...drawn, ...notes].map(line => `  ${line}`.trimEnd());
}
