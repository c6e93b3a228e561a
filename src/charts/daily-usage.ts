import { checkOptions } from "../contract/options.ts";
import { dailyUsageTable, type SimulatorDay, usageMatrix, usageParts } from "../display/daily-usage.ts";
import { formatCount, formatNumber } from "../display/format.ts";
import { singleLine } from "../display/text.ts";
import { type BarOptions, barOptionChecks } from "./bar-options.ts";
import type { Chart } from "./chart.ts";
import { dailyChart, isDay, maxDays } from "./daily-bars.ts";
import { labeller } from "./outcome-label.ts";
import { series as colors, neutral } from "./roles.ts";
import { earlierDays, unreadRemark, usageSummary } from "./usage.ts";

const maxName = 40;

/** Simulators with a colour of their own; all others are one part. */
const maxNamed = 4;

/**
 * Draws how many jobs completed on each day as bars whose parts are the four most used simulators and all others.
 *
 * @param unread - Records that could not be read, and so are in no bar.
 */
export function dailyUsageChart(
  rows: readonly SimulatorDay[],
  options: BarOptions = {},
  unread = 0,
): Chart<BarOptions> {
  checkOptions(options, barOptionChecks);
  const known = rows.filter(({ date, count }) => isDay(date) && Number.isFinite(count) && count >= 0);
  const { dates, simulators } = usageMatrix(known);
  const from = Math.max(0, dates.length - maxDays);
  const names = dates.slice(from);
  const label = labeller("raw", "other", maxName);
  const series = usageParts({ dates, simulators: simulators.filter(({ total }) => total > 0) }, maxNamed).map(
    ({ name, counts, other }, index) => ({
      name: other ? name : label(name),
      color: other ? neutral : colors[index]!,
      values: counts.slice(from),
    }),
  );
  const totals = names.map((_, day) => series.reduce((sum, { values }) => sum + values[day]!, 0));
  const words = [
    ...usageSummary(names, totals),
    series.length === 1 ? `all on ${series[0]!.name}` : formatCount(simulators.length, "simulators"),
    from > 0 && earlierDays,
  ];
  const bars = {
    title: singleLine(options.title ?? "Completed jobs by simulator", 80),
    subtitle: [words.filter(Boolean).join(" · "), ...unreadRemark(unread)],
    unit: "jobs",
    names,
    series,
    texts: totals.map(formatNumber),
  };
  return dailyChart(bars, options, {
    table: () => dailyUsageTable(known),
    rebuild: changed => dailyUsageChart(rows, { ...options, ...changed }, unread),
  });
}
