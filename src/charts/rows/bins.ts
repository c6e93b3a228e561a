import { must, stringValue, wholeNumber } from "../../contract/index.ts";
import {
  formatCount,
  formatNumber,
  formatPercent,
  numbers,
  present,
  singleLine,
  table,
} from "../../display/index.ts";
import { barLines } from "../bar-text.ts";
import { clampPixels, emptyDrawing, inline, mark, round, tips, writtenApart } from "../channels.ts";
import { type Chart, drawChart, type Figure } from "../chart.ts";
import { colorCheck, type SizedOptions, sizedChecks } from "../options.ts";
import { neutral, series } from "../roles.ts";
import { linearTicks } from "./plot-channels.ts";

/** Options of the histogram of numbers. */
export interface BinOptions extends SizedOptions {
  /** Colour of the marks: `#rrggbb`, or a name of CSS such as `"teal"`. Default: the theme's first one. */
  color?: string;
  /** Number of bins of equal width, at most 200. Default: by the Freedman–Diaconis rule. */
  bins?: number;
  /** Words at the horizontal axis. Default: `"value"`. */
  x?: string;
}

/** Count of the numbers in a range; both ends are equal if the bar is for one number. */
export interface Bin {
  from: number;
  to: number;
  found: number;
}

/** Numbers in bins, before they are drawn in one way or another. */
export interface Binned {
  title: string;
  subtitle: string[];
  description: string;
  bins: readonly Bin[];
  /** Words at the axes. */
  x: string;
  y: string;
  /** Written in place of bars where there are none. */
  nothing: string;
  format(value: number): string;
  /** Name of the first bin, which is highlighted, and the number below it. */
  first?: { name: string; value: number } | undefined;
}

const maxBins = 200;

/** Draws the counts of numbers in bins. Throws a `RangeError` for anything but numbers. */
export function binChart(given: readonly number[], options: BinOptions = {}): Chart<BinOptions> {
  const wrong = given.findIndex(value => !Number.isFinite(value));
  if (wrong >= 0)
    throw new RangeError(`Number ${wrong} of the list is ${String(given[wrong])}, which is in no bin.`);
  const bins = must(
    `a whole number from 1 to ${maxBins}`,
    value => wholeNumber(1)(value) === undefined && Number(value) <= maxBins,
  );
  return drawChart({ ...sizedChecks, bins, x: stringValue, color: colorCheck }, options, chosen => {
    const bins = binsOf(given, chosen.bins);
    const format = writtenApart([...new Set(bins.flatMap(({ from, to }) => [from, to]))], 4);
    const title = singleLine(chosen.title ?? "Histogram", 80);
    const summary = `${formatCount(given.length, "numbers")} · ${formatCount(bins.length, "bins")}`;
    const { from, to, found } = bins.reduce((best, bin) => (bin.found > best.found ? bin : best));
    const binned = {
      title,
      subtitle: [summary],
      description: `${title}: histogram of ${summary}. Most, ${formatNumber(found)}, from ${format(from)} to ${format(to)}.`,
      ...{ bins, x: singleLine(chosen.x ?? "value", 80), y: "count", nothing: "no numbers", format },
    };
    return {
      ...binFigure(binned, chosen),
      color: chosen.color,
      records: () => bins.map(({ from, to, found }) => ({ from, to, count: found })),
    };
  });
}

function binsOf(numbers: readonly number[], wanted: number | undefined): Bin[] {
  const sorted = Float64Array.from(numbers).sort();
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
  const margin = first === last ? Math.abs(first) / 2 || 0.5 : 0;
  const [min, max] = [first - margin, last + margin];
  const quartiles =
    (sorted[Math.floor(sorted.length * 0.75)] ?? 0) - (sorted[Math.floor(sorted.length * 0.25)] ?? 0);
  const width = (2 * quartiles) / Math.cbrt(sorted.length || 1);
  const called =
    margin > 0 ? 1 : width > 0 ? Math.ceil((max - min) / width) : Math.ceil(Math.sqrt(sorted.length));
  const count = wanted ?? Math.min(60, Math.max(1, called));
  const step = (max - min) / count || 1;
  // Rounding makes 0.3 of 0.30000000000000004.
  const edges = Array.from({ length: count + 1 }, (_, index) => round(min + index * step, 15));
  const bins = edges.slice(1).map((to, index) => ({ from: edges[index]!, to, found: 0 }));
  let bin = 0;
  for (const value of sorted) {
    while (bin < count - 1 && value >= bins[bin]!.to) bin++;
    bins[bin]!.found++;
  }
  return bins;
}

