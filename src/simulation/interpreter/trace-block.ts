import type { Gate } from "../circuit/gate.ts";
import type { Value } from "../circuit/memory.ts";

/** What a program does on its way: a range of its operations, or one whose operands were computed. */
export type TraceStep =
  | { readonly kind: "operations"; readonly start: number; readonly end: number }
  | {
      readonly kind: "gate";
      readonly gate: Gate;
      readonly params: readonly number[];
      readonly qubits: readonly number[];
    }
  | { readonly kind: "measure"; readonly qubit: number; readonly bit: number | null }
  | { readonly kind: "reset"; readonly qubit: number }
  | { readonly kind: "set"; readonly bit: number; readonly value: number };

/** Steps without a choice between them, and what follows: the end, another block, or one of two by a measured bit. */
export interface TraceBlock {
  readonly steps: TraceStep[];
  next: /** `set` holds the bits that the program itself has set last, not a measurement, and their values; `slots` the variables. */
    | { readonly kind: "end"; readonly set: ReadonlyMap<number, number>; readonly slots: readonly Value[] }
    | { readonly kind: "jump"; readonly to: number }
    | { readonly kind: "fork"; readonly bit: number; readonly one: number; readonly zero: number };
}
