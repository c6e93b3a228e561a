import { adviceFor, anyValue, checkOptions, describeValue, stringValue } from "../../contract/index.ts";
import { clipMiddle, formatMagnitude, formatNumber, missing, singleLine } from "../../display/index.ts";
import { round, writtenApart } from "../channels.ts";
import { plainTex } from "../vega/metrics.ts";

/** One record of a person's own data: from the name of a column to its value. */
export type DataRow = object;

/** Data in columns: the values of each, one a row. */
export type DataColumns<Row> = { readonly [Name in keyof Row]: ArrayLike<Row[Name]> };

type ScaleKind = NonNullable<Channel<never>["scale"]>;

/** A column, and how it is drawn. */
export interface Channel<Row> {
  /** Name of the column. */
  field: keyof Row & string;
  /** Words at the axis, with small TeX such as `"$\\theta_0$, rad"`. Default: the column's name. */
  title?: string;
  /** Default: `"time"` for dates, `"category"` for text, otherwise `"linear"`. */
  scale?: "linear" | "log" | "time" | "category";
  /** First and last value of the axis: what lies beyond is cut. Default: as far as the values reach. */
  domain?: readonly [number, number] | readonly [Date | string, Date | string];
}

/** A column by its name, or with how it is drawn. */
export type Encoded<Row> = (keyof Row & string) | Channel<Row>;

/** One value of a row as it is drawn: a number, a moment in milliseconds, or a category; null where it is missing. */
export type Cell = number | string | null;

export interface Column {
  title: string;
  /** Whether the title is the name of the column, which nobody chose. */
  isUntitled: boolean;
  scale: ScaleKind;
  domain?: readonly [number, number];
  /** Ends of a logarithmic axis. */
  span?: readonly [number, number];
  /** Pixels of its axis. */
  room?: number;
  /** Significant digits in words: six, or as many as tell a thousandth of its length apart. */
  digits?: number;
  values: Cell[];
}

export type Columns = { readonly [role: string]: Column };

export interface Plot {
  title: string;
  subtitle: string[];
  columns: Columns;
  /** The rows that have a value for every axis. */
  values: { [role: string]: Cell }[];
  /** Rows that the values stand for, where these are fewer or cells. */
  rows?: number;
  /** The rows that lack `y` alone: there a line breaks. */
  gaps: { [role: string]: Cell }[];
  width: number;
  height: number;
}

/** Returns functions from values of a column onto its scale, and back. */
export const onto = ({ scale }: Pick<Column, "scale">) => (scale === "log" ? Math.log : Number);
export const from = ({ scale }: Pick<Column, "scale">) => (scale === "log" ? Math.exp : Number);

const isoDate = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const MAX_COLUMN_LENGTH = 2_000_000;
const scales: readonly ScaleKind[] = ["linear", "log", "time", "category"];

/** Returns rows, or columns as rows. Throws a `RangeError` for columns of different lengths. */
export function rowsOf<Row extends DataRow>(given: readonly Row[] | DataColumns<Row>): readonly Row[] {
  if (Array.isArray(given) || typeof given !== "object" || given === null) return given as readonly Row[];
  const columns = Object.entries(given as { [name: string]: unknown });
  if (columns.length === 0 || !columns.every(([, values]) => isNumberList(values))) return given as never;
  const lists = columns as [string, ArrayLike<unknown>][];
  const [[first, { length }]] = lists as [[string, ArrayLike<unknown>]];
  const uneven = lists.find(([, values]) => values.length !== length);
  if (uneven)
    throw new RangeError(
      `The columns are of different lengths: ${JSON.stringify(first)} has ${length} values, and ${JSON.stringify(uneven[0])} ${uneven[1].length}.`,
    );
  checkCount(length, MAX_COLUMN_LENGTH);
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(lists.map(([name, values]) => [name, values[index]])),
  ) as Row[];
}

function checkCount(rows: number, max: number): void {
  if (rows > max)
    throw new RangeError(
      `${formatNumber(rows)} rows are more than the ${formatNumber(max)} that are drawn: aggregate or sample them first.`,
    );
}

export const isNumberList = (values: unknown): values is ArrayLike<number> =>
  Array.isArray(values) || (ArrayBuffer.isView(values) && "length" in values);

/** Checks that rows are a list of records of bounded length. Throws a `RangeError` that says what they are instead. */
export function checkRows(rows: readonly DataRow[], maxRows: number): void {
  if (!Array.isArray(rows))
    throw new RangeError(
      `Rows are a list of records such as [{ x: 1, y: 0.5 }], or columns such as { x: [1, 2], y: [0.5, 0.7] }; not ${describeValue(rows)}.`,
    );
  checkCount(rows.length, maxRows);
  const wrong = rows.findIndex(row => typeof row !== "object" || row === null || Array.isArray(row));
  if (wrong >= 0)
    throw new RangeError(
      `Row ${wrong} is ${describeValue(rows[wrong])}, and no record such as { x: 1, y: 0.5 }.`,
    );
}

/** Returns at most `max` rows: one of each of as many ranges of equal length, none of them at a fixed place in its range. */
export function sampleRows<Row>(rows: readonly Row[], max: number): readonly Row[] {
  if (rows.length <= max) return rows;
  const start = (index: number) => Math.floor((index * rows.length) / max);
  return Array.from({ length: max }, (_, index) => {
    const place = ((index * 2_654_435_761) % 2 ** 32) / 2 ** 32;
    return rows[start(index) + Math.floor(place * (start(index + 1) - start(index)))]!;
  });
}

