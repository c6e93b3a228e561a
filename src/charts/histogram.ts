import { flag, type OptionCheck, oneOf, wholeNumber } from "../contract/index.ts";
import {
  approximation,
  clip,
  code,
  formatCount,
  formatNumber,
  formatPercent,
  singleLine,
  table,
} from "../display/index.ts";
import {
  compareOutcomes,
  type Distribution,
  hammingDistance,
  intervalLabel,
  intervalRule,
  intervalWords,
  type Outcome,
  outcomesOf,
  topOutcomes,
  valueAt,
} from "../results/index.ts";
import { describeShares } from "./alt-text.ts";
import { barText } from "./bar-text.ts";
import {
  decadeAxis,
  decades,
  emptyDrawing,
  intervalMarks,
  labelWidth,
  outcomeChannel,
  percentAxis,
  probabilityText,
  round,
  shortBar,
  tips,
  turned,
  zeroLine,
} from "./channels.ts";
import type { Chart } from "./chart.ts";
import { drawChart } from "./draw-chart.ts";
import { type BarOptions, barOptionChecks, colorCheck } from "./options.ts";
import {
  type BitNames,
  bitOrder,
  labelStyle,
  outcomeLabels,
  unknownBitOrder,
  lines as wrapped,
} from "./outcome-label.ts";
import { neutral, series } from "./roles.ts";
import { textWidth } from "./vega/metrics.ts";
import { clampPixels, wholeSteps } from "./vega-lite.ts";

/** Data of a histogram; the names of the bits are below its axis. */
export interface HistogramData extends BitNames {
  counts?: Distribution | null | undefined;
  /** Exact probabilities, or quasi-probabilities, where there are no counts. */
  probabilities?: Distribution | null | undefined;
  /** Repetitions; 0 for an exact result. */
  shots: number;
  fidelity?: number | null | undefined;
  /** Whether the program measures nothing, so there is no outcome to draw. Default: false. */
  unmeasured?: boolean | undefined;
  /** Whether outcomes of value 0 get bars too. Default: false. */
  zeros?: boolean | undefined;
  /** Outcomes that are drawn, in this order, seen or not. Default: the likeliest. */
  drawn?: readonly string[] | undefined;
  title?: string | undefined;
  /** More to say below the title, such as the device, cost and duration. */
  details?: readonly string[] | undefined;
}

/** Options of a histogram. */
export interface HistogramOptions extends BarOptions {
  /** Colour of the marks: `#rrggbb`, or a name of CSS such as `"teal"`. Default: the theme's first one. */
  color?: string;
  /** Outcomes that get a bar; a line below the chart sums up all others. Default: 32, at most 256. */
  top?: number;
  /**
   * Order of the bars: by descending value, by outcome, or by Hamming distance to a target. Default: `"outcome"` for up to
   * 16 outcomes, else `"value"`.
   */
  sort?: "value" | "outcome" | { target: string };
  /** Form of the outcomes: unchanged, as kets, or hidden. Default: `"raw"`. */
  labels?: "raw" | "ket" | "none";
  /** Quantity of the bars: counts if there are counts, else probabilities. */
  as?: "counts" | "probabilities";
  /** A logarithmic axis, for outcomes of very different size. */
  logarithmic?: boolean;
}

/** One bar. Values are in the unit of the axis: counts, or shares of 1. */
interface Bar {
  label: string;
  /** The whole outcome, of which the label may show a part. */
  outcome: string;
  value: number;
  share: number;
  /** Ends of the interval in the unit of the axis; missing for exact results and for the sum of all others. */
  low?: number;
  high?: number;
  rest: boolean;
}

type Histogram = ReturnType<typeof prepare>;

/** Said of the result of a program that measures no qubit into a bit. */
export const nothingMeasured = "nothing was measured";

const defaultTop = 32;
const maxTop = 256;
const maxOutcome = 4096;

const orderOfBars: OptionCheck = value =>
  value === "value" || value === "outcome" || typeof Object(value).target === "string"
    ? undefined
    : '"value", "outcome" or an object such as { target: "010" }';

/** Checks of the options that a histogram shares with a comparison. */
export const sharedOptionChecks = {
  ...barOptionChecks,
  top: wholeNumber(1),
  sort: orderOfBars,
  labels: labelStyle,
  logarithmic: flag,
} as const;

