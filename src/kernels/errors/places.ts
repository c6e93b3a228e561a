/** A place in a cell. Lines are counted from 1, columns from 0. */
export interface Place {
  /** The cell's execution count. */
  cell: number;
  source: string;
  line: number;
  column: number;
  /** What the place is in, such as a function. */
  within?: string;
}

/** Knows where in the cells a running program is. */
export interface Places {
  /** The place that a line of a stack trace speaks of, if that is in a cell. */
  placeOf(frame: string): Place | undefined;
  /** Where the cells waited for what failed with an error, the innermost place first. */
  awaitedAt(error: object): Place[];
}

/** What is wrong in a cell, or in a module that it imports. Lines and characters are counted from 0. */
export interface CellDiagnostic {
  start: { line: number; character: number };
  end: { line: number; character: number };
  messageText: string;
  /** The module, when it is not the cell itself. */
  fileName?: string | undefined;
}
