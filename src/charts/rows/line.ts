import { flag } from "../../contract/index.ts";
import { present } from "../../display/index.ts";
import { describeTrend } from "../alt-text.ts";
import { inline, mark } from "../channels.ts";
import { colorCheck } from "../options.ts";
import { endLabelStyle, series as palette, wordsOf } from "../roles.ts";
import { textWidth } from "../vega/metrics.ts";
import { type DataRow, distinct, type Encoded, formatCell, type Plot } from "./columns.ts";
import { positions } from "./label-layout.ts";
import {
  checkZero,
  type PlainOptions,
  type PlotKind,
  plotChart,
  type RowsOptions,
  type SeriesOptions,
  seriesRoles,
} from "./plot.ts";
import { axisChannel, plainColor, seriesChannels, shapes, tooltipOf, typeOf } from "./plot-channels.ts";
import { extremesOf } from "./thinned.ts";

/** Options of rows drawn as lines. */
export interface LineOptions<Row> extends SeriesOptions<Row>, PlainOptions {
  /** Whether each row has a dot. Default: with up to 60 rows per series. */
  points?: boolean;
}

const maxDottedRows = 60;

const lineKind: PlotKind<LineOptions<DataRow>> = {
  numbers: ["y"],
  optional: seriesRoles,
  checks: { color: colorCheck, points: flag },
  noun: "line chart",
  isSampled: true,
  maxRows: 200_000,
  prepare: extremesOf,
  words: describeLines,
  draw(plot, { points }) {
    const { columns, values, gaps } = plot;
    const labels = endLabels(plot);
    const { color, ...rest } = seriesChannels(plot, "line");
    const lines = columns.series ? new Set(columns.series.values).size : 1;
    const dots = points ?? values.length / lines <= maxDottedRows;
    const plain = plainColor(plot);
    const y = axisChannel("y", columns.y!);
    const domain = columns.series ? distinct(columns.series) : [];
    const range = domain.map((_, index) => shapes[index % shapes.length]);
    const shape = labels.length > 0 && { shape: { field: "series", scale: { domain, range }, legend: null } };
    return {
      data: { values: [...values, ...gaps] },
      ...(labels.length > 0 && { resolve: { scale: { color: "independent" } } }),
      encoding: {
        x: axisChannel("x", columns.x!),
        ...(color && { color: labels.length > 0 ? { ...color, legend: null } : color }),
      },
      layer: present([
        columns.low && mark("area", { ...plain, opacity: 0.2 }, { y: "low", y2: "high" }),
        mark("line", { ...plain, strokeWidth: 2, strokeJoin: "round" }, { y, ...rest }),
        mark(
          "point",
          { ...plain, filled: true, size: dots ? 36 : 60, opacity: dots ? 1 : 0 },
          { y, ...shape, tooltip: tooltipOf(plot) },
        ),
        ...labels,
      ]),
    };
  },
};

const maxNamedLines = 5;
/** The widest name that is at the end of a line, and the narrowest area that leaves room for names. */
const [maxName, minArea] = [130, 320];
const lineHeight = 15;

/** Returns the names of up to five lines at their ends, at least 15 pixels apart; none where a legend suits better. */
function endLabels(plot: Plot): object[] {
  const { columns, values, width, height } = plot;
  const { x, y, low, high, series } = columns;
  const names = series ? distinct(series) : [];
  const rank = x!.scale === "category" ? distinct(x!) : undefined;
  const at = (row: Plot["values"][number]) => (rank ? rank.indexOf(row.x!) : Number(row.x));
  const ends = names.flatMap(name => {
    const line = values.filter(row => row.series === name);
    return line.length === 0 ? [] : [line.reduce((last, row) => (at(row) > at(last) ? row : last))];
  });
  const isCrowded = values.length > maxDottedRows * names.length || width < minArea;
  const isApart = new Set(ends.map(at)).size > 1 || ends.length < names.length;
  const isLong = names.some(name => textWidth({ fontSize: 12, fontWeight: 600 }, name) > maxName);
  if (names.length < 2 || names.length > maxNamedLines || isCrowded || isApart || isLong) return [];
  const reach = [y, low, high].flatMap(column => column?.values ?? []).filter(value => value !== null);
  const places = positions(y!, [...ends.map(row => row.y), ...reach], height).slice(0, ends.length);
  const spread = [...places];
  const order = places.map((_, index) => index).sort((one, other) => places[one]! - places[other]!);
  for (let round = 0; round < 40; round++)
    for (const [rank, above] of order.entries()) {
      const below = order[rank - 1];
      const missing = below === undefined ? 0 : lineHeight - (spread[above]! - spread[below]!);
      if (below === undefined || missing <= 0) continue;
      spread[above]! += missing / 2;
      spread[below]! -= missing / 2;
    }
  const range = names.map((_, index) => wordsOf(palette[index]!));
  const color = { field: "series", type: "nominal", scale: { domain: names, range }, legend: null };
  return ends.map((row, index) =>
    mark(
      "text",
      {
        ...{ style: endLabelStyle, fontSize: 12, tooltip: null },
        ...{ align: "left", baseline: "middle", dx: 8, dy: Math.round(places[index]! - spread[index]!) },
      },
      { y: { field: "y", type: typeOf(y!) }, text: "series", color },
      inline([row]),
    ),
  );
}

const maxDescribed = 4;

function describeLines({ columns: { x, y, series }, values }: Plot): string {
  const names = series ? distinct(series) : [undefined];
  const described = names.slice(0, maxDescribed).map(name => {
    const points = values
      .filter(row => name === undefined || row.series === name)
      .map(({ x, y }) => ({ x: x!, y: Number(y) }));
    const ordered =
      x!.scale === "category" ? points : points.sort((one, other) => Number(one.x) - Number(other.x));
    const words = describeTrend(
      ordered.map(({ x: at, y }) => ({ x: x!.scale === "time" ? formatCell(x!, at) : at, y })),
      y!.scale === "time" ? moment => formatCell(y!, moment) : undefined,
    );
    return name === undefined ? words : `${name} ${words}`;
  });
  return described.join("; ");
}

export const lineChart = <Row extends DataRow>(rows: readonly Row[], options: LineOptions<Row>) =>
  plotChart(lineKind, rows, options);

/** Options of rows drawn as areas. */
export interface AreaOptions<Row> extends RowsOptions<Row>, PlainOptions {
  /** Column that tells the areas apart, each with a colour and a name; at most 16. */
  series?: Encoded<Row>;
  /** Stacks areas on each other; `false` draws them over each other. Default: true. */
  stack?: boolean;
}

const areaKind: PlotKind<AreaOptions<DataRow>> = {
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
    const isStacked = stack && columns.series !== undefined;
    checkZero(columns.y!, "areas", isStacked);
    const y = { ...axisChannel("y", columns.y!, { zero: true }), stack: isStacked ? "zero" : null };
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
  plotChart(areaKind, rows, options);
