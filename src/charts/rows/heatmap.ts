import { flag, list } from "../../contract/index.ts";
import { clip, pad, present } from "../../display/index.ts";
import { clampPixels, labelWidth, mark, round, wholeSteps } from "../channels.ts";
import { averageCells, cellAxis } from "./cell-axis.ts";
import {
  type Channel,
  type Column,
  type DataRow,
  distinct,
  type Encoded,
  extentOf,
  formatCell,
  isNumberList,
  onto,
  type Plot,
} from "./columns.ts";
import { cutToDomains, type PlotKind, plotChart, type RowsOptions } from "./plot.ts";
import { ramp, rampChannel, tooltipOf } from "./plot-channels.ts";

/** Options of rows drawn as a heatmap. */
export interface HeatmapOptions<Row> extends RowsOptions<Row> {
  /** Column of the colours. */
  color: Encoded<Row>;
  /** Whether cells show their values. Default: with up to 100 cells. */
  values?: boolean;
}

/** Options of a matrix drawn as a heatmap. */
export interface MatrixOptions extends Omit<HeatmapOptions<MatrixCell>, "x" | "y" | "color"> {
  /** Words at the horizontal axis, such as `"measured"`. Default: `"column"`. */
  x?: string;
  /** Words at the vertical axis, such as `"prepared"`. Default: `"row"`. */
  y?: string;
  /** Title of the colour scale, or its title, scale and domain. Default: `"value"`. */
  color?: string | Omit<Channel<MatrixCell>, "field">;
  /** Names of the columns, or numbers along the axis. Default: the columns are counted from 0. */
  columns?: readonly (string | number)[];
  /** Names of the rows, or numbers along the axis. Default: the rows are counted from 0. */
  rows?: readonly (string | number)[];
}

/** A cell of a matrix. */
export interface MatrixCell {
  /** The cell's column: its name, or the number that the axis has there. */
  column: string | number;
  /** The cell's row: its name, or the number that the axis has there. */
  row: string | number;
  /** The cell's value. */
  value: number;
}

const maxSide = 100;
const maxLabelledCells = 100;
const defaultWidth = 480;
const minWidth = 120;
/** Cells reach under their neighbours, and no ground is seen between them. */
export const overlap = { x2Offset: 0.6, y2Offset: -0.6 };
const squareCell = 64;

const kind: PlotKind<HeatmapOptions<DataRow>> = {
  required: ["x", "y", "color"],
  checks: { values: flag },
  noun: "heatmap",
  words: describeHeatmap,
  text: heatmapLines,
  maxRows: 1_000_000,
  prepare(plot) {
    const { color } = plot.columns as { color: Column };
    if (color.scale === "time")
      throw new RangeError(`color: ${JSON.stringify(color.title)} is not a column of numbers.`);
    const places = new Set(plot.values.map(({ x, y }) => `${x}\0${y}`));
    if (places.size < plot.values.length)
      throw new RangeError("Several rows have the same x and y: average them first, or choose some of them.");
    return averageCells(cutToDomains(plot, ["x", "y"]));
  },
  draw(plot, options) {
    const { columns, values } = plot;
    const { x, y, color } = columns as { x: Column; y: Column; color: Column };
    const [across, down] = [distinct(x).length, distinct(y).length];
    const cell = Math.min(squareCell, defaultWidth / Math.max(1, across));
    const width =
      options.width === undefined
        ? wholeSteps(clampPixels(across * cell, minWidth, defaultWidth), across)
        : plot.width;
    const step = width / Math.max(1, across);
    const usual = wholeSteps(Math.max(60, Math.min(defaultWidth, down * step)), down);
    const height = clampPixels(options.height ?? usual, 40);
    const written = (value: unknown) =>
      formatCell(color, Number(Number(value).toPrecision(3))).replaceAll("-", "−");
    const fits = labelWidth(values.map(row => written(row.color))) <= step + 12 && height / down >= 14;
    const isLabelled = options.values ?? (values.length <= maxLabelledCells && fits);
    const scale = ramp(color);
    const axes = [
      cellAxis("x", x, { room: width, isBanded: isLabelled }),
      cellAxis("y", y, { room: height, isBanded: isLabelled }),
    ];
    const channels = Object.assign({}, ...axes.map(axis => axis.channels));
    return {
      width,
      height,
      data: {
        values: values.map(row => ({
          ...row,
          ...Object.assign({}, ...axes.map(axis => axis.members(row))),
          ...(isLabelled && { text: written(row.color), isLight: isLight(Number(row.color), scale) }),
        })),
      },
      encoding: channels,
      layer: present([
        mark(
          "rect",
          {
            ...overlap,
            ...(!("x2" in channels) && { width: round(step + overlap.x2Offset) }),
            ...(!("y2" in channels) && { height: round(height / down + overlap.x2Offset) }),
          },
          { color: rampChannel("color", color, height), tooltip: tooltipOf(plot) },
        ),
        isLabelled &&
          mark(
            "text",
            { fontSize: 11 },
            {
              text: "text",
              color: { condition: { test: "datum.isLight", value: "#000000" }, value: "#ffffff" },
            },
          ),
      ]),
    };
  },
};

