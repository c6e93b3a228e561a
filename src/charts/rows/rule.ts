import { anyValue } from "../../contract/index.ts";
import { present } from "../../display/index.ts";
import { mark } from "../channels.ts";
import type { Chart } from "../chart.ts";
import { colorCheck } from "../options.ts";
import { inked } from "../roles.ts";
import { type DataRow, type Encoded, formatCell } from "./columns.ts";
import { type PlainOptions, type PlotKind, plotChart, type RowsOptions } from "./plot.ts";
import { placeChannel, tooltipOf } from "./plot-channels.ts";

/** Options of rows drawn as lines across the whole chart: at their `x` or at their `y`. */
export interface RuleOptions<Row> extends Omit<RowsOptions<Row>, "x" | "y">, PlainOptions {
  /** Column with the positions of vertical lines. */
  x?: Encoded<Row>;
  /** Column with the positions of horizontal lines. */
  y?: Encoded<Row>;
  /** Column of words at the lines. */
  label?: Encoded<Row>;
}

const kindOf = (role: "x" | "y"): PlotKind<RuleOptions<DataRow>> => ({
  required: [role],
  optional: ["label"],
  checks: { x: anyValue, y: anyValue, color: colorCheck },
  noun: "rules",
  maxRows: 200,
  text: ({ title, columns, values }) =>
    [
      title,
      ...values.map(row => `  ${formatCell(columns[role]!, row[role]!)}  ${row.label ?? ""}`.trimEnd()),
    ].join("\n"),
  draw(plot, { color = inked }) {
    const { columns } = plot;
    const place = { [role]: placeChannel(role, columns[role]!) };
    const [ends, beside, look] =
      role === "x"
        ? [{ y: { value: "height" }, y2: 0 }, { y: 2 }, { align: "left", baseline: "top", dx: 4 }]
        : [
            { x: 0, x2: { value: "width" } },
            { x: { value: "width" } },
            { align: "right", baseline: "bottom", dy: -3 },
          ];
    return {
      layer: present([
        mark("rule", { color, strokeWidth: 1.25 }, { ...place, ...ends, tooltip: tooltipOf(plot) }),
        columns.label && mark("text", { fontSize: 11, ...look }, { ...place, ...beside, text: "label" }),
      ]),
    };
  },
});

/** Draws rows as lines across, such as limits and expected values. Throws a `RangeError` where not one of `x` and `y` is given. */
export function ruleChart<Row extends DataRow>(
  rows: readonly Row[],
  options: RuleOptions<Row>,
): Chart<Partial<RuleOptions<Row>>> {
  const { x, y } = Object(options) as RuleOptions<Row>;
  if ((x === undefined) === (y === undefined))
    throw new RangeError(
      'rule needs one column: x for upright lines, or y for level ones, such as { y: "limit" }.',
    );
  const kind = kindOf(x === undefined ? "y" : "x");
  return plotChart(kind, rows, options);
}

/** Options of rows drawn as words. */
export interface TextOptions<Row> extends RowsOptions<Row>, PlainOptions {
  /** Column of the words. */
  label: Encoded<Row>;
}

const textKind: PlotKind<TextOptions<DataRow>> = {
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
  plotChart(textKind, rows, options);
