import type { Chart } from "../chart.ts";
import { colorCheck } from "../options.ts";
import { inked } from "../roles.ts";
import type { DataRow, Encoded } from "./columns.ts";
import { anyColumns, type PlotKind, plotChart, type RowsOptions } from "./plot.ts";
import { placeChannel, tooltipOf } from "./plot-channels.ts";

/** Options of rows drawn as words. */
export interface TextOptions<Row> extends RowsOptions<Row> {
  /** Colour of the marks: `#rrggbb`, or a name of CSS such as `"teal"`. Default: that of the theme. */
  color?: string;
  /** Column of the words. */
  label: Encoded<Row>;
}

const kind: PlotKind<TextOptions<DataRow>> = {
  required: ["x", "y", "label"],
  numbers: [],
  optional: [],
  checks: { ...anyColumns("x", "y", "label"), color: colorCheck },
  noun: "words",
  isSampled: true,
  maxRows: 2000,
  draw: (plot, { color = inked }) => ({
    data: { values: plot.values },
    encoding: { x: placeChannel("x", plot.columns.x!) },
    layer: [
      {
        mark: { type: "text", fontSize: 11, color },
        encoding: {
          y: placeChannel("y", plot.columns.y!),
          text: { field: "label", type: "nominal" },
          tooltip: tooltipOf(plot),
        },
      },
    ],
  }),
};

export function textChart<Row extends DataRow>(
  rows: readonly Row[],
  options: TextOptions<Row>,
): Chart<Partial<TextOptions<Row>>> {
  return plotChart(kind as unknown as PlotKind<TextOptions<Row>>, rows, options);
}
