import { oneOf } from "../contract/index.ts";
import {
  approximation,
  clipMiddle,
  code,
  dotted,
  formatCount,
  formatInterval,
  formatNumber,
  formatPercent,
  numbers,
  present,
  singleLine,
  table,
} from "../display/index.ts";
import {
  type Distribution,
  intervalLabel,
  intervalRule,
  intervalWords,
  outcomesOf,
  topOutcomes,
  valueAt,
} from "../results/index.ts";
import { describeShares } from "./alt-text.ts";
import { barLines } from "./bar-text.ts";
import {
  clampPixels,
  decadeAxis,
  decades,
  emptyDrawing,
  inline,
  intervalMarks,
  labelWidth,
  mark,
  outcomeChannel,
  percentAxis,
  probabilityText,
  round,
  shortBar,
  tips,
  turned,
  wholeSteps,
  zeroLine,
} from "./channels.ts";
import { type Chart, drawChart } from "./chart.ts";
import { colorCheck, type SizedOptions } from "./options.ts";
import {
  type BitNames,
  bitOrder,
  detailLines,
  inOrder,
  type OutcomeOrder,
  outcomeLabels,
  outcomeOptionChecks,
  unknownBitOrder,
  usualOrder,
  lines as wrapped,
} from "./outcome-label.ts";
import { neutral, series } from "./roles.ts";
import { textWidth } from "./vega/metrics.ts";

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
export interface HistogramOptions extends SizedOptions {
  /** Colour of the marks: `#rrggbb`, or a name of CSS such as `"teal"`. Default: the theme's first one. */
  color?: string;
  /** Outcomes that get a bar; a line below the chart sums up all others. Default: 32, at most 256. */
  top?: number;
  /**
   * Order of the bars: by descending value, by outcome, or by Hamming distance to a target. Default: `"outcome"` for up to
   * 16 outcomes, else `"value"`.
   */
  sort?: OutcomeOrder;
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
  /** Ends of the interval in the unit of the axis, and in words; missing for exact results. */
  low?: number;
  high?: number;
  interval?: string;
}

type Histogram = ReturnType<typeof readOutcomes>;

/** Said of the result of a program that measures no qubit into a bit. */
export const nothingMeasured = "nothing was measured";

const shownOutcomes = 3;

/** The likeliest outcomes with their counts or probabilities, in a line: `00 503, 11 497`. */
export function outcomesLine(values: Distribution, exact: boolean): string {
  const { top, rest } = topOutcomes(values, shownOutcomes);
  if (top.length === 0) return "no outcomes";
  if (top.length === 1 && top[0]!.outcome === "") return nothingMeasured;
  const words = top.map(({ outcome, value }) => {
    return `${clipMiddle(singleLine(outcome), 40)} ${exact ? formatPercent(value) : formatNumber(value)}`;
  });
  return present([...words, rest.outcomes > 0 && formatCount(rest.outcomes, "more outcomes")]).join(", ");
}

const defaultTop = 32;
const maxTop = 256;
const maxOutcome = 4096;

/** Draws the likeliest outcomes as bars with their intervals, and says how many others there are. */
export const histogram = (data: HistogramData, options: HistogramOptions = {}): Chart<HistogramOptions> =>
  drawChart(
    { ...outcomeOptionChecks, color: colorCheck, as: oneOf("counts", "probabilities") },
    data.title === undefined ? options : { title: data.title, ...options },
    chosen => {
      const read = readOutcomes(data, chosen);
      const { bars, rest, title, subtitle, outcomes, none, unit, intervals } = read;
      const words = bars.length > 0 ? describeShares(bars, outcomes) : none;
      const rows = present([...bars, rest]);
      return {
        title,
        subtitle,
        description: `${title}: ${words}. Bar chart of measurement outcomes (${subtitle[0]}).`,
        color: chosen.color,
        spec: histogramSpec(read),
        records: () =>
          rows.map(({ outcome, value, share, low, high }) => ({ outcome, value, share, low, high })),
        table: () =>
          table<Bar>({
            caption: title,
            rows,
            limit: maxTop + 1,
            noun: "outcomes",
            columns: [
              { label: "Outcome", value: bar => (bar === rest ? bar.label : code(bar.outcome)) },
              unit === "counts" && numbers("Count", bar => formatNumber(bar.value)),
              numbers("Probability", bar => formatPercent(bar.share)),
              intervals && numbers(intervalLabel, bar => bar.interval),
            ],
          }),
        text: columns => histogramLines(read, columns),
      };
    },
  );

