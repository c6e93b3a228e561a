import { anyValue, describeValue, type OptionCheck } from "../../contract/index.ts";
import { formatCount, formatNumber, present, singleLine } from "../../display/index.ts";
import { clampPixels, emptyDrawing, niceNumber, round } from "../channels.ts";
import { type Chart, drawChart } from "../chart.ts";
import { type SizedOptions, sizedChecks } from "../options.ts";
import { isColor } from "../theme.ts";
import { plainTex } from "../vega/metrics.ts";
import {
  type Column,
  type Columns,
  checkNumbers,
  checkRows,
  type DataRow,
  distinct,
  type Encoded,
  extentOf,
  type Plot,
  readColumn,
  sampleRows,
} from "./columns.ts";
import { isSigned } from "./plot-channels.ts";
import { describeRanges, plotLines, plotRecords, plotTable } from "./plot-text.ts";

/** Options of all charts of rows. */
export interface RowsOptions<Row> extends SizedOptions {
  /** Column along the horizontal axis. */
  x: Encoded<Row>;
  /** Column along the vertical axis. */
  y: Encoded<Row>;
  /** Lines below the title. */
  subtitle?: string;
}

/** Rows whose marks have one colour. */
export interface PlainOptions {
  /** Colour of the marks: `#rrggbb`, or a name of CSS such as `"teal"`. Default: that of the theme. */
  color?: string;
}

/** The ends of intervals, and how rows are told apart. */
export interface SeriesOptions<Row> extends RowsOptions<Row> {
  /** Column of the lower end of an interval around `y`. */
  low?: Encoded<Row>;
  /** Column of the upper end of an interval around `y`. */
  high?: Encoded<Row>;
  /** Column that tells the series apart, each with a colour and a name; at most 16. */
  series?: Encoded<Row>;
}

export const seriesRoles = ["low", "high", "series"];

export interface PlotKind<Options> {
  /** Columns that must be named. Default: `x` and `y`. */
  required?: readonly string[];
  /** Columns that are numbers or moments, and no words. Default: none. */
  numbers?: readonly string[];
  /** Default: none. */
  optional?: readonly string[];
  /** Options besides columns, which are checked when they are read. */
  checks?: { readonly [option: string]: OptionCheck };
  noun: string;
  /** Whether more rows than are drawn are sampled evenly, and not refused. Default: false. */
  isSampled?: boolean;
  /** Rows that are read; more are refused. Default: 20,000. */
  maxRows?: number;
  /** Changes what was read before it is drawn, or refuses it. */
  prepare?(plot: Plot): Plot;
  words?(plot: Plot): string;
  /** Lines of text below the title, at most the given number of characters wide, or the whole text. Default: dots on axes. */
  text?(plot: Plot, columns: number): string | readonly string[];
  /** Returns the specification of marks; their data are the rows where it gives none. */
  draw(plot: Plot, options: Options): { [member: string]: unknown };
}

const intervalEnds = [
  ["low", "high"],
  ["xLow", "xHigh"],
] as const;
const maxSeries = 16;
/** More rows than these are sampled where that is honest, and refused elsewhere. */
const maxDrawnRows = 20_000;
const maxSampled = 2_000_000;
/** Columns that are words, whatever their values look like. */
const asCategories: ReadonlySet<string> = new Set(["series", "label"]);

