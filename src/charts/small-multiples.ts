import { wholeNumber } from "../contract/options.ts";
import { code } from "../display/cell.ts";
import { approximation, formatNumber, formatPercent } from "../display/format.ts";
import { type Column, table } from "../display/table.ts";
import { clip, pad, singleLine } from "../display/text.ts";
import {
  type Accuracy,
  compareOutcomes,
  type Distribution,
  intervalLabel,
  intervalWords,
  isExactly,
  likeliestOutcomes,
  outcomesOf,
  shareOf,
  topOutcomes,
  widthOf,
} from "../results/index.ts";
import { describeShares } from "./alt-text.ts";
import { type BarOptions, barOptionChecks } from "./bar-options.ts";
import type { Chart } from "./chart.ts";
import { drawChart } from "./draw-chart.ts";
import { labeller } from "./outcome-label.ts";
import { smallMultiplesSpec } from "./small-multiples-spec.ts";

/** One of the results that are drawn beside each other. */
export interface NamedDistribution extends Accuracy {
  name: string;
  /** Counts, or exact probabilities. */
  values: Distribution;
}

/** How the histograms of a batch are drawn; the width and height are those of one of them. */
export interface SmallMultiplesOptions extends BarOptions {
  /** Outcomes of each histogram: the likeliest of all results together. Default: 8, at most 32. */
  top?: number;
  /** Remarks below the title. */
  subtitle?: readonly string[];
}

/** A bar: a share of 1, with the ends of its interval. */
export interface PanelBar {
  panel: string;
  outcome: string;
  to: number;
  low: number;
  high: number;
}

/** Histograms prepared, before they are drawn in one way or another. */
export interface SmallMultiples {
  panels: { name: string; words: string }[];
  bars: PanelBar[];
  outcomes: string[];
  /** Whether all panels have the same outcomes along their axes. */
  isShared: boolean;
  exact: boolean;
  title: string;
  subtitle: string[];
  options: SmallMultiplesOptions;
}

const maxPanels = 12;
const defaultTop = 8;
const maxTop = 32;

const checks = {
  ...barOptionChecks,
  top: wholeNumber(1),
  subtitle: (value: unknown) => (Array.isArray(value) ? undefined : "a list of strings"),
};

/**
 * Draws the histograms of the first twelve results beside each other: probabilities on one scale, the same outcomes in
 * the same places where they have the same bits.
 */
export function smallMultiples(
  results: readonly NamedDistribution[],
  options: SmallMultiplesOptions = {},
): Chart<SmallMultiplesOptions> {
  return drawChart(
    {
      checks,
      prepare: chosen => prepare(results, chosen),
      ...{ describe, spec: smallMultiplesSpec, table: barTable, text: panelsText },
    },
    options,
  );
}

function describe({ title, panels }: SmallMultiples): string {
  const words = panels.map(({ name, words }) => `${name}: ${words}`);
  return clip(`${title}: ${words.join("; ")}. Histograms side by side.`, 1000);
}

function prepare(results: readonly NamedDistribution[], options: SmallMultiplesOptions): SmallMultiples {
  const top = Math.min(maxTop, options.top ?? defaultTop);
  const shown = results.slice(0, maxPanels);
  const widths = new Set(shown.flatMap(({ values }) => outcomesOf(values).slice(0, 1).map(widthOf)));
  const isShared = widths.size < 2;
  const common = likeliestOutcomes(
    shown.map(({ values }) => values),
    top,
  ).sort(compareOutcomes);
  const label = labeller("raw", "");
  const labels = new Map<string, string>();
  const labelOf = (outcome: string) => {
    const known = labels.get(outcome) ?? label(outcome);
    labels.set(outcome, known);
    return known;
  };
  const distinct = labeller("raw", "", 40);
  const panels = shown.map(({ name, values }) => {
    const found = topOutcomes(values, maxTop);
    const shares = found.top.map(({ outcome, value }) => ({
      label: labelOf(outcome),
      share: value / (found.total || 1),
    }));
    return { name: distinct(name), words: describeShares(shares, found.outcomes) };
  });
  const bars = shown.flatMap(({ values, ...accuracy }, index) => {
    const chosen = top / Math.max(top, outcomesOf(values).length);
    const own = isShared
      ? common
      : topOutcomes(values, top)
          .top.map(({ outcome }) => outcome)
          .sort(compareOutcomes);
    return own.map((outcome): PanelBar => {
      const { probability, low, high } = shareOf(values, outcome, { ...accuracy, chosen });
      return { panel: panels[index]!.name, outcome: labelOf(outcome), to: probability, low, high };
    });
  });
  const left = results.length - shown.length;
  const exact = shown.every(isExactly);
  return {
    panels,
    bars,
    outcomes: isShared ? common.map(labelOf) : [],
    isShared,
    exact,
    title: singleLine(options.title ?? "Measurement outcomes", 80),
    subtitle: [
      ...(options.subtitle ?? []),
      [
        left > 0 ? `the first ${shown.length} are drawn` : "",
        exact ? "exact" : intervalWords,
        approximation(...shown.map(({ fidelity }) => fidelity)),
      ]
        .filter(Boolean)
        .join(" · "),
    ].map(words => singleLine(words, 120)),
    options,
  };
}

function barTable({ bars, title, exact }: SmallMultiples) {
  const interval: Column<PanelBar> = {
    label: intervalLabel,
    align: "right",
    value: bar => `${formatPercent(bar.low)} to ${formatPercent(bar.high)}`,
  };
  return table<PanelBar>({
    caption: title,
    rows: bars,
    limit: maxPanels * maxTop,
    noun: "outcomes",
    columns: [
      { label: "Result", value: bar => bar.panel },
      { label: "Outcome", value: bar => code(bar.outcome) },
      { label: "Probability", align: "right", value: bar => formatPercent(bar.to) },
      ...(exact ? [] : [interval]),
    ],
  });
}

function panelsText({ panels, title, subtitle }: SmallMultiples, columns: number): string {
  const width = Math.max(30, Math.floor(columns));
  const names = Math.min(24, Math.max(0, ...panels.map(({ name }) => name.length)));
  const lines = panels.map(({ name, words }) => `  ${pad(clip(name, names), names)}  ${words}`);
  return [title, ...subtitle, ...lines].map(line => clip(line, width)).join("\n");
}

/** Returns the number of a program as the name of its panel. */
export const programName = (index: number) => `Program ${formatNumber(index)}`;
