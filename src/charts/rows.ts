import { unknownOption } from "../contract/options.ts";
import { formatNumber } from "../display/format.ts";
import { type Column, table } from "../display/table.ts";
import { clip, plain } from "../display/text.ts";

/** Records that a chart is drawn from: column to value. */
export type Rows = readonly { readonly [column: string]: unknown }[];

/** So many rows are drawn; a picture of more shows nothing more. */
export const maxRows = 20_000;

/** Checks that rows have a column, and that a chart can hold them all. Throws a `RangeError` that names it. */
export function checkRows(rows: Rows, columns: readonly (string | undefined)[]): void {
  if (!Array.isArray(rows)) throw new RangeError("Rows are a list of records: [{ x: 0, y: 1 }].");
  if (rows.length > maxRows)
    throw new RangeError(
      `${formatNumber(rows.length)} rows are more than a chart shows (${formatNumber(maxRows)}): sum them up first.`,
    );
  const names = new Set(rows.slice(0, 100).flatMap(row => Object.keys(Object(row))));
  for (const column of columns)
    if (column !== undefined && rows.length > 0 && !rows.some(row => Object.hasOwn(Object(row), column)))
      throw new RangeError(unknownOption(column, [...names]).replace("option", "column"));
}

/** A row's number in a column; null for what is no finite number. */
export function numberIn(row: Rows[number], column: string | undefined): number | null {
  const value = column === undefined ? undefined : row[column];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** A value as the name of a category or panel: numbers with four digits. */
export function nameOf(value: unknown): string {
  if (typeof value === "number") return formatNumber(Number(value.toPrecision(4)));
  return plain(typeof value === "object" ? JSON.stringify(value) : value, 40);
}

/** The different values of a column: numbers in ascending order, other values in the order of the rows. */
export function valuesOf(rows: Rows, column: string): unknown[] {
  const values = [...new Map(rows.map(row => [JSON.stringify(row[column]), row[column]])).values()];
  return values.every(value => typeof value === "number") ? values.toSorted((a, b) => a - b) : values;
}

/** The rows as a table, for the text alternative of their chart. */
export function rowsTable(rows: Rows, columns: readonly string[], caption: string) {
  return table<Rows[number]>({
    caption,
    rows,
    noun: "rows",
    limit: 200,
    columns: columns.map(
      (column): Column<Rows[number]> => ({
        label: clip(column, 40),
        align: rows.some(row => typeof row[column] === "number") ? "decimal" : "left",
        value: row => (row[column] === undefined || row[column] === null ? null : nameOf(row[column])),
      }),
    ),
  });
}
