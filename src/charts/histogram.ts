import { flag, type OptionCheck, oneOf, wholeNumber } from "../contract/options.ts";
import { code } from "../display/cell.ts";
import { approximation, formatCount, formatNumber, formatPercent } from "../display/format.ts";
import { table } from "../display/table.ts";
import { clip, singleLine } from "../display/text.ts";
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
} from "../results/index.ts";
import { describeShares } from "./alt-text.ts";
import { type BarOptions, barOptionChecks, colorCheck } from "./bar-options.ts";
import type { Chart } from "./chart.ts";
import { drawChart } from "./draw-chart.ts";
import { histogramSpec } from "./histogram-spec.ts";
import { histogramText, intervalText } from "./histogram-text.ts";
import { type BitNames, bitOrder, labelStyle, outcomeLabels } from "./outcome-label.ts";

/** What a histogram is drawn from; the names of the bits stand below its axis. */
export interface HistogramData extends BitNames {
  /** How often each outcome was seen. */
  counts?: Distribution | null | undefined;
  /** Exact probabilities, or quasi-probabilities, where there are no counts. */
  probabilities?: Distribution | null | undefined;
  /** Repetitions; 0 for an exact result. */
  shots: number;
  /** Estimated fidelity of the state. Default: 1. */
  fidelity?: number | null | undefined;
  /** Whether the program measures nothing, so that there is no outcome to draw. Default: false. */
  unmeasured?: boolean | undefined;
  /** Whether outcomes of value 0 get bars too. Default: false. */
  zeros?: boolean | undefined;
  title?: string | undefined;
  /** More to say below the title, such as the device, cost and duration. */
  details?: readonly string[] | undefined;
}

/** How a histogram is drawn. */
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
  /** How outcomes are written: as they are, as kets, or not at all. Default: `"raw"`. */
  labels?: "raw" | "ket" | "none";
  /** What the bars measure: counts when there are counts, else probabilities. */
  as?: "counts" | "probabilities";
  /** A logarithmic axis, for outcomes of very different size. */
  logarithmic?: boolean;
}

/** One bar. Values are in the unit of the axis: counts, or shares of 1. */
export interface Bar {
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

/** A histogram prepared, before it is drawn in one way or another. */
export interface Histogram {
  bars: Bar[];
  /** How many outcomes there are. */
  outcomes: number;
  /** What stands in place of the bars where there are none. */
  none: string;
  title: string;
  subtitle: string[];
  /** What the outcomes are made of, such as `c[1] c[0]`. */
  bits: string;
  /** What completes the labels, or empty. */
  common: string;
  unit: "counts" | "probabilities";
  intervals: boolean;
  options: HistogramOptions;
}

/** Said of the result of a program that measures no qubit into a bit. */
export const nothingMeasured = "nothing was measured";

const defaultTop = 32;
const maxTop = 256;
const maxOutcome = 4096;

const orderOfBars: OptionCheck = value =>
  value === "value" || value === "outcome" || typeof Object(value).target === "string"
    ? undefined
    : '"value", "outcome" or an object such as { target: "010" }';

/** What the options that a histogram shares with a comparison must be. */
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

function prepare(data: HistogramData, options: HistogramOptions): Histogram {
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
  const chosen = inOrder(found.top, options.sort ?? usualOrder(found.outcomes));
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
  if (found.rest.outcomes > 0)
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

/** Most outcomes that stand in their own order, so that pictures of one program can be compared. */
const maxOrdered = 16;

/** Returns the order of outcomes that nobody chose. */
export const usualOrder = (outcomes: number) => (outcomes <= maxOrdered ? "outcome" : "value");

/** Puts outcomes, which stand in descending order of value, into the order that was asked for. */
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
