import { formatNumber } from "../display/format.ts";
import { blocks } from "../display/meter.ts";
import { clip, clipMiddle, pad, terminalWidth } from "../display/text.ts";
import { legend, round } from "./channels.ts";
import { neutral } from "./roles.ts";

/** One part of every bar. */
export interface BarSeries {
  name: string;
  color: string;
  /** One value a bar, 0 or more. */
  values: readonly number[];
}

/** Bars of one or several parts, before they are drawn in one way or another. */
export interface StackedBars {
  title: string;
  subtitle: readonly string[];
  /** What is measured, such as `jobs`. */
  unit: string;
  /** What each bar stands for: names that differ. */
  names: readonly string[];
  series: readonly BarSeries[];
  /** Each bar's value in words. */
  texts: readonly string[];
  /** The last bar is that of all others: it is grey, and no measure of the axis. */
  rest?: boolean;
}

/** How long each bar is. */
export function totalsOf({ names, series }: Pick<StackedBars, "names" | "series">): number[] {
  return names.map((_, index) => series.reduce((sum, { values }) => sum + values[index]!, 0));
}

/** Returns the length of the longest bar that the axis has to hold: 1 when there is none. */
export function longest({ rest, ...bars }: StackedBars): number {
  const totals = totalsOf(bars);
  return Math.max(0, ...(rest && totals.length > 1 ? totals.slice(0, -1) : totals)) || 1;
}

const maxDescribed = 4;

/** Returns the values of the first bars in words: `perth 12.5 credits, oslo 3 credits and 4 more`. */
export function describeBars({ names, texts, unit }: StackedBars): string {
  const words = names.slice(0, maxDescribed).map((name, index) => `${name} ${texts[index]} ${unit}`);
  const left = names.length - words.length;
  return names.length === 0 ? "no bars" : `${words.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}

const restName = "rest";

/** Returns the parts of the bars as rows: where each begins and ends. One that does not fit on the axis is broken in two. */
export function segmentsOf(bars: StackedBars, end: number) {
  const { names, series, rest } = bars;
  const last = rest ? names.length - 1 : names.length;
  const segments = names.slice(0, last).flatMap((name, index) => {
    let from = 0;
    return series.flatMap(({ name: part, values }) => {
      const value = values[index]!;
      const row = { name, part, from: round(from), to: round(from + value), text: formatNumber(value) };
      from += value;
      return value > 0 ? [row] : [];
    });
  });
  if (!rest) return segments;
  const total = totalsOf(bars)[last]!;
  const row = { name: names[last]!, part: restName, from: 0, to: round(total), text: formatNumber(total) };
  if (total <= end) return [...segments, row];
  return [...segments, { ...row, to: round(end * 0.8) }, { ...row, from: round(end * 0.84), to: round(end) }];
}

/** Returns the colours of the parts, named above the bars when there are several. */
export function partChannel({ series, rest }: StackedBars) {
  const names = series.map(({ name }) => name);
  const colors = series.map(({ color }) => color);
  return {
    field: "part",
    type: "nominal",
    scale: rest
      ? { domain: [...names, restName], range: [...colors, neutral] }
      : { domain: names, range: colors },
    legend: series.length > 1 ? { ...legend, values: names } : null,
  };
}

const glyphs = ["█", "▓", "▒", "░", "·"];
const minBar = 8;
const maxBar = 40;

/** Draws the bars in lines of at most `columns` characters. */
export function stackedText(bars: StackedBars, columns: number): string {
  const { title, subtitle, names, series, texts } = bars;
  const width = Math.max(30, Math.floor(columns));
  const numbers = Math.max(1, ...texts.map(terminalWidth));
  const longestName = Math.max(0, ...names.map(terminalWidth));
  const label = Math.min(longestName, Math.max(6, width - numbers - 6 - minBar));
  const room = Math.max(minBar, Math.min(maxBar, width - numbers - label - 6));
  const end = longest(bars);
  const key = series.map(({ name }, part) => `${glyphs[part]} ${name}`).join("  ");
  const lines = names.map((name, index) => {
    const drawn = pad(stack(series, index, end, room), room);
    return `  ${pad(clipMiddle(name, label), label)}  ${drawn}  ${pad(texts[index]!, numbers, "right")}`;
  });
  return [title, ...subtitle, ...(series.length > 1 ? [`  ${key}`] : []), ...lines]
    .map(line => clip(line, width))
    .join("\n");
}

/** One bar of characters: in eighths of a cell when it has one part, else each part in characters of its own. */
function stack(series: readonly BarSeries[], index: number, end: number, room: number): string {
  if (series.length === 1) return blocks(series[0]!.values[index]! / end, room);
  const cell = (value: number) => Math.min(room, Math.round((value / end) * room));
  let sum = 0;
  return series
    .map(({ values }, part) => {
      const begin = cell(sum);
      sum += values[index]!;
      return glyphs[part]!.repeat(cell(sum) - begin);
    })
    .join("");
}