/** Returns the bars of an outcome each, with what is said of them. */
function readOutcomes(data: HistogramData, options: HistogramOptions) {
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
  const likeliest = found.top.map(({ outcome }) => outcome);
  const outcomes = data.drawn ?? inOrder(likeliest, options.sort ?? usualOrder(found.outcomes));
  const total = found.total || 1;
  const chosen = top / Math.max(top, found.outcomes);
  const intervalOf = isQuasi
    ? null
    : intervalRule(found.total, { exact: !counted, fidelity: data.fidelity, chosen });
  const [scale, reach] = [unit === "counts" || !counted ? 1 : 1 / total, unit === "counts" ? found.total : 1];
  const restLabel = `+${formatNumber(found.rest.outcomes)} more`;
  const { labels, common } = outcomeLabels(outcomes, options.labels ?? "raw", restLabel);
  const barOf = (label: string, outcome: string, value: number): Bar => ({
    ...{ label, outcome, value: value * scale, share: value / total },
  });
  const bars = outcomes.map((outcome, index): Bar => {
    const value = valueAt(values, outcome);
    const bar = barOf(labels[index]!, singleLine(outcome, maxOutcome) || "(empty)", value);
    if (!intervalOf) return bar;
    const ends = intervalOf(value);
    return { ...bar, low: ends.low * reach, high: ends.high * reach, interval: formatInterval(ends) };
  });
  const hasRest = found.rest.outcomes > 0 && !data.drawn;
  const approximate = approximation(data.fidelity);
  const source = counted
    ? `${formatNumber(data.shots || found.total)} shots`
    : isQuasi
      ? "quasi-probabilities"
      : approximate || "exact";
  const summary = dotted(
    source,
    source !== approximate && approximate,
    isUnmeasured ? nothingMeasured : formatCount(found.outcomes, "outcomes"),
    intervalOf !== null && found.outcomes > 0 && intervalWords,
  );
  return {
    bars,
    rest: hasRest ? barOf(restLabel, restLabel, found.rest.value) : undefined,
    outcomes: found.outcomes,
    none: isUnmeasured ? nothingMeasured : "no outcomes",
    title: singleLine(options.title ?? data.title ?? "Measurement outcomes", 80),
    subtitle: [summary, ...detailLines(data.details)],
    bits: bitOrder(likeliest[0], data),
    common,
    unit,
    intervals: intervalOf !== null,
    options,
  };
}

const narrow = 48;

function histogramLines({ bars, rest, none, bits, common, unit }: Histogram, columns: number): string[] {
  if (bars.length === 0) return barLines([], columns, [none]);
  const own = Math.max(...bars.map(bar => bar.value)) || 1;
  const notes = [...(bits === unknownBitOrder ? [bits] : []), ...wrapped(common, columns - 2)];
  const drawn = present([...bars, rest]).map(({ label, value, share }) => ({
    names: [label],
    share: value / own,
    numbers:
      unit === "probabilities"
        ? [formatPercent(value)]
        : [formatNumber(value), ...(columns < narrow ? [] : [formatPercent(share)])],
  }));
  return barLines(drawn, columns, notes);
}

/** Bars that have their value above them, and bars that lie below each other where they are more. */
const [labelledBars, maxRows] = [16, 40];

/** Says of the outcomes without a bar how often they are, all together. */
const restWords = ({ label, share }: Bar, bars: readonly Bar[]) =>
  `${label}: ${formatPercent(share)} together, each at most ${formatPercent(Math.min(...bars.map(bar => bar.share)))}`;

