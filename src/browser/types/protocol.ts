import type { Completeness, CompletionItem, Failure } from "../../kernels/cells/index.ts";
import type { Downlevelled } from "../kernel/syntax.ts";

/** A code cell of a notebook. */
export interface TypedCell {
  id: string;
  source: string;
}

/** A place in a cell, after the cells above it. Offsets count UTF-16 units. */
export interface CellPlace {
  above: readonly TypedCell[];
  source: string;
  offset: number;
}

/** Mistake between two offsets of a cell. */
export interface CellMark {
  from: number;
  to: number;
  message: string;
}

/** Requests from the page to the worker with types. */
export interface TypeRequests {
  /** Finds what is wrong with the cells of a notebook, each after those above it. */
  diagnose: { question: { cells: readonly TypedCell[] }; answer: readonly (readonly CellMark[])[] };
  /** Finds what is wrong with one of them, in less time. */
  diagnoseOne: {
    question: { cells: readonly TypedCell[]; index: number };
    answer: readonly CellMark[];
  };
  complete: {
    question: CellPlace;
    answer: { start: number; items: readonly CompletionItem[] };
  };
  /** Describes the name at a place, and the call around it, as Markdown; empty where nothing is known. */
  describe: { question: CellPlace; answer: string };
  /** Describes the call around a place, likewise. */
  call: { question: CellPlace; answer: string };
  /** Says what keeps a cell from running; nothing where it is right. */
  check: { question: Pick<CellPlace, "above" | "source">; answer: Failure | undefined };
  /** Returns whether a cell is a whole program. */
  completeness: { question: { source: string }; answer: Completeness };
  /** Emits JavaScript by TypeScript's own compiler. */
  emit: { question: { source: string }; answer: Downlevelled };
}

/** The name of a question to the worker. */
export type TypeRequestName = keyof TypeRequests;

/** A question, as it is posted. */
export interface TypeRequest<Name extends TypeRequestName = TypeRequestName> {
  id: number;
  type: Name;
  question: TypeRequests[Name]["question"];
}

/** Answer to a question, or the reason why there is none. */
export type TypeAnswer = { id: number; answer: unknown } | { id: number; error: string };
