import { formatNumber, formatPercent } from "../display/format.ts";
import { intervalLabel } from "../results/index.ts";
import {
  decadeAxis,
  decades,
  emptyDrawing,
  intervalMarks,
  labelWidth,
  outcomeChannel,
  percentAxis,
  probabilityText,
  round,
  shortBar,
} from "./channels.ts";
import type { Bar, Histogram } from "./histogram.ts";
import { intervalText } from "./histogram-text.ts";
import { neutral, series } from "./roles.ts";
import { textWidth } from "./vega/metrics.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec, wholeSteps } from "./vega-lite.ts";

const labelledBars = 16;

/** A row of the chart's data, with its labels. */
interface Row {
  outcome: string;
  whole?: string;
  from: number;
  to: number;
  text: string;
  /** The share and its interval, which the tooltip says besides. */
  share?: string;
  interval?: string;
  low?: number;
  high?: number;
}

/** Returns where the axis begins: below 0 where there are negative quasi-probabilities. */
const axisBottom = (bars: readonly Bar[]): number => Math.min(0, ...bars.map(bar => bar.value));

/** Returns the end of the axis: above every outcome's interval. */
const axisTop = (bars: readonly Bar[]) =>
  Math.max(0, ...bars.map(bar => Math.max(bar.value, bar.high ?? 0))) || 1;

/** Says of the outcomes without a bar how often they are, all together. */
const restWords = ({ label, share }: Bar, bars: readonly Bar[]) =>
  `${label}: ${formatPercent(share)} together, each at most ${formatPercent(Math.min(...bars.map(bar => bar.share)))}`;

function rowsOf({ bars, common, unit, options }: Histogram, floor: number, end: number): Row[] {
  const written = (value: number) =>
    unit === "counts" ? formatNumber(value) : probabilityText(value, floor);
  return bars.map(bar => {
    const interval = intervalText(bar, unit);
    const row: Row = {
      outcome: bar.label,
      ...(common !== "" && { whole: bar.outcome }),
      from: floor,
      to: options.logarithmic ? Math.max(floor, round(bar.value)) : round(bar.value),
      text: written(bar.value),
      ...(unit === "counts" && { share: probabilityText(bar.share, 0) }),
      ...(interval !== null && { interval }),
    };
    if (bar.low === undefined || bar.high === undefined) return row;
    const tall = options.logarithmic || bar.value > end * shortBar;
    return { ...row, high: round(bar.high), ...(tall && { low: round(Math.max(floor, bar.low)) }) };
  });
}

const minStep = 22;
const maxLevelLabel = 72;

/**
 * Width of the area of the bars: room for level labels and for values when they are few and short. Many bars stand
 * on whole pixels.
 */
function widthOf({ bars, options }: Histogram, label: number, value: number): number {
  if (options.width !== undefined) return clampPixels(options.width, 120, 2000);
  const step = Math.max(
    minStep,
    label <= maxLevelLabel ? label : 0,
    bars.length <= labelledBars ? value + valueGap : 0,
  );
  const width = clampPixels(bars.length * step, 360, 640);
  return bars.length > labelledBars ? wholeSteps(width, bars.length) : width;
}

const valueSizes = [11, 10, 9];
const valueGap = 6;

/** Returns the largest font in which no value touches the next one, as wide as `widest` at 11 pixels; 0 when none is small enough. */
function valueSize(bars: readonly Bar[], widest: number, step: number): number {
  if (bars.length > labelledBars) return 0;
  return valueSizes.find(size => (widest * size) / valueSizes[0]! + valueGap <= step) ?? 0;
}

function valueChannel(
  unit: Histogram["unit"],
  logarithmic: boolean,
  floor: number,
  end: number,
  bottom: number,
) {
  return {
    type: "quantitative",
    scale: logarithmic
      ? { type: "log", domain: [floor, end], nice: false }
      : { domain: [bottom * 1.1, end * 1.02], nice: false },
    axis:
      unit === "counts"
        ? {
            ...{ title: "counts", format: ",~r", tickMinStep: 1 },
            ...(logarithmic ? { values: decades(floor, end) } : { tickCount: 5 }),
          }
        : logarithmic
          ? decadeAxis(floor, end)
          : { ...percentAxis, tickCount: 5, ...(bottom < 0 && { title: "quasi-probability, %" }) },
  };
}

/** Draws a histogram as a Vega-Lite specification. */
export function histogramSpec(histogram: Histogram, description: string): VegaLiteSpec {
  const { none, title, bits, common, unit, intervals, options } = histogram;
  const bars = histogram.bars.filter(bar => !bar.rest);
  const rest = histogram.bars.find(bar => bar.rest);
  const subtitle = [...(rest ? [restWords(rest, bars)] : []), ...histogram.subtitle];
  const logarithmic = options.logarithmic ?? false;
  const end = axisTop(bars);
  const smallest = Math.min(...bars.map(bar => bar.value).filter(value => value > 0), end);
  const floor = logarithmic ? round(unit === "counts" ? Math.min(0.5, smallest / 2) : smallest / 2) : 0;
  const labels = bars.map(bar => bar.label);
  const label = labelWidth(labels);
  const rows = rowsOf({ ...histogram, bars }, floor, end);
  const values = rows.map(({ text }) => textWidth({}, text));
  const widest = Math.max(0, ...values);
  const width = widthOf(histogram, label, widest);
  const step = width / Math.max(1, bars.length);
  const written = valueSize(bars, widest, step);
  const barWidth = round(Math.min(56, Math.max(1, step * 0.72)));
  const layer = [
    {
      mark: { type: "bar", color: series[0], width: barWidth, cornerRadiusEnd: Math.min(2, barWidth / 6) },
      encoding: {
        y: { field: "to" },
        y2: { field: "from" },
        tooltip: [
          { field: common === "" ? "outcome" : "whole", type: "nominal", title: "outcome" },
          { field: "text", type: "nominal", title: unit === "counts" ? "count" : "probability" },
          ...(unit === "counts" ? [{ field: "share", type: "nominal", title: "probability" }] : []),
          ...(intervals ? [{ field: "interval", type: "nominal", title: intervalLabel }] : []),
        ],
      },
    },
    ...(intervals ? intervalMarks(barWidth) : []),
    ...(written > 0
      ? [
          {
            transform: [{ calculate: "isValid(datum.high) ? datum.high : max(0, datum.to)", as: "end" }],
            mark: { type: "text", baseline: "bottom", dy: -4, color: neutral, fontSize: written },
            encoding: { y: { field: "end" }, text: { field: "text", type: "nominal" } },
          },
        ]
      : []),
  ];
  const encoding = {
    x: outcomeChannel(labels, {
      title: [bits, common],
      ...{ step, hidden: options.labels === "none" },
    }),
    y: valueChannel(unit, logarithmic, floor, end, axisBottom(bars)),
  };
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle },
    width,
    height: clampPixels(options.height ?? 240, 80, 1200),
    ...(bars.length > 0 ? { data: { values: rows }, encoding, layer } : emptyDrawing(none)),
  });
}
