import { stringList } from "../contract/index.ts";
import {
  approximation,
  clip,
  code,
  dotted,
  formatInterval,
  formatNumber,
  formatPercent,
  numbers,
  present,
  singleLine,
  table,
} from "../display/index.ts";
import {
  compareOutcomes,
  type Distribution,
  distancesOf,
  intervalLabel,
  intervalRule,
  intervalWords,
  isExactly,
  topOutcomes,
  valueAt,
} from "../results/index.ts";
import { describeShares } from "./alt-text.ts";
import { barLines } from "./bar-text.ts";
import {
  clampPixels,
  decadeAxis,
  inline,
  intervalMarks,
  labelWidth,
  legend,
  mark,
  only,
  outcomeChannel,
  percentAxis,
  probabilityText,
  round,
  shortBar,
  tips,
} from "./channels.ts";
import { type Chart, drawChart } from "./chart.ts";
import type { HistogramOptions } from "./histogram.ts";
import {
  type BitNames,
  bitOrder,
  inOrder,
  labeller,
  outcomeLabels,
  outcomeOptionChecks,
  unknownBitOrder,
  usualOrder,
} from "./outcome-label.ts";
import { inked, series as palette } from "./roles.ts";

/** One of the results that are compared; the names of the bits, if all have the same, are below the axis. */
export interface ComparedData extends BitNames {
  label: string;
  counts?: Distribution | null | undefined;
  /** Exact probabilities, where there are no counts. Beside counts they are drawn as outlines. */
  probabilities?: Distribution | null | undefined;
  fidelity?: number | null | undefined;
}

/** Options of a comparison: groups are ordered as bars are, by their largest probability. */
export interface ComparisonOptions extends Omit<HistogramOptions, "as" | "color"> {
  /** Likeliest outcomes taken from each result. Default: 16, at most 64. */
  top?: number;
  /** Names of the results, in their order. Default: the names of their devices. */
  names?: readonly string[];
}

type Comparison = ReturnType<typeof readResults>;
type Share = { value: number; low?: number; high?: number; interval?: string };

const maxResults = 4;
const defaultTop = 16;
const maxTop = 64;

/** Draws two to four results beside each other, with intervals. Throws a `RangeError` for fewer or more. */
export function comparison(
  results: readonly ComparedData[],
  options: ComparisonOptions = {},
  remark = "",
): Chart<ComparisonOptions> {
  if (results.length < 2 || results.length > maxResults)
    throw new RangeError(`A comparison is drawn of 2 to ${maxResults} results, not of ${results.length}.`);
  return drawChart({ ...outcomeOptionChecks, names: stringList }, options, chosen => {
    const read = readResults(results, chosen, remark);
    const { title, subtitle, outcomes, labels, series, outcomeCounts, bits } = read;
    const words = series.map(({ name, values }, index) => {
      const shares = values.map(({ value }, row) => ({ label: labels[row]!, share: value }));
      return `${name}: ${describeShares(shares, outcomeCounts[index]!)}`;
    });
    return {
      title,
      subtitle,
      description: `${title}: ${words.join("; ")}. Grouped bars (${subtitle.join(". ")}).`,
      spec: comparisonSpec(read),
      records: () =>
        outcomes.map((outcome, row) => ({
          outcome,
          ...Object.fromEntries(series.map(({ name, values }) => [name, values[row]!.value])),
        })),
      table: () =>
        table<number>({
          caption: title,
          noun: "outcomes",
          rows: outcomes.map((_, row) => row),
          limit: maxTop * maxResults,
          columns: [
            { label: "Outcome", value: row => code(outcomes[row]) },
            ...series.map(({ name, values }) =>
              numbers<number>(name, row => formatPercent(values[row]!.value)),
            ),
          ],
        }),
      text: columns => {
        const tallest = Math.max(...series.flatMap(({ values }) => values.map(({ value }) => value)), 1e-12);
        const bars = labels.flatMap((label, row) =>
          series.map(({ name, values }, index) => ({
            names: [index === 0 ? label : "", name],
            share: values[row]!.value / tallest,
            numbers: [formatPercent(values[row]!.value)],
          })),
        );
        return barLines(bars, columns, bits === unknownBitOrder ? [bits] : []);
      },
    };
  });
}

