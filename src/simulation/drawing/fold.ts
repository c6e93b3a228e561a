import type { Frame } from "./grid.ts";

/** A range of columns in one row of a drawing. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/**
 * Splits columns of given widths into runs that fit into a total width, each with at least one column and at most
 * so many, and none that ends where a frame has just begun. A frame that continues beyond a run takes `edge` more there.
 */
export function foldColumns(
  widths: readonly number[],
  frames: readonly Frame[],
  { total, fold, edge }: { total: number; fold: number; edge: number },
): Run[] {
  const runs: Run[] = [];
  const begins = new Set(frames.map(({ start }) => start));
  const edges = (column: number) =>
    column < widths.length
      ? edge * frames.filter(({ start, end }) => start < column && end >= column).length
      : 0;
  let start = 0;
  while (start < widths.length) {
    let used = edges(start) + widths[start]!;
    let end = start + 1;
    let last = end;
    while (end < widths.length && end - start < fold) {
      used += widths[end]!;
      if (used > total) break;
      end++;
      if (used + edges(end) <= total && !begins.has(end - 1)) last = end;
    }
    runs.push({ start, end: last });
    start = last;
  }
  return runs.length > 0 ? runs : [{ start: 0, end: 0 }];
}
