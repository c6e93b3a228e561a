import { anyValue, checkOptions, stringValue, type UsageDay } from "../contract/index.ts";
import {
  dailyUsageTable,
  formatCount,
  formatNumber,
  type SimulatorDay,
  singleLine,
  usageMatrix,
  usageParts,
  usageSeriesTable,
} from "../display/index.ts";
import type { Chart } from "./chart.ts";
import { type BarOptions, barOptionChecks } from "./options.ts";
import { labeller } from "./outcome-label.ts";
import { series as colors, neutral } from "./roles.ts";
import { type BarSeries, isDay, maxDays, stackedChart } from "./stacked-bars.ts";

/** Options of the usage of a simulator. */
export interface UsageChartOptions extends BarOptions {
  /** Jobs a day that the quota allows: drawn as a line; null or missing: no limit. */
  quota?: number | null | undefined;
  /** Used resource, such as the simulator's QRN. */
  device?: string;
}

/** Draws how many jobs completed on each day, with the daily quota as a dashed line; `unread` records have no bar. */
export function usageChart(
  days: readonly UsageDay[],
  options: UsageChartOptions = {},
  unread = 0,
): Chart<UsageChartOptions> {
  checkOptions(options, { ...barOptionChecks, quota: anyValue, device: stringValue });
  const known = days.filter(isCounted);
  const drawn = known.slice(-maxDays);
  const { quota = null, device } = options;
  const bars = usageBars(
    drawn.map(({ date }) => date),
    [{ name: "jobs", color: colors[0], values: drawn.map(({ count }) => count) }],
    [
      quota !== null && `dashed: quota of ${formatNumber(quota)} a day`,
      known.length > maxDays && earlierDays,
    ],
    [...(device ? [singleLine(device, 100)] : []), ...unreadRemark(unread)],
  );
  const title = singleLine(options.title ?? "Completed jobs", 80);
  return stackedChart({ ...bars, title, quota }, options, {
    table: () => usageSeriesTable(drawn),
    rebuild: changed => usageChart(days, { ...options, ...changed }, unread),
  });
}

const maxName = 40;

/** Simulators with their own colour; all others are one part. */
const maxNamed = 4;

/** Draws how many jobs completed on each day, by the four most used simulators and all others. */
export function dailyUsageChart(
  rows: readonly SimulatorDay[],
  options: BarOptions = {},
  unread = 0,
): Chart<BarOptions> {
  checkOptions(options, barOptionChecks);
  const known = rows.filter(isCounted);
  const { dates, simulators } = usageMatrix(known);
  const from = Math.max(0, dates.length - maxDays);
  const label = labeller("raw", "other", maxName);
  const used = simulators.filter(({ total }) => total > 0);
  const series = usageParts({ dates, simulators: used }, maxNamed).map(({ name, counts, other }, index) => ({
    name: other ? name : label(name),
    color: other ? neutral : colors[index]!,
    values: counts.slice(from),
  }));
  const on = series.length === 1 ? `all on ${series[0]!.name}` : formatCount(simulators.length, "simulators");
  const bars = usageBars(dates.slice(from), series, [on, from > 0 && earlierDays], unreadRemark(unread));
  const title = singleLine(options.title ?? "Completed jobs by simulator", 80);
  return stackedChart({ ...bars, title }, options, {
    table: () => dailyUsageTable(known),
    rebuild: changed => dailyUsageChart(rows, { ...options, ...changed }, unread),
  });
}

const isCounted = ({ date, count }: { date: string; count: number }) =>
  isDay(date) && Number.isFinite(count) && count >= 0;

/** Returns bars of jobs a day, and says how many there were on which days. */
function usageBars(
  names: readonly string[],
  series: readonly BarSeries[],
  words: readonly (string | false)[],
  remarks: readonly string[],
) {
  const totals = names.map((_, day) => series.reduce((sum, { values }) => sum + values[day]!, 0));
  const total = totals.reduce((sum, count) => sum + count, 0);
  const summary = [
    `${formatCount(total, "jobs")} on ${formatCount(names.length, "days")}`,
    daysBetween(names[0], names.at(-1)),
    ...words,
  ];
  const subtitle = [summary.filter(Boolean).join(" · "), ...remarks];
  return { isDaily: true, unit: "jobs", names, series, texts: totals.map(formatNumber), subtitle };
}

export const earlierDays = "earlier days are not drawn";

const unreadRemark = (unread: number) =>
  unread > 0 ? [`${formatCount(unread, "records")} could not be read`] : [];

const daysBetween = (first: string | undefined, last: string | undefined) =>
  first === undefined ? "no days" : first === last ? first : `${first} to ${last}`;
