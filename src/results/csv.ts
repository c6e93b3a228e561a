import { type Distribution, sortedOutcomes, totalOf } from "./distribution.ts";
import { wilsonInterval } from "./interval.ts";

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
 * Writes a table of RFC 4180 with a row an outcome: its count, share, and the ends of its 95 % Wilson interval;
 * for exact probabilities, the probability alone.
 */
export function outcomesCsv(values: Distribution, exact: boolean): string {
  const shots = totalOf(values);
  const written = new Map<number, string>();
  const cellsOf = (value: number) => {
    if (exact) return String(value);
    const { low, high } = wilsonInterval(value, shots);
    return [value, shots > 0 ? value / shots : 0, round(low), round(high)].join();
  };
  const lines = [exact ? "outcome,probability" : "outcome,count,probability,low,high"];
  for (const outcome of sortedOutcomes(values)) {
    const value = values[outcome]!;
    let cells = written.get(value);
    if (cells === undefined) {
      cells = cellsOf(value);
      written.set(value, cells);
    }
    lines.push(`${csvField(outcome)},${cells}`);
  }
  return lines.join(lineEnd) + lineEnd;
}
