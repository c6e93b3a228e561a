import { mark, only } from "../channels.ts";
import { neutral } from "../roles.ts";
import type { Column, DataRow, Encoded, Plot } from "./columns.ts";
import { overlap } from "./heatmap.ts";
import { labelPlaces, labelSides } from "./label-layout.ts";
import { type PlotKind, plotChart, type SeriesOptions, seriesRoles } from "./plot.ts";
import {
  axisChannel,
  intervalLayers,
  legendLabels,
  plainColor,
  rampChannel,
  seriesChannels,
  tooltipOf,
} from "./plot-channels.ts";
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
  optional: [...seriesRoles, "xLow", "xHigh", "size", "color", "label"],
  noun: "scatter plot",
  isSampled: true,
  maxRows: 200_000,
  prepare: densityOf,
  draw(plot) {
    const { columns, values } = plot;
    const { x, y, size, color, label, series } = columns;
    if (columns.count) return density(plot, columns.count);
    if (color && series) throw new RangeError("color and series are both colours: give one of them.");
    const symbols = { orient: "bottom", symbolFillColor: neutral, symbolStrokeColor: neutral };
    const area = size && {
      size: {
        ...{ field: "size", type: "quantitative", scale: { range: [20, 400] } },
        legend: { title: size.title, labelExpr: legendLabels(size), ...symbols },
      },
    };
    const shade = color && { color: rampChannel("color", color, plot.height) };
    const sides = label ? labelSides(plot) : [];
    const axisY = axisChannel("y", y!);
    return {
      ...(label && { data: { values: values.map((row, index) => ({ ...row, side: sides[index] })) } }),
      encoding: { x: axisChannel("x", x!) },
      layer: [
        ...intervalLayers(plot),
        mark(
          "point",
          { filled: true, opacity: 0.8, ...plainColor(plot), ...(!size && { size: 48 }) },
          { y: axisY, ...seriesChannels(plot, "point"), ...area, ...shade, tooltip: tooltipOf(plot) },
        ),
        ...labelPlaces
          .filter(({ side }) => sides.includes(side))
          .map(({ side, look }) =>
            mark(
              "text",
              { fontSize: 11, ...look },
              { y: axisY, text: "label" },
              only(`datum.side === "${side}"`),
            ),
          ),
      ],
    };
  },
};

function density(plot: Plot, count: Column) {
  const { x, y } = plot.columns;
  const color = rampChannel("count", count, plot.height);
  return {
    encoding: { x: axisChannel("x", x!), x2: { field: "x2" } },
    layer: [mark("rect", overlap, { y: axisChannel("y", y!), y2: "y2", color, tooltip: tooltipOf(plot) })],
  };
}

export const scatterChart = <Row extends DataRow>(rows: readonly Row[], options: ScatterOptions<Row>) =>
  plotChart(kind, rows, options);