/** Returns the shares of outcomes in each result, with what is said of them. */
function readResults(results: readonly ComparedData[], options: ComparisonOptions, remark: string) {
  const top = Math.min(maxTop, options.top ?? defaultTop);
  const values = results.map(({ counts, probabilities }) => counts ?? probabilities ?? {});
  const tops = values.map(value => topOutcomes(value, top));
  const shareOf = (index: number, outcome: string) =>
    valueAt(values[index]!, outcome) / (tops[index]!.total || 1);
  const largest = (outcome: string) => Math.max(...results.map((_, index) => shareOf(index, outcome)));
  const union = [...new Set(tops.flatMap(found => found.top.map(({ outcome }) => outcome)))].sort(
    compareOutcomes,
  );
  const maxOutcomes = Math.max(...tops.map(found => found.outcomes));
  const sort = options.sort ?? usualOrder(maxOutcomes);
  if (sort === "value") union.sort((a, b) => largest(b) - largest(a));
  const outcomes = inOrder(union, sort);
  const accuracies = results.map(({ counts, fidelity }) => ({ exact: !counts, fidelity }));
  const isExact = accuracies.every(isExactly);
  const name = labeller("raw", "");
  const series = results.map(({ label }, index) => {
    const { total, outcomes: all } = tops[index]!;
    const chosen = outcomes.length / Math.max(outcomes.length, all);
    const intervalOf = intervalRule(total, { ...accuracies[index]!, chosen });
    return {
      name: name(options.names?.[index] ?? label),
      /** Drawn as an outline around the bars of the others. */
      ideal: !isExact && isExactly(accuracies[index]!),
      values: outcomes.map((outcome): Share => {
        const value = shareOf(index, outcome);
        const ends = intervalOf?.(valueAt(values[index]!, outcome));
        return { value, ...ends, ...(ends && { interval: formatInterval(ends) }) };
      }),
    };
  });
  return {
    outcomes: outcomes.map(outcome => singleLine(outcome, 4096) || "(empty)"),
    ...outcomeLabels(outcomes, options.labels ?? "raw", ""),
    outcomeCounts: tops.map(found => found.outcomes),
    series,
    title: singleLine(options.title ?? "Comparison", 80),
    subtitle: present([
      distances(values, series),
      dotted(
        maxOutcomes > outcomes.length && `${formatNumber(outcomes.length)} likeliest outcomes`,
        isExact ? "exact" : intervalWords,
        approximation(...results.map(({ fidelity }) => fidelity)),
      ),
      singleLine(remark, 160),
    ]),
    bits: commonBits(outcomes[0], results),
    options,
  };
}

function commonBits(outcome: string | undefined, results: readonly ComparedData[]): string {
  const [first = "outcome", ...others] = new Set(results.map(result => bitOrder(outcome, result)));
  return others.length > 0 ? "outcome" : first;
}

/** Returns how far each result is from the ideal one, or from the first when none is. */
function distances(
  values: readonly Distribution[],
  series: readonly { name: string; ideal: boolean }[],
): string {
  const ideal = series.findIndex(({ ideal }) => ideal);
  const origin = Math.max(0, ideal);
  const words = values.flatMap((value, index) => {
    if (index === origin) return [];
    const { totalVariation, hellinger } = distancesOf(value, values[origin]!);
    const far = `total variation ${totalVariation.toFixed(3)}, Hellinger ${hellinger.toFixed(3)}`;
    return [values.length === 2 ? far : `${series[index]!.name}: ${far}`];
  });
  return clip(dotted(...words), 200);
}

