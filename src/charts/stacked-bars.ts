import { formatCount, formatNumber, present, type RenderedView } from "../display/index.ts";
import { describeTrend } from "./alt-text.ts";
import { barLines } from "./bar-text.ts";
import { clampPixels, inline, legend, mark, nameLabels, round, tips, turned } from "./channels.ts";
import type { Figure } from "./chart.ts";
import type { SizedOptions } from "./options.ts";
import { neutral } from "./roles.ts";

export interface BarSeries {
  name: string;
  color: string;
  /** One value a bar, 0 or more. */
  values: readonly number[];
}

export interface StackedBars {
  title: string;
  subtitle: readonly string[];
  unit: string;
  /** Key of each bar: distinct names, or days as `YYYY-MM-DD`. */
  names: readonly string[];
  series: readonly BarSeries[];
  /** Each bar's value in words. */
  texts: readonly string[];
  /** Whether bars stand side by side, one a day, and do not lie below each other. Default: false. */
  isDaily?: boolean;
  /** Daily allowance: drawn as a dashed line, unless it is far above all bars. */
  quota?: number | null;
  table: () => RenderedView;
}

export const maxDays = 366;

const day = /^\d{4}-\d\d-\d\d$/;

export const isDay = (text: string) => day.test(text);

/** Draws bars of parts in each form: over days, or below each other with their values after them. */
export function stackedFigure(bars: StackedBars, options: SizedOptions): Figure {
  const { title, subtitle, isDaily, table } = bars;
  return {
    ...{ title, subtitle, table },
    description: `${title}: ${describeBars(bars)}. ${isDaily ? "One bar a day" : "Bars below each other"} (${subtitle.join(". ")})`,
    spec: (isDaily ? dailySpec : rankedSpec)(bars, options),
    text: columns => stackedLines(bars, columns),
  };
}

const totalsOf = ({ names, series }: StackedBars) =>
  names.map((_, index) => series.reduce((sum, { values }) => sum + values[index]!, 0));

const longest = (bars: StackedBars) => Math.max(0, ...totalsOf(bars)) || 1;

const maxDescribed = 4;

