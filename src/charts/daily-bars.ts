import { formatCount } from "../display/format.ts";
import { describeTrend } from "./alt-text.ts";
import type { BarOptions } from "./bar-options.ts";
import { Chart } from "./chart.ts";
import type { ChartSource } from "./chart-source.ts";
import { neutral } from "./roles.ts";
import { longest, partChannel, type StackedBars, segmentsOf, stackedText, totalsOf } from "./stacked-bars.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec } from "./vega-lite.ts";

/** One bar a day; the names of the bars are `YYYY-MM-DD`. */
export interface DailyBars extends StackedBars {
  /** What a day is allowed: drawn as a dashed line, unless it is far above all bars. */
  quota?: number | null;
}

/** Days that are drawn at most: the latest ones. */
export const maxDays = 366;

const day = /^\d{4}-\d\d-\d\d$/;

/** Whether a string has the shape of a day. */
export const isDay = (text: string) => day.test(text);

/** Draws one bar a day over a time axis. */
export function dailyChart<Options extends BarOptions>(
  bars: DailyBars,
  options: Options,
  source: Pick<ChartSource<Options>, "table" | "rebuild">,
): Chart<Options> {
  const { title, subtitle } = bars;
  const description = `${title}: ${describeDays(bars)}. One bar a day (${subtitle.join(". ")})`;
  const spec = dailySpec(bars, options, description);
  return new Chart({
    title,
    description,
    spec,
    text: columns => dailyText(bars, columns),
    options,
    ...source,
  });
}

/** Days whose date stands below the axis: the first of each week or month when there are many. */
function labelledDays(days: readonly string[], room: number): string[] {
  const every = [1, 2, 7, 14, 28, 56].find(gap => (days.length / gap) * 44 <= room) ?? 91;
  return days.filter((_, index) => (days.length - 1 - index) % every === 0);
}

/** Days that are more than this many on an axis say their year. */
const manyDays = 180;

/** Returns the days of the most and the least, in words. */
function describeDays(bars: DailyBars): string {
  const days = totalsOf(bars).map((total, index) => ({ x: bars.names[index]!, y: total }));
  return describeTrend(days);
}

/** Returns how a day is written below the axis: with its year below where that is new, if the axis is of more than one or of many days. */
function dayExpression(days: readonly string[], shown: readonly string[]): string {
  const text = "utcFormat(utcParse(datum.value, '%Y-%m-%d'), '%b %-d')";
  const isLong = days.length > manyDays || days[0]?.slice(0, 4) !== days.at(-1)?.slice(0, 4);
  if (!isLong) return text;
  const isNew = (day: string, index: number) => day.slice(0, 4) !== shown[index - 1]?.slice(0, 4);
  return `indexof(${JSON.stringify(shown.filter(isNew))}, datum.value) < 0 ? ${text} : [${text}, slice(datum.value, 0, 4)]`;
}

function dailySpec(bars: DailyBars, options: BarOptions, description: string): VegaLiteSpec {
  const { title, subtitle, names, series, unit, quota = null } = bars;
  const width = clampPixels(options.width ?? clampPixels(names.length * 16, 320, 640), 120, 2000);
  const bar = Math.max(0.8, Math.min(28, (width / Math.max(1, names.length)) * 0.72));
  const end = longest(bars);
  const days = labelledDays(names, width);
  const isQuotaDrawn = quota !== null && quota <= 4 * end;
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle },
    width,
    height: clampPixels(options.height ?? 160, 60, 1200),
    data: { values: segmentsOf(bars, end) },
    layer: [
      {
        mark: {
          type: "bar",
          width: bar,
          ...(series.length === 1 && { cornerRadiusEnd: Math.min(2, bar / 6) }),
        },
        encoding: {
          x: {
            field: "name",
            type: "ordinal",
            sort: null,
            scale: { domain: names, paddingInner: 0, paddingOuter: 0 },
            axis: {
              title: null,
              values: days,
              labelAngle: 0,
              labelExpr: dayExpression(names, days),
            },
          },
          y: {
            field: "to",
            type: "quantitative",
            scale: { domain: [0, Math.max(end, isQuotaDrawn ? quota : 0) * 1.05], nice: false },
            axis: { title: unit, tickCount: 4, format: ",~r", ...(unit === "jobs" && { tickMinStep: 1 }) },
          },
          ...(series.length > 1 && { y2: { field: "from" } }),
          color: partChannel(bars),
          tooltip: [
            { field: "name", type: "nominal", title: "day" },
            ...(series.length > 1 ? [{ field: "part", type: "nominal", title: "of" }] : []),
            { field: "text", type: "nominal", title: unit },
          ],
        },
      },
      ...(isQuotaDrawn
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

const maxTextLines = 31;

function dailyText(bars: DailyBars, columns: number): string {
  const left = Math.max(0, bars.names.length - maxTextLines);
  const earlier = left > 0 ? [`  ${formatCount(left, "earlier days")}`] : [];
  return stackedText(
    {
      ...bars,
      subtitle: [...bars.subtitle, ...earlier],
      names: bars.names.slice(left),
      series: bars.series.map(part => ({ ...part, values: part.values.slice(left) })),
      texts: bars.texts.slice(left),
    },
    columns,
  );
}