export function plotChart<Row extends DataRow, Options extends Partial<RowsOptions<Row>>>(
  kind: PlotKind<never>,
  given: readonly Row[],
  options: Options,
): Chart<Partial<Options>> {
  const { required = ["x", "y"], optional = [], isSampled = false, maxRows = maxDrawnRows } = kind;
  checkRows(given, isSampled ? maxSampled : maxRows);
  if (typeof options !== "object" || options === null)
    throw new RangeError(
      `The names of columns are given as an object such as { ${exampleOf(required)} }, not ${describeValue(options)}.`,
    );
  const roles = [...required, ...optional];
  const columnNames = [...roles, "subtitle"].map(name => [name, anyValue]);
  const checks = { ...sizedChecks, ...Object.fromEntries(columnNames), ...kind.checks };
  return drawChart<Partial<Options>>(checks as never, options, chosen => {
    const { color } = chosen as { color?: unknown };
    const isColumn = roles.includes("color") && given.some(row => String(color) in row);
    const fixed = isColor(color) && !isColumn ? color : undefined;
    const read = readPlot(kind, given, fixed === undefined ? chosen : { ...chosen, color: undefined });
    const plot = kind.prepare?.(read) ?? read;
    const { title, subtitle, values, width, height } = plot;
    const words = kind.words?.(plot);
    const noun = words ? `${words}. ${kind.noun[0]!.toUpperCase()}${kind.noun.slice(1)}` : kind.noun;
    const drawn =
      values.length > 0
        ? grounded(plot, clipped(plot, { data: { values }, ...kind.draw(plot, chosen as never) }))
        : emptyDrawing("no rows");
    return {
      ...{ title, subtitle, plot, color: fixed, spec: { width, height, ...drawn } },
      description: `${title}: ${noun} of ${formatCount(plot.rows ?? values.length, "rows")}. ${describeRanges(plot)}`,
      table: () => plotTable(plot),
      records: () => plotRecords(plot),
      text: columns => (kind.text ?? plotLines)(plot, columns),
    };
  });
}

function readPlot<Row extends DataRow>(
  { required = ["x", "y"], numbers = [], optional = [], maxRows = maxDrawnRows }: PlotKind<never>,
  given: readonly Row[],
  options: Partial<RowsOptions<Row>>,
): Plot {
  const rows = sampleRows(given, maxRows);
  const encoded = options as { [role: string]: Encoded<Row> | undefined };
  const missing = required.find(role => encoded[role] === undefined);
  if (missing)
    throw new RangeError(`${missing} is missing: the name of a column, such as { ${exampleOf(required)} }.`);
  for (const [low, high] of intervalEnds)
    if ((encoded[low] === undefined) !== (encoded[high] === undefined))
      throw new RangeError(
        `${low} and ${high} are given together: the columns of both ends of the intervals.`,
      );
  const roles = [...required, ...optional.filter(role => encoded[role] !== undefined)];
  const columns = Object.fromEntries(
    roles.map(role => [
      role,
      readColumn(rows, role, asCategories.has(role) ? asCategory(encoded[role]!) : encoded[role]!),
    ]),
  );
  for (const role of [...numbers, ...intervalEnds.flat(), "size", "color"])
    if (columns[role]) checkNumbers(columns[role], role);
  for (const role of ["x", "y"]) spanLog(columns, role);
  const { title, subtitle } = options;
  const [width, height] = [options.width ?? 480, options.height ?? 280].map(size => clampPixels(size, 40));
  if (columns.x) columns.x.room = width!;
  if (columns.y) columns.y.room = height!;
  const all = rows.map((_, index) =>
    Object.fromEntries(roles.map(role => [role, columns[role]!.values[index]!])),
  );
  const values = all.filter(row => required.every(role => row[role] !== null));
  const left = all.length - values.length;
  const names = columns.series ? distinct(columns.series) : [];
  if (names.length > maxSeries)
    throw new RangeError(
      `series: ${names.length} series are more than the ${maxSeries} that are told apart: choose some, or draw facets.`,
    );
  return {
    title: singleLine(plainTex(title ?? defaultTitle(columns)), 80),
    subtitle: present([
      subtitle !== undefined && singleLine(subtitle, 120),
      rows.length < given.length &&
        `${formatNumber(rows.length)} of ${formatNumber(given.length)} rows are drawn, evenly sampled`,
      left > 0 && `${formatCount(left, "rows")} without a value ${left === 1 ? "is" : "are"} not drawn`,
    ]),
    columns,
    values,
    gaps: all.filter(row => row.y === null && row.x !== null),
    ...{ width: width!, height: height! },
  };
}

const exampleOf = (roles: readonly string[]) => roles.map(role => `${role}: "…"`).join(", ");

/** Marks that stand for one row each: those beyond an axis go, and none is cut in half. */
const wholeMarks = ["point", "text", "tick"];

