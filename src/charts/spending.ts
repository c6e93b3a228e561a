import { checkOptions, wholeNumber } from "../contract/index.ts";
import {
  formatCount,
  formatCredits,
  formatNumber,
  overlap,
  type Spending,
  type SpendingRow,
  singleLine,
  spendingTable,
  spendingText,
} from "../display/index.ts";
import type { Chart } from "./chart.ts";
import { type BarOptions, barOptionChecks } from "./options.ts";
import { labeller } from "./outcome-label.ts";
import { series as colors } from "./roles.ts";
import { maxDays, type StackedBars, stackedChart } from "./stacked-bars.ts";
import { earlierDays } from "./usage.ts";

/** Options of a chart of spending. */
export interface SpendingChartOptions extends BarOptions {
  /**
   * Devices or tags that get their own bar, the most expensive first, at most 64; a line sums up all others.
   * Default: 12. Days have no `top`.
   */
  top?: number;
}

const defaultTop = 12;
const maxTop = 64;
const maxName = 40;

/** Draws what jobs cost: bars over time where the rows are days, otherwise bars below each other, the most expensive first. */
export function spendingChart(
  spending: Spending,
  options: SpendingChartOptions = {},
): Chart<SpendingChartOptions> {
  const source = {
    table: () => spendingTable(spending),
    rebuild: (changed: SpendingChartOptions) => spendingChart(spending, { ...options, ...changed }),
  };
  const { by, rows } = spending;
  if (by === "day") {
    checkOptions<BarOptions>(options, barOptionChecks);
    const days = rows.slice(-maxDays);
    const names = days.map(({ key }) => key);
    const remarks = days.length < rows.length ? [earlierDays] : [];
    return stackedChart(
      { ...barsOf(spending, days, options, remarks), names, isDaily: true },
      options,
      source,
    );
  }
  checkOptions(options, { ...barOptionChecks, top: wholeNumber(1) });
  const shown = rows.slice(0, Math.min(maxTop, options.top ?? defaultTop));
  const others = rows.slice(shown.length);
  const nameOf = labeller("raw", "", maxName);
  const names = shown.map(({ key }) => nameOf(key));
  const remarks =
    others.length > 0
      ? [
          `+${formatNumber(others.length)} more: ${formatCredits(sumOf(others, "cost") + sumOf(others, "estimated"))}`,
        ]
      : [];
  return stackedChart({ ...barsOf(spending, shown, options, remarks), names }, options, source);
}

type Amounts = Pick<SpendingRow, "cost" | "estimated">;

const sumOf = (rows: readonly Amounts[], amount: keyof Amounts) =>
  rows.reduce((sum, row) => sum + row[amount], 0);

/** Returns the common part of bars of rows, horizontal or vertical. */
function barsOf(
  spending: Spending,
  rows: readonly Amounts[],
  options: SpendingChartOptions,
  remarks: readonly string[] = [],
): Omit<StackedBars, "names"> {
  const { by, total, about, overlapping, unread } = spending;
  const open = total.estimated > 0;
  const lines = [
    [spendingText(spending), ...remarks],
    open ? [`${formatCredits(total.estimated)} more are estimated for jobs that have no cost yet`] : [],
    [...about.map(text => singleLine(text, 100)), ...(overlapping ? [overlap] : [])],
    unread.length > 0 ? [`not counted: ${formatCount(unread.length, "jobs")} that could not be read`] : [],
  ];
  return {
    title: singleLine(options.title ?? `Cost by ${by}`, 80),
    subtitle: lines.filter(words => words.length > 0).map(words => words.join(" · ")),
    unit: "credits",
    series: [
      { name: "cost", color: colors[0], values: rows.map(({ cost }) => cost) },
      ...(open
        ? [{ name: "estimate", color: colors[1], values: rows.map(({ estimated }) => estimated) }]
        : []),
    ],
    texts: rows.map(({ cost, estimated }) =>
      estimated > 0 ? `${shortAmount(cost)} + ${shortAmount(estimated)}` : shortAmount(cost),
    ),
  };
}

/** Returns an amount beside a bar: to the hundredth when it is 1 or more. The table has the rest. */
const shortAmount = (credits: number) =>
  formatNumber(credits < 1 ? credits : Math.round(credits * 100) / 100);
