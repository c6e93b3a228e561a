/** A place in a cell, or in a module of the notebook's folder. Lines are counted from 1, columns from 0. */
export interface Place {
  /** Title, such as `Cell [3], line 2` or `helper.ts:6:25`. */
  title: string;
  source: string;
  line: number;
  column: number;
  /** Enclosing item, such as a function. */
  within?: string;
}

/** Knows where in the cells, and in the notebook's own modules, a running program is. */
export interface Places {
  /** Whether a line of a stack trace speaks of the kernel itself, of its library or of the engine. */
  isOfKernel(frame: string): boolean;
  /** The place that a line of a stack trace speaks of, if that is in one of them. */
  placeOf(frame: string): Place | undefined;
  /** Returns the places where cells awaited the failed operation, innermost first. */
  awaitedAt(error: object): Place[];
}

/** Problem in a cell, or in a module that it imports. Lines and characters are counted from 0. */
export interface CellDiagnostic {
  start: { line: number; character: number };
  end: { line: number; character: number };
  messageText: string;
  /** The module, when it is not the cell itself. */
  fileName?: string | undefined;
}