/** Draws the likeliest outcomes as bars with their intervals, and says how many others there are. */
export function histogram(data: HistogramData, options: HistogramOptions = {}): Chart<HistogramOptions> {
  return drawChart(
    {
      checks: { ...sharedOptionChecks, color: colorCheck, as: oneOf("counts", "probabilities") },
      prepare: chosen => prepare(data, chosen),
      ...{ describe, spec: histogramSpec, table: barTable, text: histogramText, records },
    },
    data.title === undefined ? options : { title: data.title, ...options },
  );
}

const records = ({ bars }: Histogram) =>
  bars.map(({ outcome, value, share, low, high }) => ({ outcome, value, share, low, high }));

function prepare(data: HistogramData, options: HistogramOptions) {
  const counted = data.counts ?? undefined;
  const given = counted ?? data.probabilities ?? {};
  const isUnmeasured = data.unmeasured || (outcomesOf(given).length === 1 && "" in given);
  const values = isUnmeasured ? {} : given;
  const unit = options.as ?? (counted ? "counts" : "probabilities");
  if (unit === "counts" && !counted)
    throw new RangeError(
      'An exact result has no counts to draw: leave out "as", or ask for "probabilities".',
    );
  const isQuasi = !counted && outcomesOf(values).some(outcome => values[outcome]! < 0);
  if (isQuasi && options.logarithmic)
    throw new RangeError("A logarithmic axis has no place for negative quasi-probabilities.");
  const top = Math.min(maxTop, options.top ?? defaultTop);
  const found = topOutcomes(values, top, data.zeros);
  const chosen =
    data.drawn?.map(outcome => ({ outcome, value: valueAt(values, outcome) })) ??
    inOrder(found.top, options.sort ?? usualOrder(found.outcomes));
  const total = found.total || 1;
  const intervalOf = isQuasi
    ? null
    : intervalRule(found.total, {
        exact: !counted,
        fidelity: data.fidelity,
        chosen: top / Math.max(top, found.outcomes),
      });
  const scale = unit === "counts" || !counted ? 1 : 1 / total;
  const restLabel = `+${formatNumber(found.rest.outcomes)} more`;
  const { labels, common } = outcomeLabels(
    chosen.map(({ outcome }) => outcome),
    options.labels ?? "raw",
    restLabel,
  );
  const bars: Bar[] = chosen.map(({ outcome, value }, index) => {
    const bar = {
      ...{ label: labels[index]!, outcome: singleLine(outcome, maxOutcome) || "(empty)" },
      ...{ value: value * scale, share: value / total, rest: false },
    };
    if (!intervalOf) return bar;
    const { low, high } = intervalOf(value);
    const reach = unit === "counts" ? found.total : 1;
    return { ...bar, low: low * reach, high: high * reach };
  });
  if (found.rest.outcomes > 0 && !data.drawn)
    bars.push({
      label: restLabel,
      outcome: restLabel,
      value: found.rest.value * scale,
      share: found.rest.value / total,
      rest: true,
    });
  const approximate = approximation(data.fidelity);
  const source = counted
    ? `${formatNumber(data.shots || found.total)} shots`
    : isQuasi
      ? "quasi-probabilities"
      : approximate
        ? ""
        : "exact";
  const summary = [
    source,
    approximate,
    isUnmeasured ? nothingMeasured : formatCount(found.outcomes, "outcomes"),
    intervalOf && found.outcomes > 0 ? intervalWords : "",
  ].filter(Boolean);
  const details = (data.details ?? []).slice(0, 8).map(detail => singleLine(detail, 110));
  return {
    bars,
    outcomes: found.outcomes,
    none: isUnmeasured ? nothingMeasured : "no outcomes",
    title: singleLine(options.title ?? data.title ?? "Measurement outcomes", 80),
    subtitle: [summary.join(" · "), ...(details.length > 0 ? [clip(details.join(" · "), 120)] : [])],
    bits: bitOrder(found.top[0]?.outcome, data),
    common,
    unit,
    intervals: intervalOf !== null,
    options,
  };
}

/** Maximum outcomes drawn in their own order, to compare pictures of one program. */
const maxOrdered = 16;

export const usualOrder = (outcomes: number) => (outcomes <= maxOrdered ? "outcome" : "value");

