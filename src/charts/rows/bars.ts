import { flag, oneOf } from "../../contract/index.ts";
import { barLines } from "../bar-text.ts";
import {
  clampPixels,
  intervalMarks,
  levelNames,
  mark,
  nameLabels,
  niceNumber,
  spacedNames,
  turned,
} from "../channels.ts";
import { colorCheck } from "../options.ts";
import {
  type Cell,
  type Column,
  type DataRow,
  distinct,
  formatCell,
  type Plot,
  placeLabels,
} from "./columns.ts";
import {
  checkZero,
  cutToDomains,
  type PlainOptions,
  type PlotKind,
  plotChart,
  type SeriesOptions,
  seriesRoles,
} from "./plot.ts";
import { axisChannel, plainColor, seriesChannels, tooltipOf } from "./plot-channels.ts";

/** Options of rows drawn as bars. */
export interface BarsOptions<Row> extends SeriesOptions<Row>, PlainOptions {
  /** Whether bars of different series lie on each other, and not side by side. Default: false. */
  stack?: boolean;
  /** Whether bars lie below each other, and `x` runs downwards. Default: false. */
  horizontal?: boolean;
  /** Order of the bars: as the rows stand, or by `x`, or from small to large `y` or back. Default: `"rows"`. */
  sort?: "rows" | "x" | "y" | "-y";
}

const maxBars = 256;

function placesOf({ columns: { x }, values }: Plot, sort: BarsOptions<DataRow>["sort"]): Cell[] {
  const places = [...new Set(values.map(row => row.x!))];
  const kind = x!.scale;
  if (sort === "x")
    return places.sort((one, other) =>
      kind === "category"
        ? String(one).localeCompare(String(other), "en", { numeric: true })
        : Number(one) - Number(other),
    );
  if (sort === undefined || sort === "rows")
    return kind === "category" ? places : places.sort((one, other) => Number(one) - Number(other));
  const sums = new Map<Cell, number>();
  for (const { x, y } of values) sums.set(x!, (sums.get(x!) ?? 0) + Number(y));
  const turn = sort === "y" ? 1 : -1;
  return places.sort((one, other) => turn * (sums.get(one)! - sums.get(other)!));
}

/** Returns a column whose logarithmic axis, unless its ends were chosen, begins below the lowest bar. */
const withFoot = (y: Column): Column =>
  y.span && !y.domain ? { ...y, span: [niceNumber(y.span[0] * 0.99, -1), y.span[1]] } : y;

const kind: PlotKind<BarsOptions<DataRow>> = {
  numbers: ["y"],
  optional: seriesRoles,
  checks: { color: colorCheck, stack: flag, horizontal: flag, sort: oneOf("rows", "x", "y", "-y") },
  noun: "bar chart",
  text: barsLines,
  prepare: plot => cutToDomains(plot, ["x"]),
  draw(plot, options) {
    const { columns, values, width, height } = plot;
    const { x, y, series } = columns as { x: Column; y: Column; series?: Column };
    const places = placesOf(plot, options.sort);
    if (places.length > maxBars)
      throw new RangeError(
        `x: ${places.length} bars are more than the ${maxBars} that are drawn: choose some, or draw a line.`,
      );
    const labels = placeLabels(x, places);
    const labelOf = new Map(places.map((place, index) => [place, labels[index]!]));
    if (new Set(values.map(row => JSON.stringify([row.x, row.series]))).size < values.length)
      throw new RangeError(
        `x: several rows have the same ${JSON.stringify(x.title)}${series ? ` and ${JSON.stringify(series.title)}` : ""}: ${series ? "" : "name the column that tells them apart as series, or "}add them up first.`,
      );
    const { stack = false, horizontal = false } = options;
    const isStacked = stack && series !== undefined;
    checkZero(y, "bars", isStacked);
    const beside = series && !stack ? distinct(series).length : 1;
    const bar = beside > 1 ? 14 * beside + 10 : 24;
    const length = horizontal ? (options.height ?? clampPixels(places.length * bar, 60, 1200)) : width;
    const step = length / Math.max(1, places.length);
    const names = horizontal
      ? { labelAngle: 0, ...nameLabels, ...spacedNames(labels, step, 15) }
      : levelNames(labels, step);
    const place = {
      field: "place",
      type: "nominal",
      sort: null,
      scale: { domain: labels, paddingInner: 0.25, paddingOuter: 0.12 },
      axis: {
        title: x.title,
        labelLimit: 320,
        labelOverlap: false,
        ...names,
      },
    };
    const value = { ...axisChannel("y", withFoot(y), { zero: true }), stack: isStacked ? "zero" : null };
    const offset = series &&
      !stack && {
        xOffset: { field: "series", type: "nominal", sort: null, scale: { domain: distinct(series) } },
      };
    const drawn = {
      data: { values: values.map(row => ({ ...row, place: labelOf.get(row.x!) })) },
      encoding: { x: place, ...offset },
      layer: [
        mark(
          "bar",
          { ...plainColor(plot), cornerRadiusEnd: isStacked ? 0 : 2 },
          { y: value, ...seriesChannels(plot, "bar"), tooltip: tooltipOf(plot) },
        ),
        ...(stack || !columns.low ? [] : intervalMarks({}, "y")),
      ],
    };
    return { ...(horizontal ? turned(drawn) : drawn), width, height: horizontal ? length : height };
  },
};

function barsLines({ columns: { x, y }, values }: Plot, width: number): string[] {
  const longest = values.reduce((most, row) => Math.max(most, Math.abs(Number(row.y))), 0) || 1;
  const bars = values.map(row => ({
    names: [formatCell(x!, row.x!), ...[row.series ?? []].flat().map(String)],
    share: Number(row.y) / longest,
    numbers: [formatCell(y!, row.y!)],
  }));
  return barLines(bars, width);
}

/** Draws rows as bars, side by side or on each other where there are series. */
export const barsChart = <Row extends DataRow>(rows: readonly Row[], options: BarsOptions<Row>) =>
  plotChart(kind, rows, options);
