import { type Column as TableColumn, table } from "../../display/table.ts";
import { cellWords } from "./cell-words.ts";
import type { Cell } from "./columns.ts";
import type { Plot } from "./plot.ts";

/** Returns the ranges of a plot's columns in words. */
export function rangeWords({ columns, values }: Plot): string {
  const range = (role: string) => {
    const column = columns[role]!;
    const found = values.map(row => row[role]!).filter(value => typeof value === "number");
    if (found.length === 0) return "";
    const [least, most] = found.reduce(
      ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
      [Infinity, -Infinity],
    );
    return `${column.title} from ${cellWords(column, least)} to ${cellWords(column, most)}`;
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
        value: row => cellWords(column, row[role]!),
      }),
    ),
  });
}
