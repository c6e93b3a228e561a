import { wholeNumber } from "../contract/index.ts";
import {
  dotted,
  formatCount,
  formatCredits,
  formatNumber,
  overlap,
  type Spending,
  singleLine,
  spendingTable,
  spendingText,
} from "../display/index.ts";
import type { BarOptions } from "./options.ts";
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
export const spendingChart = (spending: Spending, options: SpendingChartOptions = {}) =>
  stackedChart(
    chosen => barsOf(spending, chosen),
    options,
    (spending.by === "day" ? {} : { top: wholeNumber(1) }) as { top: ReturnType<typeof wholeNumber> },
  );

function barsOf(spending: Spending, options: SpendingChartOptions): Omit<StackedBars, "options"> {
  const { by, rows, total, about, overlapping, unread } = spending;
  const isDaily = by === "day";
  const shown = isDaily ? rows.slice(-maxDays) : rows.slice(0, Math.min(maxTop, options.top ?? defaultTop));
  const left = rows.length - shown.length;
  const others = rows.slice(shown.length).reduce((sum, { cost, estimated }) => sum + cost + estimated, 0);
  const nameOf = isDaily ? (day: string) => day : labeller("raw", "", maxName);
  const open = total.estimated > 0;
  const lines = [
    [
      spendingText(spending),
      left > 0 && (isDaily ? earlierDays : `+${formatNumber(left)} more: ${formatCredits(others)}`),
    ],
    [open && `${formatCredits(total.estimated)} more are estimated for jobs that have no cost yet`],
    [...about.map(text => singleLine(text, 100)), overlapping && overlap],
    [unread.length > 0 && `not counted: ${formatCount(unread.length, "jobs")} that could not be read`],
  ];
  return {
    title: singleLine(options.title ?? `Cost by ${by}`, 80),
    subtitle: lines.map(words => dotted(...words)).filter(Boolean),
    ...{ unit: "credits", isDaily, names: shown.map(({ key }) => nameOf(key)) },
    series: [
      { name: "cost", color: colors[0], values: shown.map(({ cost }) => cost) },
      ...(open
        ? [{ name: "estimate", color: colors[1], values: shown.map(({ estimated }) => estimated) }]
        : []),
    ],
    texts: shown.map(({ cost, estimated }) =>
      estimated > 0 ? `${shortAmount(cost)} + ${shortAmount(estimated)}` : shortAmount(cost),
    ),
    table: () => spendingTable(spending),
  };
}

/** Returns an amount beside a bar: to the hundredth when it is 1 or more. The table has the rest. */
const shortAmount = (credits: number) =>
  formatNumber(credits < 1 ? credits : Math.round(credits * 100) / 100);
