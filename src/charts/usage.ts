import type { UsageDay } from "../contract/account.ts";
import { anyValue, checkOptions, text } from "../contract/options.ts";
import { usageSeriesTable } from "../display/account.ts";
import { formatNumber } from "../display/format.ts";
import { blocks } from "../display/meter.ts";
import { neutral, series } from "../display/palette.ts";
import { clip, pad, plain } from "../display/text.ts";
import { Chart } from "./chart.ts";
import { type BarOptions, barOptionChecks, themed, type VegaLiteSpec, within } from "./theme.ts";

/** How the usage of a simulator is drawn. */
export interface UsageChartOptions extends BarOptions {
  /** Jobs a day that the quota allows: drawn as a line; null or missing: no limit. */
  quota?: number | null | undefined;
  /** What was used, such as the simulator's QRN. */
  device?: string;
}

/** Days that are drawn at most: the latest ones. */
const maxDays = 366;
const day = /^\d{4}-\d\d-\d\d$/;

interface Usage {
  days: UsageDay[];
  title: string;
  subtitle: string[];
  quota: number | null;
  options: UsageChartOptions;
}

/** Draws how many jobs completed on each day as bars, with the daily quota as a dashed line. */
export function usageChart(
  days: readonly UsageDay[],
  options: UsageChartOptions = {},
): Chart<UsageChartOptions> {
  checkOptions(options, { ...barOptionChecks, quota: anyValue, device: text });
  const usage = workOut(days, options);
  const description = `${usage.title}: one bar a day. ${usage.subtitle.join(". ")}`;
  return new Chart({
    title: usage.title,
    description,
    spec: usageSpec(usage, description),
    table: () => usageSeriesTable(usage.days),
    text: columns => usageText(usage, columns),
    again: changed => usageChart(days, { ...options, ...changed }),
  });
}

function workOut(given: readonly UsageDay[], options: UsageChartOptions): Usage {
  const known = given.filter(({ date, count }) => day.test(date) && Number.isFinite(count) && count >= 0);
  const days = known.slice(-maxDays);
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const quota = options.quota ?? null;
  const span = days.length > 0 ? `${days[0]!.date} to ${days.at(-1)!.date}` : "no days";
  const words = [
    `${formatNumber(total)} ${total === 1 ? "job" : "jobs"} on ${formatNumber(days.length)} days`,
    span,
    quota !== null && `dashed: quota of ${formatNumber(quota)} a day`,
    known.length > days.length && "earlier days are not drawn",
  ];
  return {
    days,
    title: plain(options.title ?? "Completed jobs", 80),
    subtitle: [words.filter(Boolean).join(" · "), ...(options.device ? [plain(options.device, 100)] : [])],
    quota,
    options,
  };
}

/** Days whose date stands below the axis: the first of each week or month when there are many. */
function written(days: readonly UsageDay[], room: number): string[] {
  const every = [1, 2, 7, 14, 28, 56].find(gap => (days.length / gap) * 44 <= room) ?? 91;
  return days.filter((_, index) => (days.length - 1 - index) % every === 0).map(({ date }) => date);
}

function usageSpec({ days, title, subtitle, quota, options }: Usage, description: string): VegaLiteSpec {
  const width = within(options.width ?? within(days.length * 16, 320, 640), 120, 2000);
  const bar = Math.max(0.8, Math.min(28, (width / Math.max(1, days.length)) * 0.72));
  const most = days.reduce((largest, { count }) => Math.max(largest, count), 1);
  const shownQuota = quota !== null && quota <= 4 * most;
  return themed({
    description,
    title: { text: title, subtitle },
    width,
    height: within(options.height ?? 160, 60, 1200),
    data: { values: days.map(({ date, count }) => ({ date, count })) },
    layer: [
      {
        mark: { type: "bar", width: bar, color: series[0], cornerRadiusEnd: Math.min(2, bar / 6) },
        encoding: {
          x: {
            field: "date",
            type: "ordinal",
            sort: null,
            scale: { domain: days.map(({ date }) => date), paddingInner: 0, paddingOuter: 0 },
            axis: {
              title: null,
              values: written(days, width),
              labelAngle: 0,
              labelExpr: "utcFormat(utcParse(datum.value, '%Y-%m-%d'), '%b %-d')",
            },
          },
          y: {
            field: "count",
            type: "quantitative",
            scale: { domain: [0, Math.max(most, shownQuota ? quota : 0) * 1.05], nice: false },
            axis: { title: "jobs", tickCount: 4, tickMinStep: 1, format: ",~r" },
          },
          tooltip: [
            { field: "date", type: "nominal", title: "day" },
            { field: "count", type: "quantitative", title: "jobs", format: "," },
          ],
        },
      },
      ...(shownQuota
        ? [
            {
              data: { values: [{ quota }] },
              mark: { type: "rule", color: neutral, strokeDash: [5, 4], strokeWidth: 1.5 },
              encoding: { y: { field: "quota", type: "quantitative" } },
            },
          ]
        : []),
    ],
  });
}

const shownLines = 31;

function usageText({ days, title, subtitle }: Usage, columns: number): string {
  const width = Math.max(30, Math.floor(columns));
  const latest = days.slice(-shownLines);
  const most = latest.reduce((largest, { count }) => Math.max(largest, count), 1);
  const numbers = Math.max(1, ...latest.map(({ count }) => formatNumber(count).length));
  const room = Math.min(40, width - numbers - 16);
  const lines = latest.map(
    ({ date, count }) =>
      `  ${date}  ${pad(blocks(count / most, room), room)}  ${pad(formatNumber(count), numbers, "right")}`,
  );
  const left = days.length - latest.length;
  return [title, ...subtitle, ...(left > 0 ? [`  ${formatNumber(left)} earlier days`] : []), ...lines]
    .map(line => clip(line, width))
    .join("\n");
}
