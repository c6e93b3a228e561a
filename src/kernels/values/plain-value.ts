import { inspect } from "#host";
import { clip, formatValue, type MimeBundle, singleLine, table, untypeset } from "../../display/index.ts";
import { attempted } from "../../host/attempted.ts";

const MAX_TEXT_LENGTH = 1_000_000;

/** A value as `console.log` prints it; an array of records of one form is a table besides. */
export function plainBundle(value: unknown): MimeBundle {
  const text = clip(typeof value === "string" ? value : inspectSafely(value), MAX_TEXT_LENGTH);
  const table = attempted(() => (Array.isArray(value) ? recordTable(value) : undefined));
  return { ...(table && { "text/html": untypeset(table) }), "text/plain": text };
}

/** The text of a value as Node prints it. Never throws. */
export function inspectSafely(value: unknown): string {
  try {
    return inspect(value);
  } catch (error) {
    return `This value could not be printed: ${String(error)}`;
  }
}

type Fields = Readonly<Record<string, unknown>>;

const MAX_ROWS = 100;
const MAX_COLUMNS = 20;
const MAX_COMPARED_ROWS = 10_000;

/** Whether a value is an object as a literal makes it, and no more than data. */
export function isPlainObject(value: unknown): value is Fields {
  if (typeof value !== "object" || value === null) return false;
  const prototype = attempted(() => Object.getPrototypeOf(value));
  return prototype === Object.prototype || prototype === null;
}

/** An array of records that all have the same fields, as the markup of a table; undefined for any other. */
function recordTable(rows: readonly unknown[]): string | undefined {
  const [first] = rows;
  if (!isPlainObject(first)) return undefined;
  const names = Object.keys(first);
  if (
    names.length === 0 ||
    !rows.slice(0, MAX_COMPARED_ROWS).every(row => isPlainObject(row) && hasFields(row, names))
  )
    return undefined;
  const records = rows as readonly Fields[];
  const columns = names.slice(0, MAX_COLUMNS).map(name => ({
    label: clip(name),
    align:
      typeof first[name] === "number" || typeof first[name] === "bigint"
        ? ("decimal" as const)
        : ("left" as const),
    value: (row: Fields) => fieldText(row, name),
  }));
  const left = names.length - columns.length;
  const caption = left > 0 ? { caption: `+ ${left} more columns` } : {};
  return table({ columns, rows: records, limit: MAX_ROWS, noun: "rows", ...caption }).html;
}

function hasFields(row: Fields, names: readonly string[]): boolean {
  const own = Object.keys(row);
  return own.length === names.length && names.every(name => Object.hasOwn(row, name));
}

function fieldText(row: Fields, name: string): string {
  try {
    const value = row[name];
    if (typeof value === "number") return formatValue(value)!;
    return singleLine(
      typeof value === "string" ? value : inspect(value, { depth: 0, breakLength: Infinity }),
    );
  } catch (error) {
    return singleLine(String(error));
  }
}
