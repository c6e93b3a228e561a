import { type Distribution, sortedOutcomes, totalOf } from "./distribution.ts";
import { type Accuracy, type Interval, intervalRule } from "./interval.ts";

/** A row of a table: column to value. */
export interface Row {
  readonly [column: string]: unknown;
}

/** Value of a table cell. */
export type Scalar = string | number | boolean | null;

const maxColumns = 4096;
const maxValues = 2 ** 26;
const maxDepth = 8;
const lineEnd = "\r\n";

/**
 * Makes columns of rows, in the order in which their names are first met. Objects within a row become columns of their
 * own (`tags.course`), lists and what is deeper than 8 levels JSON, dates ISO 8601, and what is missing null.
 * Throws a `RangeError` for more than 4,096 columns or 2^26 values.
 */
export function columnsOf(rows: readonly object[]): Map<string, Scalar[]> {
  const columns = new Map<string, Scalar[]>();
  const fill = (index: number, name: string, value: unknown, depth: number) => {
    const plain = plainOf(value);
    if (isBranch(plain) && depth < maxDepth) {
      const prefix = name && `${name}.`;
      for (const key of Object.keys(plain)) fill(index, prefix + key, plain[key], depth + 1);
      return;
    }
    let column = columns.get(name);
    if (!column) {
      if (columns.size === maxColumns || (columns.size + 1) * rows.length > maxValues)
        throw new RangeError("The rows have too many columns for one table: take fewer members of each.");
      column = new Array<Scalar>(rows.length).fill(null);
      columns.set(name, column);
    }
    column[index] = scalarOf(plain);
  };
  for (const [index, row] of rows.entries()) fill(index, "", row, 0);
  return columns;
}

/** Returns the value that JSON would write. */
function plainOf(value: unknown): unknown {
  const json = (value as { toJSON?: unknown } | null | undefined)?.toJSON;
  return typeof json === "function" ? json.call(value) : value;
}

function isBranch(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function scalarOf(value: unknown): Scalar {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return String(value);
  return value === null ? null : (JSON.stringify(value) ?? null);
}

/**
 * Writes rows as a table of RFC 4180 with a header; columns are those of `columnsOf`. A missing value is empty, an
 * empty string is quoted, and strings that a spreadsheet would take for a formula get an apostrophe in front.
 */
export function rowsToCsv(rows: readonly object[]): string {
  const columns = columnsOf(rows);
  if (columns.size === 0) return "";
  const cells = [...columns.values()];
  const lines = [[...columns.keys()].map(csvField).join()];
  for (let row = 0; row < rows.length; row++) lines.push(cells.map(column => fieldOf(column[row]!)).join());
  return lines.join(lineEnd) + lineEnd;
}

function fieldOf(value: Scalar): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  return value === "" ? '""' : csvField(value);
}

/**
 * Writes text as a field of RFC 4180. Text that a spreadsheet would take for a formula, or that begins with an
 * apostrophe, gets an apostrophe in front, as spreadsheets mark text: take the first one off to read it back.
 */
export function csvField(text: string): string {
  const safe = /^[=+\-@\t\r\n'＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const round = (share: number) => Number(share.toPrecision(6));

/**
 * Writes a table of RFC 4180 with a row an outcome: its count, share, and the ends of its interval; without the count
 * for probabilities, and without the interval for exact ones.
 */
export const outcomesCsv = (values: Distribution, accuracy: Accuracy): string =>
  rowsToCsv(
    outcomeRows(values, accuracy).map(({ low, high, ...row }) => ({
      ...row,
      ...(low !== undefined && high !== undefined && { low: round(low), high: round(high) }),
    })),
  );

/** An outcome as a row of a table. */
export type OutcomeRow = {
  /** The outcome as the service writes it, such as `00 101`. */
  outcome: string;
  /** Count of the outcome. */
  count: number;
  /** Its share of the shots. */
  probability: number;
  /** Lower end of the interval of the probability, which contains it in at least 95 % of all cases. */
  low: number;
  /** Upper end of that interval. */
  high: number;
};

/** Makes a row of every outcome, in their order; without a count for probabilities, without an interval for exact ones. */
export function outcomeRows(
  values: Distribution,
  accuracy: Accuracy,
): (OutcomeRow | (Pick<OutcomeRow, "outcome" | "probability"> & Partial<Interval>))[] {
  const shots = totalOf(values);
  const intervalOf = intervalRule(shots, accuracy);
  return sortedOutcomes(values).map(outcome => {
    const value = values[outcome]!;
    const interval = intervalOf?.(value);
    if (accuracy.exact) return { outcome, probability: value, ...interval };
    return { outcome, count: value, probability: shots > 0 ? value / shots : 0, ...interval! };
  });
}