const dataOf = ({ bars, common, unit, options }: Histogram, floor: number, end: number) =>
  bars.map(({ label, outcome, value, share, low, high, interval }) => {
    const written = probabilityText(share, unit === "counts" ? 0 : floor);
    const isTall = options.logarithmic || value > end * shortBar;
    return {
      outcome: label,
      ...(common !== "" && { whole: outcome }),
      from: floor,
      to: options.logarithmic ? Math.max(floor, round(value)) : round(value),
      text: unit === "counts" ? formatNumber(value) : written.replace(/ %$/, "").replace("-", "−"),
      share: written,
      ...(interval !== undefined && { interval }),
      ...(high !== undefined && { high: round(high) }),
      ...(low !== undefined && isTall && { low: round(Math.max(floor, low)) }),
    };
  });

const [minStep, maxLevelLabel, valueGap, rowHeight] = [22, 72, 6, 18];

/** Width of the area of bars side by side: room for level labels and for values when they are few and short. */
function widthOf({ bars, options }: Histogram, label: number, value: number): number {
  if (options.width !== undefined) return clampPixels(options.width, 120);
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
  const { bars, rest, none, title, bits, common, unit, intervals, options } = histogram;
  const subtitle = present([rest && restWords(rest, bars), ...histogram.subtitle]);
  const end = bars.reduce((most, { value, high = 0 }) => Math.max(most, value, high), 0) || 1;
  const smallest = Math.min(...bars.map(bar => bar.value).filter(value => value > 0), end);
  const half = unit === "counts" ? Math.min(0.5, smallest / 2) : smallest / 2;
  const floor = options.logarithmic ? round(half) : 0;
  const labels = bars.map(bar => bar.label);
  const values = dataOf(histogram, floor, end);
  const widest = Math.max(0, ...values.map(({ text }) => textWidth({}, text)));
  const isRows = bars.length > labelledBars && bars.length <= maxRows && options.labels !== "none";
  const width = isRows
    ? clampPixels(options.width ?? 440, 120)
    : widthOf(histogram, labelWidth(labels), widest);
  const height = clampPixels(options.height ?? (isRows ? Math.min(1200, bars.length * rowHeight) : 240), 80);
  const step = (isRows ? height : width) / Math.max(1, bars.length);
  const fontSize = isRows ? (step >= 12 ? 11 : 0) : bars.length > labelledBars ? 0 : valueSize(widest, step);
  const barWidth = round(Math.min(56, Math.max(1, step * 0.68)));
  const tooltip = tips({
    [common === "" ? "outcome" : "whole"]: "outcome",
    ...(unit === "counts" && { text: "count" }),
    share: "probability",
    ...(intervals && { interval: intervalLabel }),
  });
  const layer = present([
    mark(
      "bar",
      { color: series[0], width: barWidth, cornerRadiusEnd: Math.min(2, barWidth / 6) },
      { y: { field: "to" }, y2: "from", tooltip },
    ),
    ...(intervals ? intervalMarks() : []),
    fontSize > 0 &&
      mark(
        "text",
        { baseline: "bottom", dy: -4, color: neutral, fontSize },
        { y: { field: "end" }, text: "text" },
        { transform: [{ calculate: "isValid(datum.high) ? datum.high : max(0, datum.to)", as: "end" }] },
      ),
  ]);
  const y = valueChannel(histogram, floor, end);
  const isSigned = y.scale.domain[0]! < 0;
  const { axis, ...place } = outcomeChannel(labels, {
    title: isRows ? [bits, common].filter(line => line.length < 60) : [bits, common],
    ...{ step, hidden: options.labels === "none", isRows },
  });
  const x = { ...place, axis: { ...axis, ...(isSigned && { domain: false }) } };
  const drawn = { ...inline(values), encoding: { x, y }, layer };
  return {
    ...{ title: { text: title, subtitle }, width, height },
    ...(bars.length === 0 ? emptyDrawing(none) : isRows ? turned(drawn) : drawn),
  };
}
