import type { UsageDay } from "../contract/account.ts";
import { anyValue, checkOptions, stringValue } from "../contract/options.ts";
import { usageSeriesTable } from "../display/account.ts";
import { formatCount, formatNumber } from "../display/format.ts";
import { singleLine } from "../display/text.ts";
import { type BarOptions, barOptionChecks } from "./bar-options.ts";
import type { Chart } from "./chart.ts";
import { type DailyBars, dailyChart, isDay, maxDays } from "./daily-bars.ts";
import { series } from "./roles.ts";

/** How the usage of a simulator is drawn. */
export interface UsageChartOptions extends BarOptions {
  /** Jobs a day that the quota allows: drawn as a line; null or missing: no limit. */
  quota?: number | null | undefined;
  /** What was used, such as the simulator's QRN. */
  device?: string;
}

/**
 * Draws how many jobs completed on each day as bars, with the daily quota as a dashed line.
 *
 * @param unread - Records that could not be read, and so have no bar.
 */
export function usageChart(
  days: readonly UsageDay[],
  options: UsageChartOptions = {},
  unread = 0,
): Chart<UsageChartOptions> {
  checkOptions(options, { ...barOptionChecks, quota: anyValue, device: stringValue });
  const known = days.filter(({ date, count }) => isDay(date) && Number.isFinite(count) && count >= 0);
  const drawn = known.slice(-maxDays);
  return dailyChart(usageBars(drawn, { options, cut: known.length > drawn.length, unread }), options, {
    table: () => usageSeriesTable(drawn),
    rebuild: changed => usageChart(days, { ...options, ...changed }, unread),
  });
}

function usageBars(
  days: readonly UsageDay[],
  { options, cut, unread }: { options: UsageChartOptions; cut: boolean; unread: number },
): DailyBars {
  const quota = options.quota ?? null;
  const names = days.map(({ date }) => date);
  const counts = days.map(({ count }) => count);
  const words = [
    ...usageSummary(names, counts),
    quota !== null && `dashed: quota of ${formatNumber(quota)} a day`,
    cut && earlierDays,
  ];
  return {
    title: singleLine(options.title ?? "Completed jobs", 80),
    subtitle: [
      words.filter(Boolean).join(" · "),
      ...(options.device ? [singleLine(options.device, 100)] : []),
      ...unreadRemark(unread),
    ],
    unit: "jobs",
    names,
    series: [{ name: "jobs", color: series[0], values: counts }],
    texts: counts.map(formatNumber),
    quota,
  };
}

/** Said below the title when there are more days than are drawn. */
export const earlierDays = "earlier days are not drawn";

/** Said below the title when there are records that could not be read. */
export const unreadRemark = (unread: number) =>
  unread > 0 ? [`${formatCount(unread, "records")} could not be read`] : [];

/** Returns the first and the last day of a chart in words. */
const daysBetween = (first: string | undefined, last: string | undefined) =>
  first === undefined ? "no days" : first === last ? first : `${first} to ${last}`;

/** Returns how many jobs there were, and on which days. */
export function usageSummary(dates: readonly string[], counts: readonly number[]): string[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return [
    `${formatCount(total, "jobs")} on ${formatCount(dates.length, "days")}`,
    daysBetween(dates[0], dates.at(-1)),
  ];
}
