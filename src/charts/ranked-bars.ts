import type { BarOptions } from "./bar-options.ts";
import { Chart } from "./chart.ts";
import type { ChartSource } from "./chart-source.ts";
import { neutral } from "./roles.ts";
import {
  describeBars,
  longest,
  partChannel,
  type StackedBars,
  segmentsOf,
  stackedText,
  totalsOf,
} from "./stacked-bars.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec } from "./vega-lite.ts";

const step = 24;

/** Draws bars that lie below each other, their values after them. */
export function rankedChart<Options extends BarOptions>(
  bars: StackedBars,
  options: Options,
  source: Pick<ChartSource<Options>, "table" | "rebuild">,
): Chart<Options> {
  const { title, subtitle } = bars;
  const description = `${title}: ${describeBars(bars)}. Bars below each other (${subtitle.join(". ")})`;
  const spec = rankedSpec(bars, options, description);
  return new Chart({
    title,
    description,
    spec,
    text: columns => stackedText(bars, columns),
    options,
    ...source,
  });
}

function rankedSpec(bars: StackedBars, options: BarOptions, description: string): VegaLiteSpec {
  const { title, subtitle, names, series, texts, unit } = bars;
  const end = longest(bars);
  const height = clampPixels(options.height ?? names.length * step, step, 2400);
  const totals = totalsOf(bars);
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle },
    width: clampPixels(options.width ?? 400, 120, 2000),
    height,
    encoding: {
      y: {
        field: "name",
        type: "nominal",
        sort: null,
        scale: { domain: names, paddingInner: 0, paddingOuter: 0 },
        axis: { title: null, domain: false, labelLimit: 320 },
      },
      x: {
        type: "quantitative",
        scale: { domain: [0, end * 1.02], nice: false },
        axis: { title: unit, tickCount: 4, format: ",~r", domain: false, grid: false },
      },
    },
    layer: [
      {
        data: { values: segmentsOf(bars, end) },
        mark: { type: "bar", height: clampPixels((height / Math.max(1, names.length)) * 0.66, 1, 40) },
        encoding: {
          x: { field: "to" },
          x2: { field: "from" },
          color: partChannel(bars),
          tooltip: [
            { field: "name", type: "nominal", title: "of" },
            ...(series.length > 1 ? [{ field: "part", type: "nominal", title: "what" }] : []),
            { field: "text", type: "nominal", title: unit },
          ],
        },
      },
      {
        data: {
          values: names.map((name, index) => ({
            name,
            to: Math.min(end, totals[index]!),
            text: texts[index],
          })),
        },
        mark: { type: "text", align: "left", dx: 5, color: neutral, fontSize: 11 },
        encoding: { x: { field: "to" }, text: { field: "text", type: "nominal" } },
      },
    ],
  });
}
