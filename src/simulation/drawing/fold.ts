import type { Frame } from "./grid.ts";

interface Run {
  readonly start: number;
  readonly end: number;
}

/**
 * Splits columns of given widths into runs that fit into a total width, each with at least one column and at most
 * `fold`. If possible, no run ends where a frame has just begun or is about to end.
 */
export function foldColumns(
  widths: readonly number[],
  frames: readonly Frame[],
  { total, fold }: { total: number; fold: number },
): Run[] {
  const runs: Run[] = [];
  const begins = new Set(frames.map(({ start }) => start));
  const ends = new Set(frames.map(({ end }) => end));
  let start = 0;
  while (start < widths.length) {
    let used = widths[start]!;
    let end = start + 1;
    let last = end;
    while (end < widths.length && end - start < fold) {
      used += widths[end]!;
      if (used > total) break;
      end++;
      if (!begins.has(end - 1) && !ends.has(end)) last = end;
    }
    if (last === start + 1) last = end;
    runs.push({ start, end: last });
    start = last;
  }
  return runs.length > 0 ? runs : [{ start: 0, end: 0 }];
}
