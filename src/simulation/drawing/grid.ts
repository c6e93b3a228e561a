import type { Row } from "./rows.ts";

/** What is drawn on one wire in one column. */
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

/** What belongs together in one column, and how its marks are joined. */
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
  /** What is said below the drawing, line by line. */
  readonly notes: readonly string[];
}