/** Sorts outcomes, given in descending order of value, into the requested order. */
function inOrder(top: Outcome[], sort: HistogramOptions["sort"]): Outcome[] {
  if (sort === "outcome") return top.toSorted((a, b) => compareOutcomes(a.outcome, b.outcome));
  if (typeof sort !== "object") return top;
  return top
    .map(bar => ({ bar, distance: hammingDistance(bar.outcome, sort.target) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ bar }) => bar);
}

function describe({ bars, outcomes, none, title, subtitle }: Histogram): string {
  const words =
    bars.length > 0
      ? describeShares(
          bars.filter(bar => !bar.rest),
          outcomes,
        )
      : none;
  return `${title}: ${words}. Bar chart of measurement outcomes (${subtitle[0]}).`;
}

function barTable({ bars, title, intervals, unit }: Histogram) {
  return table<Bar>({
    caption: title,
    rows: bars,
    limit: maxTop + 1,
    noun: "outcomes",
    columns: [
      { label: "Outcome", value: bar => (bar.rest ? bar.label : code(bar.outcome)) },
      ...(unit === "counts"
        ? [{ label: "Count", align: "right" as const, value: (bar: Bar) => formatNumber(bar.value) }]
        : []),
      { label: "Probability", align: "right", value: bar => formatPercent(bar.share) },
      ...(intervals
        ? [{ label: intervalLabel, align: "right" as const, value: (bar: Bar) => intervalText(bar, unit) }]
        : []),
    ],
  });
}

function intervalText(bar: Bar, unit: Histogram["unit"]): string | null {
  if (bar.low === undefined || bar.high === undefined) return null;
  const scale = unit === "counts" ? (bar.value > 0 ? bar.share / bar.value : 0) : 1;
  return `${formatPercent(bar.low * scale)} to ${formatPercent(bar.high * scale)}`;
}

const narrow = 48;

function histogramText({ none, bits, common, unit, ...histogram }: Histogram, columns: number): string {
  const { bars } = histogram;
  if (bars.length === 0) return barText({ ...histogram, notes: [none] }, [], columns);
  const own = Math.max(...bars.filter(bar => !bar.rest).map(bar => bar.value)) || 1;
  const notes = [...(bits === unknownBitOrder ? [bits] : []), ...wrapped(common, columns - 2)];
  const drawn = bars.map(({ label, value, share }) => ({
    names: [label],
    share: value / own,
    numbers:
      unit === "probabilities"
        ? [formatPercent(value)]
        : [formatNumber(value), ...(columns < narrow ? [] : [formatPercent(share)])],
  }));
  return barText({ ...histogram, notes }, drawn, columns);
}

/** Bars that have their value above them, and bars that lie below each other where they are more. */
const [labelledBars, maxRows] = [16, 40];

/** Says of the outcomes without a bar how often they are, all together. */
const restWords = ({ label, share }: Bar, bars: readonly Bar[]) =>
  `${label}: ${formatPercent(share)} together, each at most ${formatPercent(Math.min(...bars.map(bar => bar.share)))}`;

const dataOf = ({ bars, common, unit, options }: Histogram, floor: number, end: number) =>
  bars.map(bar => {
    const interval = intervalText(bar, unit);
    const share = probabilityText(unit === "counts" ? bar.share : bar.value, unit === "counts" ? 0 : floor);
    const isTall = options.logarithmic || bar.value > end * shortBar;
    const { low, high } = bar;
    return {
      outcome: bar.label,
      ...(common !== "" && { whole: bar.outcome }),
      from: floor,
      to: options.logarithmic ? Math.max(floor, round(bar.value)) : round(bar.value),
      text: unit === "counts" ? formatNumber(bar.value) : share.replace(/ %$/, "").replace("-", "−"),
      share,
      ...(interval !== null && { interval }),
      ...(high !== undefined && { high: round(high) }),
      ...(low !== undefined && isTall && { low: round(Math.max(floor, low)) }),
    };
  });

const [minStep, maxLevelLabel, valueGap, rowHeight] = [22, 72, 6, 18];

/** Width of the area of bars side by side: room for level labels and for values when they are few and short. */
function widthOf({ bars, options }: Histogram, label: number, value: number): number {
  if (options.width !== undefined) return clampPixels(options.width, 120, 2000);
  const isFew = bars.length <= labelledBars;
  const step = Math.max(minStep, label <= maxLevelLabel ? label : 0, isFew ? value + valueGap : 0);
  const width = clampPixels(bars.length * step, 360, 640);
  return isFew ? width : wholeSteps(width, bars.length);
}