/** Returns the most and the least of days, or the first bars in words: `perth 12.5 credits, oslo 3 credits and 4 more`. */
function describeBars(bars: StackedBars): string {
  const { names, texts, unit } = bars;
  if (bars.isDaily) return describeTrend(totalsOf(bars).map((y, index) => ({ x: names[index]!, y })));
  const words = names.slice(0, maxDescribed).map((name, index) => `${name} ${texts[index]} ${unit}`);
  const left = names.length - words.length;
  return names.length === 0 ? "no bars" : `${words.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}

function segmentsOf({ names, series }: StackedBars) {
  return names.flatMap((name, index) => {
    let from = 0;
    return series.flatMap(({ name: part, values }) => {
      const value = values[index]!;
      const row = { name, part, from: round(from), to: round(from + value), text: formatNumber(value) };
      from += value;
      return value > 0 ? [row] : [];
    });
  });
}

function barsView(bars: StackedBars, { end, step, axis }: { end: number; step: number; axis: object }) {
  const { names, series, unit, isDaily } = bars;
  const parts = series.map(({ name }) => name);
  const colors = series.map(({ color }) => color);
  const width = Math.min(28, Math.max(0.8, step * 0.68));
  const isParted = series.length > 1;
  const color = {
    ...{ field: "part", type: "nominal", scale: { domain: parts, range: colors } },
    legend: isParted ? { ...legend, values: parts } : null,
  };
  const tooltip = tips({
    name: isDaily ? "day" : "of",
    ...(isParted && { part: isDaily ? "of" : "what" }),
    text: unit,
  });
  return {
    ...inline(segmentsOf(bars)),
    encoding: {
      x: {
        ...{ field: "name", type: "ordinal", sort: null },
        scale: { domain: names, paddingInner: 0, paddingOuter: 0 },
        axis: { title: null, labelAngle: 0, ...axis },
      },
      y: {
        type: "quantitative",
        scale: { domain: [0, round(end * 1.02)], nice: false },
        axis: { title: unit, tickCount: 4, format: ",~r", ...(unit === "jobs" && { tickMinStep: 1 }) },
      },
    },
    layer: [
      mark(
        "bar",
        { width, ...(series.length === 1 && { cornerRadiusEnd: Math.min(2, width / 6) }) },
        { y: { field: "to" }, ...(series.length !== 1 && { y2: "from" }), color, tooltip },
      ),
    ],
  };
}

const rowHeight = 24;

function rankedSpec(bars: StackedBars, options: SizedOptions) {
  const { names, texts } = bars;
  const end = longest(bars);
  const height = clampPixels(options.height ?? Math.min(2400, names.length * rowHeight), rowHeight);
  const step = height / Math.max(1, names.length);
  const totals = totalsOf(bars);
  const view = barsView(bars, { end, step, axis: { labelLimit: 320, ...nameLabels } });
  const values = names.map((name, index) => ({
    name,
    to: Math.min(end, totals[index]!),
    text: texts[index],
  }));
  const look = { baseline: "bottom", dy: -4, color: neutral, fontSize: 11 };
  view.layer.push(mark("text", look, { y: { field: "to" }, text: "text" }, inline(values)));
  return { width: clampPixels(options.width ?? 400, 120), height, ...turned(view) };
}

/** Days whose date is below the axis: the first of each week or month when there are many. */
function labelledDays(days: readonly string[], room: number): string[] {
  const every = [1, 2, 7, 14, 28, 56].find(gap => (days.length / gap) * 44 <= room) ?? 91;
  return days.filter((_, index) => (days.length - 1 - index) % every === 0);
}

/** Days that are more than this many on an axis say their year. */
const manyDays = 180;

/** Returns how a day is written below the axis: with its year below where that is new, if the axis is of more than one or of many days. */
function dayExpression(days: readonly string[], shown: readonly string[]): string {
  const text = "utcFormat(utcParse(datum.value, '%Y-%m-%d'), '%b %-d')";
  const isLong = days.length > manyDays || days[0]?.slice(0, 4) !== days.at(-1)?.slice(0, 4);
  if (!isLong) return text;
  const isNew = (day: string, index: number) => day.slice(0, 4) !== shown[index - 1]?.slice(0, 4);
  return `indexof(${JSON.stringify(shown.filter(isNew))}, datum.value) < 0 ? ${text} : [${text}, slice(datum.value, 0, 4)]`;
}

function dailySpec(bars: StackedBars, options: SizedOptions) {
  const { names, quota = null } = bars;
  const width = clampPixels(options.width ?? clampPixels(names.length * 16, 320, 640), 120);
  const days = labelledDays(names, width);
  const isQuotaDrawn = quota !== null && quota <= 4 * longest(bars);
  const end = Math.max(longest(bars), isQuotaDrawn ? quota : 0);
  const axis = { values: days, labelExpr: dayExpression(names, days) };
  const view = barsView(bars, { end, step: width / Math.max(1, names.length), axis });
  const dashed = { color: neutral, strokeDash: [5, 4], strokeWidth: 1.5 };
  const across = { x: 0, x2: { value: "width" }, y: { field: "quota" } };
  if (isQuotaDrawn) view.layer.push(mark("rule", dashed, across, inline([{ quota }])));
  return { width, height: clampPixels(options.height ?? 160, 60), ...view };
}

const glyphs = ["█", "▓", "▒", "░", "·"];
const maxTextDays = 31;

function stackedLines(bars: StackedBars, columns: number): string[] {
  const { names, series, texts } = bars;
  const left = bars.isDaily ? Math.max(0, names.length - maxTextDays) : 0;
  const key = series.map(({ name }, part) => `${glyphs[part]} ${name}`).join("  ");
  const end = longest(bars);
  const totals = totalsOf(bars);
  const drawn = names.map((name, index) => ({
    names: [name],
    share: totals[index]! / end,
    numbers: [texts[index]!],
    ...(series.length > 1 && { parts: (room: number) => partsOf(series, index, end, room) }),
  }));
  return present([
    left > 0 && `  ${formatCount(left, "earlier days")}`,
    series.length > 1 && `  ${key}`,
    ...barLines(drawn.slice(left), columns),
  ]);
}

/** One bar of characters, with another character for each part. */
function partsOf(series: readonly BarSeries[], index: number, end: number, room: number): string {
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