/** Reads a column for a `role`. Throws a `RangeError` for a column that no row has, and values that its scale can't hold. */
export function readColumn<Row extends DataRow>(
  rows: readonly Row[],
  role: string,
  encoded: Encoded<Row>,
): Column {
  const given = typeof encoded === "string" ? { field: encoded } : encoded;
  checkOptions<Channel<Row>>(given, channelChecks);
  const { field, title, scale, domain } = Object(given) as Channel<Row>;
  if (typeof field !== "string")
    throw new RangeError(
      `${role} is the name of a column, or { field: "…", title: "…", scale: "log" }; not ${describeValue(encoded)}.`,
    );
  checkField(rows, role, field);
  if (scale !== undefined && !scales.includes(scale))
    throw new RangeError(
      `${role}: there is no scale ${describeValue(scale)}: there are ${scales.join(", ")}.`,
    );
  const raw = rows.map(row => (row as { [name: string]: unknown })[field]);
  const kind = scale ?? kindOf(raw);
  const values = raw.map(value => cellOf(value, kind));
  if (kind === "log" && values.some(value => typeof value === "number" && value <= 0))
    throw new RangeError(
      `${role}: ${JSON.stringify(field)} has values of 0 or less, which a logarithmic scale has no place for.`,
    );
  const ends = domain === undefined ? undefined : domainOf(role, domain, kind);
  return {
    title: titleOf(singleLine(title === undefined ? field : plainTex(title), 80)),
    isUntitled: title === undefined,
    scale: kind,
    values,
    digits: digitsOf(values),
    ...(ends && { domain: ends }),
  };
}

/** Returns a title that Vega takes: it stumbles over the names of members that all objects have, such as `constructor`. */
const titleOf = (words: string) => (words in {} ? `${words} ` : words);

const channelChecks = { field: anyValue, title: stringValue, scale: anyValue, domain: anyValue };

function domainOf(role: string, given: unknown, kind: ScaleKind): [number, number] {
  const [from, to] = (Array.isArray(given) && given.length === 2 ? given : []).map(end => cellOf(end, kind));
  if (typeof from !== "number" || typeof to !== "number" || from >= to)
    throw new RangeError(`${role}: a domain is its first and last value, such as [0, 1].`);
  if (kind === "log" && from <= 0)
    throw new RangeError(`${role}: the domain of a logarithmic scale begins above 0, such as [0.001, 1].`);
  return [from, to];
}

/** Throws a `RangeError` where a column holds words in place of numbers, with one of them. */
export function checkNumbers({ title, values, scale }: Column, role: string): void {
  if (scale !== "category") return;
  const word = values.find(value => value !== null);
  const advice =
    word !== undefined && word !== "" && Number.isFinite(Number(word))
      ? ": make numbers of them with Number(…)"
      : "";
  throw new RangeError(
    `${role}: ${JSON.stringify(title)} holds ${describeValue(word)}, which is not a number${advice}.`,
  );
}

function checkField(rows: readonly DataRow[], role: string, field: string): void {
  if (rows.length === 0 || rows.some(row => field in row)) return;
  const names = [...new Set(rows.slice(0, 100).flatMap(row => Object.keys(row)))].slice(0, 20);
  throw new RangeError(`${role}: no row has a column ${describeValue(field)}: ${adviceFor(field, names)}`);
}

function kindOf(values: readonly unknown[]): ScaleKind {
  const known = values.filter(value => value !== null && value !== undefined);
  if (known.every(value => typeof value === "number" || typeof value === "bigint")) return "linear";
  const isMoment = (value: unknown) =>
    value instanceof Date || (typeof value === "string" && isoDate.test(value));
  return known.every(isMoment) ? "time" : "category";
}

function cellOf(value: unknown, kind: ScaleKind): Cell {
  if (value === null || value === undefined) return null;
  if (kind === "category") {
    const words = value instanceof Date ? value.toISOString() : value;
    return clipMiddle(singleLine(words, 1000), 60);
  }
  const number = kind === "time" ? new Date(value as string).getTime() : Number(value);
  return Number.isFinite(number) && value !== "" && typeof value !== "boolean" ? number : null;
}

/** Returns the least and the largest number of some cells; infinite ones where there is none. */
export function extentOf(values: readonly unknown[]): [number, number] {
  const numbers = values.filter(value => typeof value === "number");
  const min = numbers.reduce((low, value) => Math.min(low, value), Infinity);
  return [min, numbers.reduce((high, value) => Math.max(high, value), -Infinity)];
}

function digitsOf(values: readonly unknown[]): number {
  const [min, max] = extentOf(values);
  const ratio = Math.max(Math.abs(min), Math.abs(max)) / (max - min);
  return Number.isFinite(ratio) ? Math.min(15, Math.max(6, Math.ceil(Math.log10(ratio)) + 4)) : 6;
}

/** Values of a column that differ, in the order in which they first stand; numbers from small to large. */
export function distinct({ values, scale }: Column): Cell[] {
  const unique = [...new Set(values)].filter(value => value !== null);
  return scale === "category" ? unique : unique.sort((one, other) => Number(one) - Number(other));
}

/** Returns the labels of places: numbers with as few digits as tell them apart, at least `digits`. */
export function placeLabels(column: Column, places: readonly Cell[], digits: number = 6): string[] {
  if (column.scale !== "linear" && column.scale !== "log")
    return places.map(place => formatCell(column, place));
  return places.map(Number).map(writtenApart(places.map(Number), digits));
}

/** Returns a value in words: a whole number, another with as many digits as are of use, a moment, a category. */
export function formatCell({ scale, digits }: Pick<Column, "scale" | "digits">, value: Cell): string {
  if (value === null) return missing;
  if (scale === "time")
    return new Date(value)
      .toISOString()
      .replace(/T00:00:00\.000Z$/, "")
      .replace(/\.000Z$/, "Z");
  if (typeof value !== "number") return value;
  return formatMagnitude(Number.isSafeInteger(value) ? value : round(value, digits));
}
