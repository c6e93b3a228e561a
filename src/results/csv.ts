import { type Distribution, sortedOutcomes, totalOf } from "./distribution.ts";
import { type Accuracy, intervalRule } from "./interval.ts";

const lineEnd = "\r\n";

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
export function outcomesCsv(values: Distribution, accuracy: Accuracy): string {
  const shots = totalOf(values);
  const { exact } = accuracy;
  const intervalOf = intervalRule(shots, accuracy);
  const columns = [
    "outcome",
    ...(exact ? [] : ["count"]),
    "probability",
    ...(intervalOf ? ["low", "high"] : []),
  ];
  const lines = [columns.join()];
  for (const outcome of sortedOutcomes(values)) {
    const value = values[outcome]!;
    const cells = exact ? [value] : [value, shots > 0 ? value / shots : 0];
    const interval = intervalOf?.(value);
    if (interval) cells.push(round(interval.low), round(interval.high));
    lines.push(`${csvField(outcome)},${cells.join()}`);
  }
  return lines.join(lineEnd) + lineEnd;
}
