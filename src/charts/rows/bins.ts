import { checkOptions, must, stringValue, wholeNumber } from "../../contract/index.ts";
import { formatCount, formatMagnitude, formatNumber, singleLine, table } from "../../display/index.ts";
import { barText } from "../bar-text.ts";
import { round } from "../channels.ts";
import { Chart } from "../chart.ts";
import { type BarOptions, barOptionChecks, colorCheck } from "../options.ts";
import { series } from "../roles.ts";
import { clampPixels, vegaLiteSpec } from "../vega-lite.ts";
import { linearTicks } from "./plot-channels.ts";

/** How the histogram of numbers is drawn. */
export interface BinOptions extends BarOptions {
  /** Colour of the marks: `#rrggbb`, or a name of CSS such as `"teal"`. Default: the theme's first one. */
  color?: string;
  /** Number of bins of equal width, at fullest 200. Default: as many as the numbers call for (Freedman and Diaconis). */
  bins?: number;
  /** Words at the horizontal axis. Default: `"value"`. */
  x?: string;
}

interface Bin {
  from: number;
  to: number;
  count: number;
}

const maxBins = 200;

/** Draws how often numbers fall into each of some bins. Throws a `RangeError` where something is no number. */
export function binChart(numbers: readonly number[], options: BinOptions = {}): Chart<BinOptions> {
  checkOptions(options, {
    ...barOptionChecks,
    bins: must(
      `a whole number from 1 to ${maxBins}`,
      value => wholeNumber(1)(value) === undefined && Number(value) <= maxBins,
    ),
    x: stringValue,
    color: colorCheck,
  });
  const wrong = numbers.findIndex(value => !Number.isFinite(value));
  if (wrong >= 0)
    throw new RangeError(`Number ${wrong} of the list is ${String(numbers[wrong])}, which is in no bin.`);
  const bins = binsOf(numbers, options.bins);
  const title = singleLine(options.title ?? "Histogram", 80);
  const axis = singleLine(options.x ?? "value", 80);
  const subtitle = [`${formatCount(numbers.length, "numbers")} · ${formatCount(bins.length, "bins")}`];
  const fullest = bins.reduce((best, bin) => (bin.count > best.count ? bin : best), {
    from: 0,
    to: 0,
    count: 0,
  });
  const ends = bins.flatMap(({ from, to }) => [from, to]);
  const description = `${title}: histogram of ${subtitle[0]}. Most, ${formatNumber(fullest.count)}, from ${formatEdge(fullest.from)} to ${formatEdge(fullest.to)}.`;
  return new Chart<BinOptions>({
    title,
    description,
    options,
    spec: vegaLiteSpec({
      description,
      title: { text: title, subtitle },
      width: clampPixels(options.width ?? 480, 40, 4000),
      height: clampPixels(options.height ?? 240, 40, 4000),
      data: {
        values: bins.map(bin => ({ ...bin, text: `${formatEdge(bin.from)} to ${formatEdge(bin.to)}` })),
      },
      mark: { type: "bar", color: options.color ?? series[0], binSpacing: 1 },
      encoding: {
        x: {
          field: "from",
          type: "quantitative",
          bin: "binned",
          axis: { title: axis, grid: false, ...linearTicks("x", { values: ends }) },
          scale: { zero: false, nice: false, ...(bins.length === 1 && { domain: aroundBin(bins[0]!) }) },
        },
        x2: { field: "to" },
        y: { field: "count", type: "quantitative", axis: { title: "count", tickCount: 5, tickMinStep: 1 } },
        tooltip: [
          { field: "text", type: "nominal", title: axis },
          { field: "count", type: "quantitative", title: "count" },
        ],
      },
    }),
    table: () =>
      table<Bin>({
        caption: title,
        noun: "bins",
        rows: bins,
        limit: maxBins,
        columns: [
          { label: "From", align: "right", value: ({ from }) => formatEdge(from) },
          { label: "To", align: "right", value: ({ to }) => formatEdge(to) },
          { label: "Count", align: "right", value: ({ count }) => formatNumber(count) },
        ],
      }),
    text: columns =>
      barText(
        { title, subtitle },
        bins.map(({ from, count }) => ({
          names: [formatEdge(from)],
          share: count / fullest.count,
          numbers: [formatNumber(count)],
        })),
        columns,
      ),
    rebuild: changed => binChart(numbers, { ...options, ...changed }),
  });
}

/** The ends of an axis on which one bin does not fill the whole width. */
const aroundBin = ({ from, to }: Bin) => [from - (to - from), to + (to - from)];

const formatEdge = (value: number) => formatMagnitude(round(value, 4));

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
  const bins = Array.from({ length: count }, (_, index) => ({
    from: round(min + index * step),
    to: round(min + (index + 1) * step),
    count: 0,
  }));
  for (const value of sorted) bins[Math.min(count - 1, Math.floor((value - min) / step))]!.count++;
  return bins;
}
