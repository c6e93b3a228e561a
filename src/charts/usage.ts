import { anyValue, stringValue, type UsageDay, wholeNumber } from "../contract/index.ts";
import {
  dailyUsageTable,
  dotted,
  formatCount,
  formatCredits,
  formatNumber,
  overlap,
  present,
  type SimulatorDay,
  type Spending,
  singleLine,
  spendingTable,
  spendingText,
  usageMatrix,
  usageParts,
  usageSeriesTable,
} from "../display/index.ts";
import { type Chart, drawChart } from "./chart.ts";
import { type SizedOptions, sizedChecks } from "./options.ts";
import { labeller } from "./outcome-label.ts";
import { series as colors, neutral } from "./roles.ts";
import { type BarSeries, isDay, maxDays, type StackedBars, stackedFigure } from "./stacked-bars.ts";

/** Options of the usage of a simulator. */
export interface UsageChartOptions extends SizedOptions {
  /** Jobs a day that the quota allows: drawn as a line; null or missing: no limit. */
  quota?: number | null | undefined;
  /** Used resource, such as the simulator's QRN. */
  device?: string;
}

/** Draws how many jobs completed on each day, with the daily quota as a dashed line; `unread` records have no bar. */
export const usageChart = (
  days: readonly UsageDay[],
  options: UsageChartOptions = {},
  unread = 0,
): Chart<UsageChartOptions> =>
  drawChart({ ...sizedChecks, quota: anyValue, device: stringValue }, options, chosen => {
    const { quota = null, device, title = "Completed jobs" } = chosen;
    const known = days.filter(isCounted);
    const drawn = known.slice(-maxDays);
    const dates = known.map(({ date }) => date);
    const series = [{ name: "jobs", color: colors[0], values: drawn.map(({ count }) => count) }];
    const dashed = quota !== null && `dashed: quota of ${formatNumber(quota)} a day`;
    const remarks = [device && singleLine(device, 100), unreadRemark(unread)];
    const bars = usageBars(title, dates, series, dashed, remarks);
    return stackedFigure({ ...bars, quota, table: () => usageSeriesTable(drawn) }, chosen);
  });

const maxName = 40;

/** Simulators with their own colour; all others are one part. */
const maxNamed = 4;

/** Draws how many jobs completed on each day, by the four most used simulators and all others. */
export const dailyUsageChart = (
  rows: readonly SimulatorDay[],
  options: SizedOptions = {},
  unread = 0,
): Chart<SizedOptions> =>
  drawChart(sizedChecks, options, chosen => {
    const known = rows.filter(isCounted);
    const { dates, simulators } = usageMatrix(known);
    const label = labeller("raw", "other", maxName);
    const used = simulators.filter(({ total }) => total > 0);
    const series = usageParts({ dates, simulators: used }, maxNamed).map(
      ({ name, counts, other }, index) => ({
        name: other ? name : label(name),
        color: other ? neutral : colors[index]!,
        values: counts.slice(-maxDays),
      }),
    );
    const on =
      series.length === 1 ? `all on ${series[0]!.name}` : formatCount(simulators.length, "simulators");
    const { title = "Completed jobs by simulator" } = chosen;
    const bars = usageBars(title, dates, series, on, [unreadRemark(unread)]);
    return stackedFigure({ ...bars, table: () => dailyUsageTable(known) }, chosen);
  });

const isCounted = ({ date, count }: { date: string; count: number }) =>
  isDay(date) && Number.isFinite(count) && count >= 0;

/** Returns bars of jobs on the last of some days, and says how many there were on which days. */
function usageBars(
  title: string,
  days: readonly string[],
  series: readonly BarSeries[],
  words: string | false,
  remarks: readonly (string | undefined)[],
) {
  const names = days.slice(-maxDays);
  const totals = names.map((_, day) => series.reduce((sum, { values }) => sum + values[day]!, 0));
  const total = totals.reduce((sum, count) => sum + count, 0);
  const summary = dotted(
    `${formatCount(total, "jobs")} on ${formatCount(names.length, "days")}`,
    daysBetween(names[0], names.at(-1)),
    words,
    days.length > maxDays && earlierDays,
  );
  return {
    title: singleLine(title, 80),
    subtitle: present([summary, ...remarks]),
    ...{ isDaily: true, unit: "jobs", names, series, texts: totals.map(formatNumber) },
  };
}

const earlierDays = "earlier days are not drawn";

const unreadRemark = (unread: number) =>
  unread > 0 ? `${formatCount(unread, "records")} could not be read` : "";

const daysBetween = (first: string | undefined, last: string | undefined) =>
  first === undefined ? "no days" : first === last ? first : `${first} to ${last}`;

/** Options of a chart of spending. */
export interface SpendingChartOptions extends SizedOptions {
  /**
   * Devices or tags that get their own bar, the most expensive first, at most 64; a line sums up all others.
   * Default: 12. Days have no `top`.
   */
  top?: number;
}

const defaultTop = 12;
const maxTop = 64;

/** Draws what jobs cost: bars over time where the rows are days, otherwise bars below each other, the most expensive first. */
export const spendingChart = (
  spending: Spending,
  options: SpendingChartOptions = {},
): Chart<SpendingChartOptions> =>
  drawChart<SpendingChartOptions>(
    { ...sizedChecks, ...(spending.by !== "day" && { top: wholeNumber(1) }) } as never,
    options,
    chosen => stackedFigure(spendingBars(spending, chosen), chosen),
  );

function spendingBars(spending: Spending, options: SpendingChartOptions): StackedBars {
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
    series: present<BarSeries>([
      { name: "cost", color: colors[0], values: shown.map(({ cost }) => cost) },
      open && { name: "estimate", color: colors[1], values: shown.map(({ estimated }) => estimated) },
    ]),
    texts: shown.map(({ cost, estimated }) =>
      estimated > 0 ? `${shortAmount(cost)} + ${shortAmount(estimated)}` : shortAmount(cost),
    ),
    table: () => spendingTable(spending),
  };
}

/** Returns an amount beside a bar: to the hundredth when it is 1 or more. The table has the rest. */
const shortAmount = (credits: number) =>
  formatNumber(credits < 1 ? credits : Math.round(credits * 100) / 100);