/** Returns where bars begin: below the smallest value of all on a logarithmic axis, which has no 0. */
function floorOf({ series, options }: Comparison): number {
  const values = series.flatMap(({ values }) => values.map(({ value }) => value));
  return options.logarithmic ? round(Math.min(1, ...values.filter(value => value > 0)) / 2) : 0;
}

function rowsOf({ outcomes, labels, common, series, options }: Comparison, floor: number) {
  const ends = series.flatMap(({ values }) => values.map(({ value, high }) => high ?? value));
  const tallest = Math.max(0, ...ends);
  return series.flatMap(({ name, ideal, values }) =>
    values.map(({ value, low, high, interval }, index) => ({
      outcome: labels[index],
      ...(common !== "" && { whole: outcomes[index] }),
      series: name,
      ideal,
      to: round(value),
      text: probabilityText(value, floor),
      ...(interval !== undefined && { interval }),
      ...(low !== undefined &&
        (options.logarithmic ? low > floor : value > tallest * shortBar) && { low: round(low) }),
      ...(high !== undefined && (value > 0 || !options.logarithmic) && { high: round(high) }),
    })),
  );
}

function comparisonSpec(comparison: Comparison) {
  const { labels, series, bits, common, options } = comparison;
  const bars = series.filter(({ ideal }) => !ideal);
  const floor = floorOf(comparison);
  const label = labelWidth(labels);
  const group = Math.max(bars.length * 14 + 10, label <= 72 ? label : 0);
  const width = clampPixels(options.width ?? clampPixels(labels.length * group, 360, 720), 120);
  const step = width / Math.max(1, labels.length);
  const barWidth = clampPixels((step * 0.8) / Math.max(1, bars.length), 1, 40);
  const names = series.map(({ name }) => name);
  const outlined = series.flatMap(({ name, ideal }) => (ideal ? [name] : []));
  const colors = series.map(one => (one.ideal ? inked : palette[bars.indexOf(one)]));
  const x = outcomeChannel(labels, { title: [bits, common], step, hidden: options.labels === "none" });
  const drawn = bars.map(({ name }) => name);
  const bySeries = { field: "series", type: "nominal" };
  const xOffset = { ...bySeries, sort: null, scale: { domain: drawn } };
  const color = {
    ...bySeries,
    scale: { domain: names, range: colors },
    legend: { ...legend, values: drawn },
  };
  const stroke = {
    ...{ field: "outline", type: "nominal" },
    scale: { domain: outlined, range: outlined.map(() => inked) },
    legend: { ...legend, symbolFillColor: "transparent", symbolStrokeWidth: 1.25 },
  };
  const ends = { y: { field: "to" }, y2: { datum: floor } };
  return {
    width,
    height: clampPixels(options.height ?? 240, 80),
    ...inline(rowsOf(comparison, floor)),
    encoding: {
      x: { ...x, scale: { ...x.scale, paddingInner: 0.12, paddingOuter: 0.06 } },
      y: {
        type: "quantitative",
        scale: floor > 0 ? { type: "log", domainMin: floor, nice: false } : { domainMin: 0 },
        axis: floor > 0 ? decadeAxis(floor, 1) : { ...percentAxis, tickCount: 5 },
      },
      tooltip: tips({
        [common === "" ? "outcome" : "whole"]: "outcome",
        ...{ series: "result", text: "probability", interval: intervalLabel },
      }),
    },
    layer: present([
      mark(
        "bar",
        { width: Math.max(1, barWidth - 1), cornerRadiusEnd: Math.min(2, barWidth / 6) },
        { ...ends, xOffset, color },
        only("!datum.ideal && datum.to > 0"),
      ),
      ...intervalMarks({ xOffset }),
      outlined.length > 0 &&
        mark(
          "bar",
          { filled: false, strokeWidth: 1.25, cornerRadiusEnd: 0, width: Math.max(4, step * 0.9) },
          { ...ends, stroke },
          only("datum.ideal && datum.to > 0", { calculate: "datum.series", as: "outline" }),
        ),
    ]),
  };
}
