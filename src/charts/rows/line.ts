import { anyValue, flag } from "../../contract/options.ts";
import { neutral } from "../../display/palette.ts";
import { describeTrend } from "../alt-text.ts";
import type { Chart } from "../chart.ts";
import { ramp } from "./color-ramp.ts";
import { type DataRow, distinct, type Encoded } from "./columns.ts";
import { formatCell } from "./format-cell.ts";
import { labelPlaces, labelSides } from "./label-layout.ts";
import { type Plot, type PlotKind, plotChart, type SeriesOptions } from "./plot.ts";
import { axisChannel, intervalLayers, seriesChannels, tooltipOf } from "./plot-channels.ts";

/** How rows are drawn as lines. */
export interface LineOptions<Row> extends SeriesOptions<Row> {
  /** Whether each row has a dot. Default: with up to 60 rows a series. */
  points?: boolean;
}

/** How rows are drawn as points. */
export interface ScatterOptions<Row> extends SeriesOptions<Row> {
  /** Column of the points' areas. */
  size?: Encoded<Row>;
  /** Column of numbers that are the points' colours, in place of `series`. */
  color?: Encoded<Row>;
  /** Column of words beside the points; where points are dense, those that have room. */
  label?: Encoded<Row>;
}

const seriesChecks = {
  x: anyValue,
  y: anyValue,
  low: anyValue,
  high: anyValue,
  series: anyValue,
  subtitle: anyValue,
};
const optional = ["low", "high", "series"];
const maxDottedRows = 60;
const band = { type: "quantitative" } as const;

const lineKind: PlotKind<LineOptions<DataRow>> = {
  required: ["x", "y"],
  numbers: ["y"],
  optional,
  checks: { ...seriesChecks, points: flag },
  noun: "line chart",
  isSampled: true,
  words: describeLines,
  draw(plot, { points }) {
    const { columns, values, gaps } = plot;
    const channels = seriesChannels(plot, "line");
    const lines = columns.series ? new Set(columns.series.values).size : 1;
    const dots = points ?? values.length / lines <= maxDottedRows;
    const { color, ...rest } = channels;
    return {
      data: { values: [...values, ...gaps] },
      encoding: { x: axisChannel("x", columns.x!), color },
      layer: [
        ...(columns.low && columns.high
          ? [
              {
                mark: { type: "area", opacity: 0.2 },
                encoding: { y: { ...band, field: "low" }, y2: { field: "high" } },
              },
            ]
          : []),
        {
          mark: { type: "line", strokeWidth: 2, strokeJoin: "round" },
          encoding: { y: axisChannel("y", columns.y!), ...rest },
        },
        {
          mark: { type: "point", filled: true, size: dots ? 36 : 60, opacity: dots ? 1 : 0 },
          encoding: { y: axisChannel("y", columns.y!), tooltip: tooltipOf(plot) },
        },
      ],
    };
  },
};

const scatterKind: PlotKind<ScatterOptions<DataRow>> = {
  required: ["x", "y"],
  numbers: [],
  optional: [...optional, "size", "color", "label"],
  checks: { ...seriesChecks, size: anyValue, color: anyValue, label: anyValue },
  noun: "scatter plot",
  isSampled: true,
  draw(plot) {
    const { columns, values } = plot;
    const { x, y, size, color, label, series } = columns;
    if (color && series) throw new RangeError("color and series are both colours: give one of them.");
    const area = size && {
      size: {
        field: "size",
        type: "quantitative",
        scale: { range: [20, 400] },
        legend: { title: size.title, orient: "bottom", symbolFillColor: neutral, symbolStrokeColor: neutral },
      },
    };
    const shade = color && {
      color: {
        field: "color",
        type: "quantitative",
        scale: ramp(color),
        legend: { title: color.title, orient: "right", gradientLength: Math.min(200, plot.height) },
      },
    };
    const sides = label ? labelSides(plot) : [];
    return {
      data: { values: label ? values.map((row, index) => ({ ...row, side: sides[index] })) : values },
      encoding: { x: axisChannel("x", x!) },
      layer: [
        ...intervalLayers(plot),
        {
          mark: { type: "point", filled: true, opacity: 0.8, ...(!size && { size: 48 }) },
          encoding: {
            y: axisChannel("y", y!),
            ...seriesChannels(plot, "point"),
            ...area,
            ...shade,
            tooltip: tooltipOf(plot),
          },
        },
        ...labelPlaces
          .filter(({ side }) => sides.includes(side))
          .map(({ side, mark }) => ({
            transform: [{ filter: `datum.side === "${side}"` }],
            mark: { type: "text", fontSize: 11, ...mark },
            encoding: { y: axisChannel("y", y!), text: { field: "label", type: "nominal" } },
          })),
      ],
    };
  },
};

const maxDescribed = 4;

/** Returns how each line runs, the first four of them. */
function describeLines({ columns: { x, series }, values }: Plot): string {
  const names = series ? distinct(series) : [undefined];
  const described = names.slice(0, maxDescribed).map(name => {
    const points = values
      .filter(row => name === undefined || row.series === name)
      .map(({ x, y }) => ({ x: x!, y: Number(y) }));
    const ordered =
      x!.scale === "category" ? points : points.sort((one, other) => Number(one.x) - Number(other.x));
    const words = describeTrend(
      ordered.map(({ x: at, y }) => ({ x: x!.scale === "time" ? formatCell(x!, at) : at, y })),
    );
    return name === undefined ? words : `${name} ${words}`;
  });
  return described.join("; ");
}

/** Draws rows as a line a series, intervals as a band around it. */
export function lineChart<Row extends DataRow>(
  rows: readonly Row[],
  options: LineOptions<Row>,
): Chart<Partial<LineOptions<Row>>> {
  return plotChart(lineKind as unknown as PlotKind<LineOptions<Row>>, rows, options);
}

/** Draws rows as points, intervals as rules through them. */
export function scatterChart<Row extends DataRow>(
  rows: readonly Row[],
  options: ScatterOptions<Row>,
): Chart<Partial<ScatterOptions<Row>>> {
  return plotChart(scatterKind as unknown as PlotKind<ScatterOptions<Row>>, rows, options);
}