const labelOf = ({ format }: Binned, { from, to }: Bin) =>
  from === to ? format(from) : `${format(from)} to ${format(to)}`;

const heading = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Draws numbers in bins in each form. */
export function binFigure(binned: Binned, options: SizedOptions): Figure {
  const { title, subtitle, description, bins, x, y, first, nothing } = binned;
  return {
    ...{ title, subtitle, description, spec: binSpec(binned, options) },
    table: () => {
      const total = bins.reduce((sum, { found }) => sum + found, 0);
      return table<Bin>({
        caption: title,
        rows: bins,
        limit: bins.length,
        noun: "bins",
        columns: [
          numbers(heading(x), bin => labelOf(binned, bin)),
          numbers(heading(y), ({ found }) => formatNumber(found)),
          numbers("Share", ({ found }) => formatPercent(found / total)),
        ],
      });
    },
    text: columns => {
      const most = bins.reduce((largest, { found }) => Math.max(largest, found), 1);
      const drawn = bins.map((bin, index) => ({
        names: [labelOf(binned, bin)],
        share: bin.found / most,
        numbers: [formatNumber(bin.found), ...(first ? [index === 0 ? first.name : ""] : [])],
      }));
      return barLines(drawn, columns, bins.length === 0 ? [nothing] : []);
    },
  };
}

const barWidth = 18;
const labelledBars = 16;

function binSpec(binned: Binned, options: SizedOptions) {
  const { bins, first, nothing, format } = binned;
  const width = clampPixels(options.width ?? 480, 40);
  const values = bins.map((bin, index) => ({
    range: labelOf(binned, bin),
    ...{ from: bin.from, to: bin.to, found: bin.found },
    text: formatNumber(bin.found),
    ...(first && { kind: index === 0 ? first.name : "other" }),
  }));
  const isSingle = bins.every(({ from, to }) => from === to);
  const [min, max] = [values[0]?.from ?? 0, values.at(-1)?.to ?? 0];
  const pixel = (max - min) / width || 1;
  const margin = isSingle ? pixel * barWidth : bins.length === 1 ? (max - min) / 2 : pixel * 4;
  const x = {
    field: "from",
    type: "quantitative",
    scale: { domain: [min - margin, max + margin], nice: false, zero: false },
    axis: {
      ...{ title: binned.x, grid: false, ...(first && { titlePadding: 26 }) },
      ...linearTicks("x", { values: [min, max] }),
    },
  };
  const y = {
    ...{ field: "found", type: "quantitative" },
    scale: { domain: [0, Math.max(1, ...bins.map(bin => bin.found)) * 1.12], nice: false },
    axis: { title: binned.y, tickCount: 5, tickMinStep: 1, format: ",~r" },
  };
  const above = { baseline: "bottom", dy: -4, color: neutral, fontSize: 11 };
  const below = { ...above, baseline: "top", dy: 22, align: "left", dx: -4 };
  const layer = present([
    mark(
      "bar",
      { color: series[0], ...(isSingle ? { cornerRadiusEnd: 2, width: barWidth } : { binSpacing: 1 }) },
      {
        ...(isSingle ? { x } : { x: { ...x, bin: "binned" }, x2: "to" }),
        y,
        ...(first && { color: { condition: { test: `datum.kind == '${first.name}'`, value: series[1] } } }),
        tooltip: tips({ range: binned.x, text: binned.y }),
      },
    ),
    first &&
      bins.length <= labelledBars &&
      mark(
        "text",
        above,
        { x, y: "found", text: "text" },
        { transform: [{ calculate: "(datum.from + datum.to) / 2", as: "from" }] },
      ),
    first &&
      mark(
        "text",
        below,
        { x, y: { value: { expr: "height" } }, text: "text" },
        inline([{ from: first.value, text: `▲ ${first.name}: ${format(first.value)}` }]),
      ),
  ]);
  return {
    width,
    height: clampPixels(options.height ?? (first ? 200 : 240), 40),
    ...(bins.length > 0 ? { ...inline(values), layer } : emptyDrawing(nothing)),
  };
}
