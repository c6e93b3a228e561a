import type { Chart } from "../chart.ts";
import { neutral } from "../roles.ts";
import type { Column, DataRow, Encoded, Plot } from "./columns.ts";
import { overlap } from "./heatmap.ts";
import { labelPlaces, labelSides } from "./label-layout.ts";
import {
  anyColumns,
  type PlotKind,
  plotChart,
  type SeriesOptions,
  seriesChecks,
  seriesRoles,
} from "./plot.ts";
import { axisChannel, intervalLayers, plainColor, ramp, seriesChannels, tooltipOf } from "./plot-channels.ts";
import { densityOf } from "./thinned.ts";

/** Options of rows drawn as points. */
export interface ScatterOptions<Row> extends SeriesOptions<Row> {
  /** Column of the points' areas. */
  size?: Encoded<Row>;
  /** Column of numbers that are the points' colours, in place of `series`; or one colour, such as `"teal"`. */
  color?: Encoded<Row> | (string & {});
  /** Column of the lower end of an interval around `x`. */
  xLow?: Encoded<Row>;
  /** Column of the upper end of an interval around `x`. */
  xHigh?: Encoded<Row>;
  /** Column of words beside the points; where points are dense, those that have room. */
  label?: Encoded<Row>;
}

const kind: PlotKind<ScatterOptions<DataRow>> = {
  required: ["x", "y"],
  numbers: [],
  optional: [...seriesRoles, "xLow", "xHigh", "size", "color", "label"],
  checks: { ...seriesChecks, ...anyColumns("xLow", "xHigh", "size", "color", "label") },
  noun: "scatter plot",
  isSampled: true,
  maxRows: 200_000,
  prepare: densityOf,
  draw(plot) {
    const { columns, values } = plot;
    const { x, y, size, color, label, series } = columns;
    if (columns.count) return density(plot, columns.count);
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
          mark: {
            type: "point",
            ...plainColor(plot),
            filled: true,
            opacity: 0.8,
            ...(!size && { size: 48 }),
          },
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

function density(plot: Plot, count: Column) {
  const { x, y } = plot.columns;
  const legend = { title: count.title, orient: "right", gradientLength: Math.min(200, plot.height) };
  return {
    data: { values: plot.values },
    encoding: { x: axisChannel("x", x!), x2: { field: "x2" } },
    layer: [
      {
        mark: { type: "rect", ...overlap },
        encoding: {
          y: axisChannel("y", y!),
          y2: { field: "y2" },
          color: { field: "count", type: "quantitative", scale: ramp(count), legend },
          tooltip: tooltipOf(plot),
        },
      },
    ],
  };
}

export function scatterChart<Row extends DataRow>(
  rows: readonly Row[],
  options: ScatterOptions<Row>,
): Chart<Partial<ScatterOptions<Row>>> {
  return plotChart(kind as unknown as PlotKind<ScatterOptions<Row>>, rows, options);
}
