import { checkOptions, type OptionCheck, text } from "../contract/options.ts";
import { formatCount, formatNumber } from "../display/format.ts";
import { series as colors } from "../display/palette.ts";
import { clip, pad, plain } from "../display/text.ts";
import { lineInWords } from "./alt-text.ts";
import { Chart } from "./chart.ts";
import { lineSpec } from "./line-spec.ts";
import { checkRows, nameOf, numberIn, type Rows, rowsTable, valuesOf } from "./rows.ts";
import { type BarOptions, barOptionChecks } from "./theme.ts";

/** How lines are drawn. */
export interface LineOptions extends BarOptions {
  /** The column along the axis. */
  x: string;
  /** The column of values. */
  y: string;
  /** The columns of the ends of an interval, which is drawn as a band. */
  low?: string;
  high?: string;
  /** The column that tells lines apart; at most four are drawn. */
  series?: string;
  /** The column that tells small multiples apart; at most twelve are drawn. */
  panel?: string;
  /** Remarks below the title. */
  subtitle?: readonly string[];
  /** Ends of the axis of values. Default: those of the values. */
  domain?: readonly [number, number];
}

/** A point of a line; the ends of its interval are null where there is none. */
export interface Point {
  x: number | string;
  y: number;
  low: number | null;
  high: number | null;
}

/** A line of one panel. */
export interface Line {
  name: string;
  color: string;
  panel: string;
  points: Point[];
}

/** Lines computed, before they are drawn in one way or another. */
export interface Lines {
  lines: Line[];
  panels: string[];
  /** Whether what stands along the axis are numbers. */
  isNumeric: boolean;
  title: string;
  subtitle: string[];
  options: LineOptions;
}

/** Small multiples that are drawn. */
export const maxPanels = 12;

export const twoNumbers: OptionCheck = value =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isFinite)
    ? undefined
    : "a list of two numbers";

const checks = {
  ...barOptionChecks,
  x: text,
  y: text,
  low: text,
  high: text,
  series: text,
  panel: text,
  subtitle: (value: unknown) => (Array.isArray(value) ? undefined : "a list of strings"),
  domain: twoNumbers,
};

/**
 * Draws a column of numbers along another one as lines, with the band of their intervals.
 * Throws a `RangeError` for columns that are not there, for too many rows, and for other options.
 */
export function line(rows: Rows, options: LineOptions): Chart<Partial<LineOptions>> {
  checkOptions(options, checks);
  const { x, y, low, high, series, panel } = options;
  checkRows(rows, [x, y, low, high, series, panel]);
  const drawn = makeLines(rows, options);
  const words = drawn.lines.map(({ name, panel, points }) => {
    const whole = [drawn.panels.length > 1 && panel, drawn.lines.length > drawn.panels.length && name];
    return [...whole.filter(Boolean), lineInWords(points)].join(": ");
  });
  const description = clip(
    `${drawn.title}: ${words.join("; ") || "no points"}. Line chart of ${y} over ${x}.`,
    1000,
  );
  const columns = [panel, series, x, y, low, high].filter(column => column !== undefined);
  return new Chart({
    title: drawn.title,
    description,
    spec: lineSpec(drawn, description),
    table: () => rowsTable(rows, columns, drawn.title),
    text: width => linesText(drawn, width),
    again: changed => line(rows, { ...options, ...changed }),
  });
}

function makeLines(rows: Rows, options: LineOptions): Lines {
  const { x, y, low, high, series, panel } = options;
  const known = rows.filter(row => numberIn(row, y) !== null && row[x] !== undefined && row[x] !== null);
  const isNumeric = known.every(row => numberIn(row, x) !== null);
  const allPanels = panel === undefined ? [""] : valuesOf(known, panel).map(nameOf);
  const allSeries = series === undefined ? [""] : valuesOf(known, series).map(nameOf);
  const [panels, names] = [allPanels.slice(0, maxPanels), allSeries.slice(0, colors.length)];
  const lines = new Map<string, Line>();
  for (const panel of panels)
    for (const [index, name] of names.entries())
      lines.set(JSON.stringify([panel, name]), { name, color: colors[index]!, panel, points: [] });
  for (const row of known) {
    const key = [panel, series].map(column => (column === undefined ? "" : nameOf(row[column])));
    lines.get(JSON.stringify(key))?.points.push({
      x: isNumeric ? (row[x] as number) : nameOf(row[x]),
      y: row[y] as number,
      low: numberIn(row, low),
      high: numberIn(row, high),
    });
  }
  const filled = [...lines.values()].filter(({ points }) => points.length > 0);
  if (isNumeric) for (const { points } of filled) points.sort((a, b) => (a.x as number) - (b.x as number));
  const left = [
    allPanels.length > panels.length &&
      `${formatCount(allPanels.length - panels.length, "more panels")} not drawn`,
    allSeries.length > names.length &&
      `${formatNumber(allSeries.length - names.length)} more ${series} not drawn`,
  ];
  return {
    lines: filled,
    panels,
    isNumeric,
    title: plain(options.title ?? `${y} over ${x}`, 80),
    subtitle: [...(options.subtitle ?? []), ...left.filter(Boolean)].map(words => plain(words, 120)),
    options,
  };
}

const levels = "▁▂▃▄▅▆▇█";

/** Draws lines in as many characters: eight levels from the least to the largest value of all. */
function linesText({ lines, title, subtitle, options }: Lines, columns: number): string {
  const width = Math.max(30, Math.floor(columns));
  const ys = lines.flatMap(({ points }) => points.map(({ y }) => y));
  const [least, most] = options.domain ?? [Math.min(...ys), Math.max(...ys)];
  const labels = lines.map(({ panel, name }) => clip([panel, name].filter(Boolean).join(" · "), 24));
  const label = Math.max(0, ...labels.map(({ length }) => length));
  const room = Math.min(60, width - label - 4);
  const drawn = lines.map(({ points }, index) => {
    const cells = Math.min(room, points.length);
    const marks = Array.from({ length: cells }, (_, cell) => {
      const { y } = points[Math.round((cell * (points.length - 1)) / Math.max(1, cells - 1))]!;
      return levels[Math.round(Math.min(1, Math.max(0, (y - least) / (most - least || 1))) * 7)];
    });
    return `  ${pad(labels[index]!, label)}  ${marks.join("")}`;
  });
  const scale = ys.length > 0 ? [`  ▁ ${nameOf(least)}  █ ${nameOf(most)}`] : ["  no points"];
  return [...[title, ...subtitle].map(words => clip(words, width)), ...drawn, ...scale].join("\n");
}