/** Whether the colour of a value takes black text rather than white. */
function isLight(value: number, { domain, type }: { domain: readonly number[]; type?: string }): boolean {
  const at = type === "log" ? Math.log : Number;
  const share = (at(value) - at(domain[0]!)) / (at(domain.at(-1)!) - at(domain[0]!) || 1);
  return share > (domain.length === 3 ? 0.035 : 0.435);
}

export const heatmapChart = <Row extends DataRow>(rows: readonly Row[], options: HeatmapOptions<Row>) =>
  plotChart(kind, rows, options);

/** Returns the cells of a matrix, and how many columns by how many rows each is the mean of; a `RangeError` for uneven rows. */
export function matrixCells(
  matrix: readonly ArrayLike<number>[],
  { columns, rows }: MatrixOptions,
): { cells: MatrixCell[]; blocks: [across: number, down: number] } {
  const width = matrix[0]?.length ?? 0;
  const uneven = matrix.findIndex(row => !isNumberList(row) || row.length !== width);
  if (uneven >= 0)
    throw new RangeError(
      `Row ${uneven} of the matrix has another length than the first one, which has ${width} numbers.`,
    );
  for (const [name, names, wanted] of [
    ["columns", columns, width],
    ["rows", rows, matrix.length],
  ] as const)
    if (names !== undefined && (list(names) !== undefined || names.length !== wanted))
      throw new RangeError(`${name} must be a list of ${wanted} names.`);
  const blocks: [number, number] = [Math.ceil(width / maxSide), Math.ceil(matrix.length / maxSide)];
  const names = (given: readonly (string | number)[] | undefined, count: number, block: number) =>
    Array.from({ length: Math.ceil(count / block) }, (_, index) => {
      const covered = given?.slice(index * block, (index + 1) * block);
      if (!covered) return String(index * block);
      return covered.every(name => typeof name === "number") ? mean(covered) : covered[0]!;
    });
  const [across, down] = [names(columns, width, blocks[0]), names(rows, matrix.length, blocks[1])];
  const cells = down.flatMap((row, y) =>
    across.map((column, x) => {
      const covered = matrix
        .slice(y * blocks[1], (y + 1) * blocks[1])
        .flatMap(numbers => Array.from(numbers).slice(x * blocks[0], (x + 1) * blocks[0]));
      return { column, row, value: mean(covered) };
    }),
  );
  return { cells, blocks };
}

const mean = (numbers: readonly number[]) =>
  numbers.length === 1 ? numbers[0]! : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;

const shades = " ░▒▓█";
const empty = "·";
const maxLabel = 12;
const maxCellWidth = 3;

const short = (column: Column, value: string | number) =>
  formatCell(column, typeof value === "number" && column.scale !== "time" ? round(value, 4) : value);

function describeHeatmap({ columns, values }: Plot): string {
  const { x, y, color } = columns as { x: Column; y: Column; color: Column };
  const [first] = values;
  if (!first) return "no cells";
  const pick = (isFurther: (row: number, found: number) => boolean) =>
    values.reduce((found, row) => (isFurther(Number(row.color), Number(found.color)) ? row : found), first);
  const at = (row: (typeof values)[number]) =>
    `${short(color, row.color!)} at ${x.title} ${short(x, row.x!)}, ${y.title} ${short(y, row.y!)}`;
  return `lowest ${at(pick((row, found) => row < found))}, highest ${at(pick((row, found) => row > found))}`;
}

function heatmapLines({ columns, values }: Plot, lines: number): string[] {
  const { x, y, color } = columns as { x: Column; y: Column; color: Column };
  const width = Math.max(30, Math.floor(lines));
  const [across, down] = [distinct(x), distinct(y)];
  const [min, max] = color.domain ?? extentOf(values.map(row => row.color));
  const known = new Map(values.map(row => [JSON.stringify([row.x, row.y]), Number(row.color)]));
  const labels = (y.scale === "category" ? down : down.toReversed()).map(value => ({
    value,
    label: clip(short(y, value!), maxLabel),
  }));
  const label = Math.max(0, ...labels.map(({ label }) => label.length));
  const cell = Math.max(
    1,
    Math.min(maxCellWidth, Math.floor((width - label - 4) / Math.max(1, across.length))),
  );
  const at = onto(color);
  const shadeOf = (value: number | undefined) => {
    if (value === undefined) return empty;
    const share = Math.min(1, Math.max(0, (at(value) - at(min)) / (at(max) - at(min) || 1)));
    return shades[Math.round(share * (shades.length - 1))]!;
  };
  const drawn = labels.map(({ value, label: name }) => {
    const marks = across.map(place => shadeOf(known.get(JSON.stringify([place, value]))).repeat(cell));
    return `  ${pad(name, label, "right")} ${marks.join("")}`;
  });
  const [from, to] = [across[0], across.at(-1)];
  const scale =
    values.length > 0
      ? `  ${x.title} ${short(x, from!)} to ${short(x, to!)} · █ ${short(color, max)}, blank ${short(color, min)}`
      : "  no cells";
  return [...drawn, scale];
}
