import { clipLines, formatNumber } from "../../display/index.ts";
import { inline, levelNames, mark, round } from "../channels.ts";
import { colorCheck } from "../options.ts";
import { inked, neutral, series } from "../roles.ts";
import { type Cell, type Column, type DataRow, distinct, formatCell, type Plot } from "./columns.ts";
import { type PlainOptions, type PlotKind, plotChart, type RowsOptions } from "./plot.ts";
import { axisChannel } from "./plot-channels.ts";

/** Options of rows drawn as box plots. */
export interface BoxOptions<Row> extends RowsOptions<Row>, PlainOptions {}

const maxBoxes = 64;
const reach = 1.5;
const maxPoints = 2000;

function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  return sorted[below]! + (at - below) * ((sorted[below + 1] ?? sorted[below]!) - sorted[below]!);
}

/** Returns the middle half of some values, the ends of the whiskers, and the values beyond. */
function boxOf(name: string, values: readonly number[]) {
  const sorted = values.toSorted((one, other) => one - other);
  const [q1 = 0, median = 0, q3 = 0] = [0.25, 0.5, 0.75].map(share => quantile(sorted, share));
  const within = sorted.filter(value => value >= q1 - reach * (q3 - q1) && value <= q3 + reach * (q3 - q1));
  const beyond = sorted.filter(value => value < within[0]! || value > within.at(-1)!);
  return { name, count: sorted.length, low: within[0]!, q1, median, q3, high: within.at(-1)!, beyond };
}

function boxesOf({ columns: { x }, values }: Plot) {
  const groups = Map.groupBy(values, row => row.x as Cell);
  const places = distinct(x as Column);
  if (places.length > maxBoxes)
    throw new RangeError(
      `x: ${places.length} boxes are more than the ${maxBoxes} that are drawn: choose some.`,
    );
  return places.map(place =>
    boxOf(
      formatCell(x!, place),
      groups.get(place)!.map(row => Number(row.y)),
    ),
  );
}

const words = (plot: Plot) =>
  boxesOf(plot)
    .slice(0, 8)
    .map(({ name, q1, median, q3 }) => {
      const [middle, from, to] = [median, q1, q3].map(value => formatCell(plot.columns.y!, value));
      return `${name} median ${middle}, middle half ${from} to ${to}`;
    })
    .join("; ");

const kind: PlotKind<BoxOptions<DataRow>> = {
  numbers: ["y"],
  checks: { color: colorCheck },
  noun: "box plot",
  maxRows: 1_000_000,
  words,
  text: (plot, columns) =>
    clipLines(
      [
        plot.title,
        ...words(plot)
          .split("; ")
          .map(line => `  ${line}`),
      ],
      columns,
    ),
  draw(plot) {
    const boxes = boxesOf(plot);
    const step = plot.width / Math.max(1, boxes.length);
    const width = round(Math.min(48, step * 0.5));
    const names = boxes.map(({ name }) => name);
    const data = boxes.map(({ name, count, beyond: _, ...numbers }) => ({
      ...{ name, count },
      ...Object.fromEntries(Object.entries(numbers).map(([key, value]) => [key, round(value)])),
    }));
    const points = boxes.flatMap(({ name, beyond }) => beyond.map(value => ({ name, value: round(value) })));
    const tooltip = ["name", "count", "high", "q3", "median", "q1", "low"].map(field => ({
      field,
      type: field === "name" ? "nominal" : "quantitative",
      title: field === "name" ? plot.columns.x!.title : field,
    }));
    return {
      ...inline(data),
      encoding: {
        x: {
          ...{ field: "name", type: "nominal", sort: null, scale: { domain: names } },
          axis: { title: plot.columns.x!.title, ...levelNames(names, step) },
        },
      },
      layer: [
        mark(
          "rule",
          { color: inked, strokeWidth: 1.25 },
          { y: { ...axisChannel("y", plot.columns.y!), field: "low" }, y2: "high" },
        ),
        mark(
          "bar",
          { color: series[0], width, cornerRadius: 2 },
          { y: { field: "q1", type: "quantitative", stack: null }, y2: "q3", tooltip },
        ),
        mark(
          "tick",
          { orient: "horizontal", color: "#ffffff", size: width, thickness: 2, opacity: 1 },
          { y: "median" },
        ),
        mark(
          "point",
          { color: neutral, size: 20, strokeWidth: 1.25 },
          { y: "value", tooltip: { field: "value", type: "quantitative", title: plot.columns.y!.title } },
          inline(points.slice(0, maxPoints)),
        ),
      ],
    };
  },
  prepare: plot => ({
    ...plot,
    rows: plot.values.length,
    subtitle: [
      ...plot.subtitle,
      `boxes of ${formatNumber(plot.values.length)} values: median, middle half, whiskers to ${reach} times its length`,
    ],
  }),
};

/** Draws how the values of each category spread: median, middle half, whiskers, and the values beyond. */
export const boxChart = <Row extends DataRow>(rows: readonly Row[], options: BoxOptions<Row>) =>
  plotChart(kind, rows, options);
