import { describeValue } from "../../contract/index.ts";
import { clipMiddle } from "../../display/index.ts";
import { panelTitleStyle } from "../apply-theme.ts";
import { Chart } from "../chart.ts";
import { lines } from "../outcome-label.ts";
import type { SpecEdit } from "../read-spec.ts";
import {
  checkRows,
  type DataRow,
  distinct,
  type Encoded,
  formatCell,
  placeLabels,
  readColumn,
} from "../rows/columns.ts";
import { type ComposeOptions, checkCharts, concat } from "./concat.ts";
import { colorScales, recolorScale, scaleOfNames } from "./layer.ts";

/** Options of rows drawn as small multiples. */
export interface FacetOptions<Row> extends ComposeOptions {
  /** Column with a value for each chart. */
  by: Encoded<Row>;
}

const maxFacets = 64;
const maxRows = 200_000;
const smallWidth = 220;
const smallHeight = 160;
const maxTitle = 32;

type SmallOptions = { title?: string; width?: number; height?: number };

/** Draws the rows of each value of a column as a small chart on shared scales; a series has one colour everywhere. */
export function facetChart<Row extends DataRow>(
  rows: readonly Row[],
  given: FacetOptions<Row>,
  draw: (rows: Row[]) => Chart,
): Chart<ComposeOptions> {
  checkRows(rows, maxRows);
  const { by, ...options } = Object(given) as FacetOptions<Row>;
  if (by === undefined)
    throw new RangeError('by is missing: the name of a column, such as { by: "device" }.');
  const column = readColumn(rows, "by", by);
  const values = distinct(column);
  if (values.length === 0) throw new RangeError(`by: no row has a value of ${describeValue(column.title)}.`);
  if (values.length > maxFacets)
    throw new RangeError(
      `by: ${values.length} charts are more than the ${maxFacets} that are drawn together.`,
    );
  if (typeof draw !== "function")
    throw new RangeError(
      "facet is called with what draws the rows of one chart, such as rows => line(rows, …).",
    );
  const charts = values.map(value => {
    const chart: Chart<SmallOptions> = draw(rows.filter((_, index) => column.values[index] === value));
    if (!(chart instanceof Chart) || !chart.area) return chart;
    const words = formatCell(column, value);
    const title = typeof value === "number" && column.scale !== "time" ? `${column.title} ${words}` : words;
    const isRows = "x" in Object(chart.source.options) && chart.source.options?.height === undefined;
    const [width, height] = [smallWidth, isRows && { height: smallHeight }];
    return chart.with({ title: clipMiddle(title, maxTitle), width, ...height });
  });
  checkCharts(charts);
  const { shared = ["x", "y", "color"], columns = 3 } = options;
  const ordered = shared.includes("x") ? shareNames(charts, rows) : charts;
  return panelGrid(shareColors(ordered), { ...options, shared, columns }, shared);
}

/**
 * Puts charts beside each other as panels with small titles. An axis of `hidden` has words only below the last panels of
 * columns, or beside the first ones of rows.
 */
export function panelGrid(
  charts: readonly Chart[],
  options: ComposeOptions & { columns: number },
  hidden: readonly string[],
  change?: (spec: Parameters<SpecEdit>[0], index: number) => void,
): Chart<ComposeOptions> {
  const { columns } = options;
  const panels = charts.map((chart, index) =>
    chart.changed(spec => {
      change?.(spec, index);
      if (spec.title !== undefined) spec.title.style = panelTitleStyle;
      if (spec.title?.subtitle && chart.area)
        spec.title.subtitle = [spec.title.subtitle]
          .flat()
          .flatMap(text => lines(text, chart.area!.width / 6));
      if (hidden.includes("y") && index % columns > 0) hideAxis(spec, "y");
      if (hidden.includes("x") && index + columns < charts.length) hideAxis(spec, "x");
    }),
  );
  return concat(panels, options);
}

/** Takes the words of an axis from a plot and its layers, since another panel of its row or column has them; their room stays. */
// biome-ignore lint/suspicious/noExplicitAny: a specification has members of every kind
function hideAxis({ encoding, layer = [] }: any, role: "x" | "y"): void {
  const axis = encoding?.[role]?.axis;
  if (axis) Object.assign(axis, { title: role === "x" ? null : " ", labels: false, ticks: false });
  for (const part of layer) hideAxis(part, role);
}

/** Returns charts whose axes of names have those of all rows, in their order. */
function shareNames<Row extends DataRow>(charts: readonly Chart[], rows: readonly Row[]): readonly Chart[] {
  const { x } = Object(charts[0]!.source.options) as { x?: Encoded<Row> };
  if (!x || charts.some(({ source }) => !source.plot)) return charts;
  const column = readColumn(rows, "x", x);
  const names = placeLabels(column, distinct(column));
  return charts.map(chart =>
    chart.changed(spec => {
      for (const { type, scale } of [spec.encoding?.x, spec.encoding?.y].map(Object))
        if (type === "nominal" && scale?.domain?.every((name: string) => names.includes(name)))
          scale.domain = names;
    }),
  );
}

/** Returns charts in which a name has the same colour: that of its place among all names. */
function shareColors(charts: readonly Chart[]): readonly Chart[] {
  const names = new Set(
    charts.flatMap(({ bareSpec }) => colorScales(bareSpec).flatMap(({ domain }) => domain)),
  );
  if (names.size === 0) return charts;
  const shared = scaleOfNames([...names]);
  return charts.map(chart =>
    chart.changed(spec => {
      for (const scale of colorScales(spec)) recolorScale(scale, shared);
    }),
  );
}