/** Returns the largest font in which no value touches the next one, as wide as `widest` at 11 pixels; 0 when none is small enough. */
const valueSize = (widest: number, step: number) =>
  [11, 10, 9].find(size => (widest * size) / 11 + valueGap <= step) ?? 0;

/** Returns the axis of values, from below 0 where there are negative quasi-probabilities. */
function valueChannel({ bars, unit, options }: Histogram, floor: number, end: number) {
  const bottom = Math.min(0, ...bars.map(bar => bar.value));
  const isSigned = bottom < 0 && { title: "quasi-probability, %", ...zeroLine };
  const counts = { title: "counts", format: ",~r", tickMinStep: 1 };
  if (options.logarithmic)
    return {
      type: "quantitative",
      scale: { type: "log", domain: [floor, end], nice: false },
      axis: unit === "counts" ? { ...counts, values: decades(floor, end) } : decadeAxis(floor, end),
    };
  return {
    type: "quantitative",
    scale: { domain: [bottom * 1.1, end * 1.02], nice: false },
    axis: { ...(unit === "counts" ? counts : percentAxis), tickCount: 5, ...isSigned },
  };
}

function histogramSpec(histogram: Histogram) {
  const { none, title, bits, common, unit, intervals, options } = histogram;
  const bars = histogram.bars.filter(bar => !bar.rest);
  const rest = histogram.bars.find(bar => bar.rest);
  const subtitle = [...(rest ? [restWords(rest, bars)] : []), ...histogram.subtitle];
  const end = bars.reduce((most, { value, high = 0 }) => Math.max(most, value, high), 0) || 1;
  const smallest = Math.min(...bars.map(bar => bar.value).filter(value => value > 0), end);
  const half = unit === "counts" ? Math.min(0.5, smallest / 2) : smallest / 2;
  const floor = options.logarithmic ? round(half) : 0;
  const labels = bars.map(bar => bar.label);
  const values = dataOf({ ...histogram, bars }, floor, end);
  const widest = Math.max(0, ...values.map(({ text }) => textWidth({}, text)));
  const isRows = bars.length > labelledBars && bars.length <= maxRows && options.labels !== "none";
  const width = isRows
    ? clampPixels(options.width ?? 440, 120, 2000)
    : widthOf({ ...histogram, bars }, labelWidth(labels), widest);
  const height = clampPixels(options.height ?? (isRows ? bars.length * rowHeight : 240), 80, 1200);
  const step = (isRows ? height : width) / Math.max(1, bars.length);
  const fontSize = isRows ? (step >= 12 ? 11 : 0) : bars.length > labelledBars ? 0 : valueSize(widest, step);
  const barWidth = round(Math.min(56, Math.max(1, step * 0.68)));
  const layer = [
    {
      mark: { type: "bar", color: series[0], width: barWidth, cornerRadiusEnd: Math.min(2, barWidth / 6) },
      encoding: {
        y: { field: "to" },
        y2: { field: "from" },
        tooltip: [
          { field: common === "" ? "outcome" : "whole", type: "nominal", title: "outcome" },
          ...(unit === "counts" ? tips({ text: "count" }) : []),
          { field: "share", type: "nominal", title: "probability" },
          ...(intervals ? tips({ interval: intervalLabel }) : []),
        ],
      },
    },
    ...(intervals ? intervalMarks() : []),
    ...(fontSize > 0
      ? [
          {
            transform: [{ calculate: "isValid(datum.high) ? datum.high : max(0, datum.to)", as: "end" }],
            mark: { type: "text", baseline: "bottom", dy: -4, color: neutral, fontSize },
            encoding: { y: { field: "end" }, text: { field: "text", type: "nominal" } },
          },
        ]
      : []),
  ];
  const { axis, ...place } = outcomeChannel(labels, {
    title: isRows ? [bits, common].filter(line => line.length < 60) : [bits, common],
    ...{ step, hidden: options.labels === "none", isRows },
  });
  const y = valueChannel({ ...histogram, bars }, floor, end);
  const isSigned = y.scale.domain[0]! < 0;
  const x = { ...place, axis: { ...axis, ...(isSigned && { domain: false }) } };
  const drawn = { data: { values }, encoding: { x, y }, layer };
  return {
    ...{ title: { text: title, subtitle }, width, height },
    ...(bars.length === 0 ? emptyDrawing(none) : isRows ? turned(drawn) : drawn),
  };
}
