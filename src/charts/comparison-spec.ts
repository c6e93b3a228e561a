import { formatPercent } from "../display/format.ts";
import { intervalLabel } from "../results/index.ts";
import {
  decadeAxis,
  intervalMarks,
  labelWidth,
  legend,
  outcomeChannel,
  percentAxis,
  probabilityText,
  round,
  shortBar,
} from "./channels.ts";
import type { Comparison } from "./comparison.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec } from "./vega-lite.ts";

/** Returns where bars begin: below the smallest value of all on a logarithmic axis, which has no 0. */
function floorOf({ series, options }: Comparison): number {
  if (!options.logarithmic) return 0;
  const values = series.flatMap(({ values }) => values.map(({ value }) => value)).filter(value => value > 0);
  return round(Math.min(1, ...values) / 2);
}

function rowsOf({ outcomes, labels, common, series, options }: Comparison, floor: number) {
  const tallest = Math.max(
    0,
    ...series.flatMap(({ values }) => values.map(({ value, high }) => high ?? value)),
  );
  return series.flatMap(({ name, ideal, values }) =>
    values.map(({ value, low, high }, index) => ({
      outcome: labels[index],
      ...(common !== "" && { whole: outcomes[index] }),
      series: name,
      ideal,
      to: round(value),
      text: probabilityText(value, floor),
      ...(low !== undefined &&
        high !== undefined && { interval: `${formatPercent(low)} to ${formatPercent(high)}` }),
      ...(low !== undefined &&
        (options.logarithmic ? low > floor : value > tallest * shortBar) && { low: round(low) }),
      ...(high !== undefined && (value > 0 || !options.logarithmic) && { high: round(high) }),
    })),
  );
}

/** Draws a comparison as a Vega-Lite specification. */
export function comparisonSpec(comparison: Comparison, description: string): VegaLiteSpec {
  const { labels, series, title, subtitle, bits, common, options } = comparison;
  const bars = series.filter(({ ideal }) => !ideal);
  const floor = floorOf(comparison);
  const label = labelWidth(labels);
  const group = Math.max(bars.length * 14 + 10, label <= 72 ? label : 0);
  const width = clampPixels(options.width ?? clampPixels(labels.length * group, 360, 720), 120, 2000);
  const step = width / Math.max(1, labels.length);
  const barWidth = clampPixels((step * 0.8) / Math.max(1, bars.length), 1, 40);
  const names = series.map(({ name }) => name);
  const x = outcomeChannel(labels, { title: [bits, common], step, hidden: options.labels === "none" });
  const xOffset = {
    field: "series",
    type: "nominal",
    sort: null,
    scale: { domain: bars.map(({ name }) => name) },
  };
  const color = {
    field: "series",
    type: "nominal",
    scale: { domain: names, range: series.map(series => series.color) },
    legend,
  };
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle },
    width,
    height: clampPixels(options.height ?? 240, 80, 1200),
    data: { values: rowsOf(comparison, floor) },
    encoding: {
      x: { ...x, scale: { ...x.scale, paddingInner: 0.12, paddingOuter: 0.06 } },
      y: {
        type: "quantitative",
        scale: floor > 0 ? { type: "log", domainMin: floor, nice: false } : { domainMin: 0 },
        axis: floor > 0 ? decadeAxis(floor, 1) : { ...percentAxis, tickCount: 5 },
      },
      tooltip: [
        { field: common === "" ? "outcome" : "whole", type: "nominal", title: "outcome" },
        { field: "series", type: "nominal", title: "result" },
        { field: "text", type: "nominal", title: "probability" },
        { field: "interval", type: "nominal", title: intervalLabel },
      ],
    },
    layer: [
      {
        transform: [{ filter: "!datum.ideal && datum.to > 0" }],
        mark: { type: "bar", width: Math.max(1, barWidth - 1), cornerRadiusEnd: Math.min(2, barWidth / 6) },
        encoding: { xOffset, y: { field: "to" }, y2: { datum: floor }, color },
      },
      ...intervalMarks(barWidth, { xOffset }),
      {
        transform: [{ filter: "datum.ideal && datum.to > 0" }],
        mark: {
          type: "tick",
          orient: "horizontal",
          opacity: 1,
          thickness: 3,
          size: Math.max(4, step * 0.86),
        },
        encoding: { y: { field: "to" }, color },
      },
    ],
  });
}
