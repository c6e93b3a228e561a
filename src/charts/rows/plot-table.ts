import { type Column as TableColumn, table } from "../../display/table.ts";
import type { Cell } from "./columns.ts";
import { formatCell } from "./format-cell.ts";
import type { Plot } from "./plot.ts";

/** Returns the ranges of a plot's columns in words. */
export function describeRanges({ columns, values }: Plot): string {
  const range = (role: string) => {
    const column = columns[role];
    if (!column) return "";
    const found = values.map(row => row[role]!).filter(value => typeof value === "number");
    if (found.length === 0) return "";
    const [min, max] = found.reduce(
      ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
      [Infinity, -Infinity],
    );
    return `${column.title} from ${formatCell(column, min)} to ${formatCell(column, max)}`;
  };
  return ["x", "y"].map(range).filter(Boolean).join(", ");
}

/** Returns the rows of a plot as a table. */
export function plotTable({ title, columns, values }: Plot) {
  return table<{ [role: string]: Cell }>({
    caption: title,
    rows: values,
    columns: Object.entries(columns).map(
      ([role, column]): TableColumn<{ [role: string]: Cell }> => ({
        label: column.title,
        align: column.scale === "category" ? "left" : "right",
        value: row => formatCell(column, row[role]!),
      }),
    ),
  });
}

/** Returns the rows of a plot with the names of their columns; moments as ISO 8601. */
export function plotRecords({ columns, values }: Plot): object[] {
  const cell = (role: string, value: Cell) =>
    columns[role]!.scale === "time" && value !== null ? new Date(value).toISOString() : value;
  return values.map(row =>
    Object.fromEntries(
      Object.entries(columns).map(([role, { title }]) => [title.trim(), cell(role, row[role]!)]),
    ),
  );
}
