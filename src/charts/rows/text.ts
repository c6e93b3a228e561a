import { mark } from "../channels.ts";
import { colorCheck } from "../options.ts";
import { inked } from "../roles.ts";
import type { DataRow, Encoded } from "./columns.ts";
import { type PlainOptions, type PlotKind, plotChart, type RowsOptions } from "./plot.ts";
import { placeChannel, tooltipOf } from "./plot-channels.ts";

/** Options of rows drawn as words. */
export interface TextOptions<Row> extends RowsOptions<Row>, PlainOptions {
  /** Column of the words. */
  label: Encoded<Row>;
}

const kind: PlotKind<TextOptions<DataRow>> = {
  required: ["x", "y", "label"],
  checks: { color: colorCheck },
  noun: "words",
  isSampled: true,
  maxRows: 2000,
  draw: (plot, { color = inked }) => ({
    encoding: { x: placeChannel("x", plot.columns.x!) },
    layer: [
      mark(
        "text",
        { fontSize: 11, color },
        { y: placeChannel("y", plot.columns.y!), text: "label", tooltip: tooltipOf(plot) },
      ),
    ],
  }),
};

export const textChart = <Row extends DataRow>(rows: readonly Row[], options: TextOptions<Row>) =>
  plotChart(kind, rows, options);
