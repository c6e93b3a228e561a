import { clipLines, formatNumber } from "../../display/index.ts";
import { inline, levelNames, mark, round } from "../channels.ts";
import { colorCheck } from "../options.ts";
import { inked, neutral, series } from "../roles.ts";
import {
  type Cell,
  type DataRow,
  distinct,
  formatCell,
  type Plot,
  placeLabels,
  sampleRows,
} from "./columns.ts";
import { cutToDomains, type PlainOptions, type PlotKind, plotChart, type RowsOptions } from "./plot.ts";
import { axisChannel, typeOf } from "./plot-channels.ts";

/** Options of rows drawn as box plots. */
export interface BoxOptions<Row> extends RowsOptions<Row>, PlainOptions {}

const maxBoxes = 64;
const reach = 1.5;
const maxPoints = 2000;
/** Boxes that a sentence describes. */
const maxDescribed = 8;

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

function boxesOf({ columns, values }: Plot) {
  const x = columns.x!;
  const groups = Map.groupBy(values, row => row.x as Cell);
  const places = distinct(x).filter(place => groups.has(place));
  if (places.length > maxBoxes)
    throw new RangeError(
      `x: ${places.length} boxes are more than the ${maxBoxes} that are drawn: choose some.`,
    );
  const names = placeLabels(x, places);
  return places.map((place, index) => {
    const numbers = groups.get(place)!.map(row => Number(row.y));
    return boxOf(names[index]!, numbers);
  });
}

const describeBoxes = (plot: Plot) =>
  boxesOf(plot).map(({ name, q1, median, q3 }) => {
    const [middle, from, to] = [median, q1, q3].map(value => formatCell(plot.columns.y!, value));
    return `${name} median ${middle}, middle half ${from} to ${to}`;
  });

const kind: PlotKind<BoxOptions<DataRow>> = {
  numbers: ["y"],
  checks: { color: colorCheck },
  noun: "box plot",
  maxRows: 1_000_000,
  words(plot) {
    const boxes = describeBoxes(plot);
    const more = boxes.length - maxDescribed;
    return [...boxes.slice(0, maxDescribed), ...(more > 0 ? [`${more} more`] : [])].join("; ");
  },
  text(plot, columns) {
    const boxes = describeBoxes(plot).map(line => `  ${line}`);
    return clipLines([plot.title, ...(boxes.length > 0 ? boxes : ["  no rows"])], columns);
  },
  draw(plot) {
    const boxes = boxesOf(plot);
    const step = plot.width / Math.max(1, boxes.length);
    const width = round(Math.min(48, step * 0.5));
    const names = boxes.map(({ name }) => name);
    const axis = axisChannel("y", plot.columns.y!);
    const type = typeOf(plot.columns.y!);
    const rounded = (value: number) => (type === "temporal" ? Math.round(value) : round(value, 15));
    const data = boxes.map(({ name, count, beyond: _, ...numbers }) => ({
      ...{ name, count },
      ...Object.fromEntries(Object.entries(numbers).map(([key, value]) => [key, rounded(value)])),
    }));
    const points = boxes.flatMap(({ name, beyond }) =>
      beyond.map(value => ({ name, value: rounded(value) })),
    );
    const tooltip = ["name", "count", "high", "q3", "median", "q1", "low"].map(field => ({
      field,
      type: { name: "nominal", count: "quantitative" }[field] ?? type,
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
        mark("rule", { color: inked, strokeWidth: 1.25 }, { y: { ...axis, field: "low" }, y2: "high" }),
        mark(
          "bar",
          { color: series[0], width, cornerRadius: 2 },
          { y: { field: "q1", type, stack: null }, y2: "q3", tooltip },
        ),
        mark(
          "tick",
          { orient: "horizontal", size: width, thickness: 2, opacity: 1 },
          {
            y: { field: "median", type },
            color: { condition: { test: "datum.q1 === datum.q3", value: inked }, value: "#ffffff" },
          },
        ),
        mark(
          "point",
          { color: neutral, size: 20, strokeWidth: 1.25 },
          { y: { field: "value", type }, tooltip: { field: "value", type, title: plot.columns.y!.title } },
          inline(sampleRows(points, maxPoints)),
        ),
      ],
    };
  },
  prepare(given) {
    const plot = cutToDomains(given, ["x"]);
    const count = formatNumber(plot.values.length);
    const caption = `boxes of ${count} values: median, middle half, whiskers to ${reach} times its length`;
    const beyond = boxesOf(plot).reduce((sum, box) => sum + box.beyond.length, 0);
    const drawn = `${formatNumber(maxPoints)} of the ${formatNumber(beyond)} values beyond are drawn, evenly sampled`;
    const captions = beyond > maxPoints ? [caption, drawn] : [caption];
    return { ...plot, rows: plot.values.length, subtitle: [...plot.subtitle, ...captions] };
  },
};

/** Draws how the values of each category spread: median, middle half, whiskers, and the values beyond. */
export const boxChart = <Row extends DataRow>(rows: readonly Row[], options: BoxOptions<Row>) =>
  plotChart(kind, rows, options);
