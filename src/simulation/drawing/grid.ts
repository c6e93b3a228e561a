import type { Row } from "./rows.ts";

/** The mark on one wire in one column. */
export interface Mark {
  readonly row: number;
  readonly kind:
    | "gate"
    | "composite"
    | "control"
    | "open"
    | "target"
    | "swap"
    | "measure"
    | "bit"
    | "reset"
    | "barrier"
    | "delay"
    | "assignment"
    /** The name of an operand of the box that the wire goes through. */
    | "pin";
  readonly text: string;
  /** The parameters of a gate. */
  readonly detail?: string;
}

/** Marks that belong together in one column, and how they are joined. */
export interface Item {
  readonly marks: readonly Mark[];
  /** A labelled rectangle over several wires. */
  readonly box: {
    readonly top: number;
    readonly bottom: number;
    readonly text: string;
    readonly detail: string;
  } | null;
  readonly top: number;
  readonly bottom: number;
  readonly join: "line" | "double" | "dashed";
}

/** A loop, a condition or a box around columns. */
export interface Frame {
  readonly label: string;
  readonly kind: "loop" | "condition" | "block";
  readonly top: number;
  readonly bottom: number;
  readonly conditions: readonly number[];
  /** The columns of its edges; the last is infinite where it is not drawn. */
  readonly start: number;
  end: number;
  /** How many frames begin at its top row, or end at its bottom row, within it: itself and those in it. */
  topLevels: number;
  bottomLevels: number;
}

/** A circuit on a grid of wires and columns. */
export interface Layout {
  readonly rows: readonly Row[];
  readonly columns: readonly (readonly Item[])[];
  readonly frames: readonly Frame[];
  /** Lines of text below the drawing. */
  readonly notes: readonly string[];
}

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