/** Returns the marks of a chart without what lies beyond the ends of the axes that were chosen. */
function clipped({ columns }: Plot, { layer, ...drawn }: { [member: string]: unknown }) {
  if (!columns.x?.domain && !columns.y?.domain) return { ...drawn, layer };
  const within = (encoding: object) =>
    (["x", "y"] as const).flatMap(role => {
      const { field, type } = Object({ ...Object(drawn.encoding), ...encoding }[role]);
      const [from, to] = (field && type !== "nominal" && columns[role]?.domain) || [];
      return from === undefined ? [] : [{ filter: `datum.${field} >= ${from} && datum.${field} <= ${to}` }];
    });
  return {
    ...drawn,
    layer: (layer as { mark: { type: string }; encoding: object; transform?: object[] }[]).map(part =>
      wholeMarks.includes(part.mark.type)
        ? { ...part, transform: [...(part.transform ?? []), ...within(part.encoding)] }
        : { ...part, mark: { ...part.mark, clip: true } },
    ),
  };
}

/** Returns a plot without the rows that are beyond the chosen ends of axes that have a place for each value. */
export function cutToDomains(plot: Plot, roles: readonly string[]): Plot {
  const isWithin = (role: string, value: unknown) => {
    const { domain } = plot.columns[role]!;
    return !domain || (Number(value) >= domain[0] && Number(value) <= domain[1]);
  };
  const cut = roles.map(role => {
    const column = plot.columns[role]!;
    return [role, { ...column, values: column.values.filter(value => isWithin(role, value)) }];
  });
  const values = plot.values.filter(row => roles.every(role => isWithin(role, row[role])));
  return { ...plot, values, columns: { ...plot.columns, ...Object.fromEntries(cut) } };
}

/** Throws a `RangeError` for marks that stand on 0 where their axis has none: of dates, or of logarithms where they add up. */
export function checkZero({ title, scale }: Column, noun: string, isStacked: boolean): void {
  if (scale === "time")
    throw new RangeError(
      `y: ${noun} stand on 0, which the dates of ${JSON.stringify(title)} don't have: draw a line or points.`,
    );
  if (scale === "log" && isStacked)
    throw new RangeError(
      `y: ${noun} on each other add up from 0, which a logarithmic axis does not have: set stack: false.`,
    );
}

/** Returns a drawing whose horizontal axis has a line only if there is none at 0. */
function grounded({ columns: { y, low, high } }: Plot, drawing: { [member: string]: unknown }) {
  const { x, ...encoding } = Object(drawing.encoding) as { [channel: string]: { axis?: object } };
  if (!x?.axis || !y || !isSigned(y, [low, high])) return drawing;
  return { ...drawing, encoding: { x: { ...x, axis: { ...x.axis, domain: false } }, ...encoding } };
}

/** Chooses the ends of a logarithmic axis around values and intervals, which can't reach down to 0. */
function spanLog(columns: { [role: string]: Column }, role: string): void {
  const column = columns[role];
  if (column?.scale !== "log") return;
  const parts = role === "y" ? [column, columns.low, columns.high] : [column];
  const positive = parts.flatMap(part => part?.values ?? []).filter(value => Number(value) > 0);
  if (positive.length === 0) return;
  const [low, high] = extentOf(positive);
  const [min, max] = [niceNumber(low, -1), niceNumber(high, 1)];
  column.span = column.domain ?? (min < max ? [min, max] : [round(min / 2), round(max * 2)]);
  const { span } = column;
  if (role !== "y") return;
  for (const end of [columns.low, columns.high])
    if (end)
      end.values = end.values.map(value => (typeof value === "number" && value <= 0 ? span[0] : value));
}

const defaultTitle = ({ x, y, color }: Columns) =>
  color
    ? `${color.title} by ${x!.title} and ${y!.title}`
    : x && y
      ? `${y.title} by ${x.title}`
      : (x ?? y)!.title;

const asCategory = <Row>(encoded: Encoded<Row>): Encoded<Row> =>
  typeof encoded === "string" ? { field: encoded, scale: "category" } : { ...encoded, scale: "category" };
