import type { Gate } from "./gate.ts";
import type { Compute, Value } from "./memory.ts";
import { depthOf, gateCountsOf } from "./metrics.ts";
import type { Operations } from "./operations.ts";

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

/** Places of qubits or bits, computed while the program runs. */
export type Places = Compute<readonly number[]>;

/** A step of a program. What has operands known beforehand is a range of operations. */
export type Instruction =
  | { readonly kind: "operations"; readonly start: number; readonly end: number }
  | {
      readonly kind: "gate";
      readonly at: string;
      readonly gate: (memory: Parameters<Compute>[0]) => Gate;
      readonly params: readonly Compute<number>[];
      readonly qubits: readonly Places[];
    }
  | { readonly kind: "measure"; readonly at: string; readonly qubits: Places; readonly bits: Places | null }
  | { readonly kind: "reset"; readonly qubits: Places }
  | { readonly kind: "assign"; readonly slot: number; readonly value: Compute<Value> }
  /** Writes values to as many slots. */
  | {
      readonly kind: "scatter";
      readonly slots: Places;
      readonly values: (memory: Parameters<Compute>[0]) => readonly Value[];
    }
  | { readonly kind: "store"; readonly at: string; readonly bits: Places; readonly value: Compute<bigint> }
  /** A jump; `at` is there where it leads back to the head of a loop. */
  | { readonly kind: "jump"; target: number; readonly at?: string }
  | { readonly kind: "unless"; readonly condition: Compute<boolean>; target: number }
  | { readonly kind: "end" };

/** The program as a reader sees it: a tree whose blocks are loops and conditions, for drawings and counts. */
export type Outline =
  | { readonly kind: "operations"; readonly start: number; readonly end: number }
  | {
      readonly kind: "block";
      readonly label: string;
      readonly bits: readonly number[];
      readonly body: readonly Outline[];
    }
  | {
      readonly kind: "dynamic";
      readonly name: string;
      readonly label: string;
      /** Every qubit that the operation may touch. */
      readonly qubits: readonly number[];
      readonly bits: readonly number[];
      /** The call of a gate on known qubits, whose parameters alone are computed. */
      readonly call?: OutlineCall;
    }
  /** What takes part in no count of gates: a delay, or an assignment to bits or, where there are none, to a variable. */
  | {
      readonly kind: "annotation";
      readonly label: string;
      readonly qubits: readonly number[];
      /** The bits that are assigned. */
      readonly bits: readonly number[];
      /** The bits whose values are assigned. */
      readonly reads?: readonly number[];
    };

/** A call of a gate; an operand of one qubit belongs to every qubit of the others. */
export interface OutlineCall {
  readonly gate: Gate;
  /** Numbers, or as the program writes them. */
  readonly params: readonly (number | string)[];
  readonly operands: readonly (readonly number[])[];
}

/** A variable whose value is a result of the program. */
export interface OutputVariable {
  readonly name: string;
  /** The type as a program writes it. */
  readonly type: string;
  /** Its bits, the lowest first; null where it is kept in slots. */
  readonly bits: readonly number[] | null;
  /** Gives the value as JSON has it, or null where the bits are the value. */
  readonly read: ((slots: readonly Value[]) => OutputValue) | null;
}

/** A value of a variable: a bit string, a number (as text where a double cannot hold it), a truth value, [re, im], or a list of them. */
export type OutputValue = string | number | boolean | readonly OutputValue[];

/** Slots and bits that are in use within a range of instructions alone; ends are not included. */
export interface Lifetime {
  readonly slots: readonly [start: number, end: number];
  readonly bits: readonly [start: number, end: number];
  readonly instructions: readonly [start: number, end: number];
}

/** What a reader should know of how a part of the program is understood; it begins at a line and a column, from 1. */
export interface Note {
  readonly line: number;
  readonly column: number;
  /** A sentence. */
  readonly message: string;
}

/** What a circuit is made of. */
export interface CircuitParts {
  readonly numQubits: number;
  /** All bits, those of blocks and subroutines included. */
  readonly numBits: number;
  readonly numSlots: number;
  readonly quantum: readonly Register[];
  readonly classical: readonly ClassicalRegister[];
  readonly gates: readonly Gate[];
  readonly operations: Operations;
  readonly instructions: readonly Instruction[];
  readonly lifetimes: readonly Lifetime[];
  readonly outline: readonly Outline[];
  /** The variables that are declared as output, or all where none is. */
  readonly outputs: readonly OutputVariable[];
  readonly notes: readonly Note[];
  /** The text that the circuit was compiled of, and the values of its inputs. */
  readonly source: {
    readonly format: "qasm2" | "qasm3";
    readonly data: string;
    readonly inputs: Readonly<Record<string, unknown>>;
  } | null;
}

/** A compiled program: a static part in typed arrays, and the instructions that lead through it. */
export class Circuit {
  readonly parts: CircuitParts;
  /** The registers in the order of their declaration. */
  readonly registers: {
    readonly quantum: readonly Register[];
    readonly classical: readonly ClassicalRegister[];
  };

  /** Makes a circuit of its parts; programs come from `compile`. */
  constructor(parts: CircuitParts) {
    this.parts = parts;
    this.registers = { quantum: parts.quantum, classical: parts.classical };
  }

  /** Number of qubits that the program declares. */
  get numQubits(): number {
    return this.parts.numQubits;
  }

  /** Number of bits in the classical registers. */
  get numClbits(): number {
    return this.parts.classical.reduce((sum, register) => sum + register.width, 0);
  }

  /** Gives the length of the longest chain of operations that share a qubit or bit; the body of a loop counts once. */
  depth(): number {
    return depthOf(this.parts);
  }

  /** Counts the operations by name, barriers left out; the body of a loop counts once. */
  gateCounts(): Record<string, number> {
    return gateCountsOf(this.parts);
  }
}
