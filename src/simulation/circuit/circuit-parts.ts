import type { SourceFiles } from "../source-text.ts";
import type { Gate } from "./gate.ts";
import type { Operations } from "./operations.ts";
import type { StatementList } from "./statement.ts";
import type { Type } from "./values/types.ts";

/** A register of the program; `offset` is the place of its first bit or qubit among all. */
export interface Register {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
}

/** A classical register of the program; `width` is the number of its bits. */
export interface ClassicalRegister {
  readonly name: string;
  readonly offset: number;
  readonly width: number;
}

/** A variable whose value is a result of the program: plain data. */
export interface OutputVariable {
  readonly name: string;
  /** The type as a program writes it. */
  readonly type: string;
  /** Its bits, the lowest first; null where it is kept in slots. */
  readonly bits: readonly number[] | null;
  /** Slots with its value, or its values if an array; null if the bits are the value. */
  readonly slots: SlotValues | null;
}

/** Values in slots: one, or those of an array with these sizes, the last dimension next to each other. */
interface SlotValues {
  readonly slots: readonly number[];
  readonly sizes: readonly number[];
  readonly type: Type;
}

/** Note on how a part of the program was understood, with its first line and column, counted from 1. */
export interface Note {
  readonly line: number;
  readonly column: number;
  /** The included file that it is in; absent for the program itself. */
  readonly file?: string;
  /** A sentence. */
  readonly message: string;
}

export interface CircuitParts {
  readonly numQubits: number;
  /** All bits, those of blocks and subroutines included. */
  readonly numBits: number;
  readonly numSlots: number;
  readonly quantum: readonly Register[];
  readonly classical: readonly ClassicalRegister[];
  readonly gates: readonly Gate[];
  readonly operations: Operations;
  readonly body: StatementList;
  /** The variables that are declared as output, or all where none is. */
  readonly outputs: readonly OutputVariable[];
  /** Inputs without a value, whether they are used or not. */
  readonly inputs: readonly { readonly name: string; readonly type: Type; readonly isArray?: boolean }[];
  readonly notes: readonly Note[];
  /** Whether the program asks to be run on a device as it is written, by `#pragma braket verbatim`. Default: false. */
  readonly isVerbatim?: boolean;
  /** The text that the circuit was compiled of, the files that it may include, and the values of its inputs. */
  readonly source: {
    readonly format: "qasm2" | "qasm3" | "qir.ll";
    readonly data: string;
    readonly files?: SourceFiles;
    readonly inputs: Readonly<Record<string, unknown>>;
    /** Whether the circuit has been changed since, so the text does something else. Default: false. */
    readonly isTransformed?: boolean;
  } | null;
}
