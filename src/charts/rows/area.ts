import { flag } from "../../contract/index.ts";
import { mark } from "../channels.ts";
import { colorCheck } from "../options.ts";
import type { DataRow, Encoded } from "./columns.ts";
import { type PlainOptions, type PlotKind, plotChart, type RowsOptions } from "./plot.ts";
import { axisChannel, plainColor, seriesChannels, tooltipOf } from "./plot-channels.ts";
import { extremesOf } from "./thinned.ts";

/** Options of rows drawn as areas. */
export interface AreaOptions<Row> extends RowsOptions<Row>, PlainOptions {
  /** Column that tells the areas apart, each with a colour and a name; at most 16. */
  series?: Encoded<Row>;
  /** Whether areas lie on each other, and not over each other. Default: true. */
  stack?: boolean;
}

const kind: PlotKind<AreaOptions<DataRow>> = {
  numbers: ["y"],
  optional: ["series"],
  checks: { color: colorCheck, stack: flag },
  noun: "area chart",
  isSampled: true,
  maxRows: 200_000,
  prepare: extremesOf,
  draw(plot, { stack = true }) {
    const { columns } = plot;
    const opacity = stack ? 0.85 : 0.35;
    const y = { ...axisChannel("y", columns.y!, { zero: true }), stack: stack ? "zero" : null };
    return {
      encoding: { x: axisChannel("x", columns.x!) },
      layer: [
        mark(
          "area",
          { ...plainColor(plot), opacity, line: !stack || !columns.series },
          { y, ...seriesChannels(plot, "bar"), tooltip: tooltipOf(plot) },
        ),
      ],
    };
  },
};

/** Draws rows as areas down to 0, those of several series on each other. */
export const areaChart = <Row extends DataRow>(rows: readonly Row[], options: AreaOptions<Row>) =>
  plotChart(kind, rows, options);
