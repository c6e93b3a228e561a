import type { CircuitParts } from "../circuit/circuit.ts";
import type { Expression } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import type { Compute, Memory, Value } from "../circuit/memory.ts";
import type { MemoryRange, Statement } from "../circuit/statement.ts";

type Indices = Compute<readonly number[]>;

interface InstructionTable {
  operations: { readonly start: number; readonly end: number };
  /** A call of a gate; `calls` returns the qubits of each application. */
  gate: {
    readonly at: number | undefined;
    readonly gate: (memory: Memory) => Gate;
    readonly params: readonly Compute<number>[];
    readonly calls: (memory: Memory, gate: Gate) => readonly (readonly number[])[];
  };
  measure: { readonly at: number | undefined; readonly qubits: Indices; readonly bits: Indices | null };
  reset: { readonly at: number | undefined; readonly qubits: Indices };
  assign: { readonly slot: number; readonly value: Compute };
  fill: { readonly slots: Indices; readonly values: Compute<readonly Value[]> };
  store: { readonly bits: Indices; readonly value: Compute<bigint> };
  check: { readonly check: (memory: Memory) => void };
  /** A jump; `loop` is the offset of the loop whose head it leads back to, which is counted if it has an end. */
  jump: { target: number; readonly loop?: number; readonly isCounted?: boolean };
  /** A jump if a condition is false, which is made of `expression`; `bit` is the only one that it reads, or undefined. */
  jumpIfFalse: {
    readonly condition: Compute<boolean>;
    readonly bit?: number | undefined;
    readonly expression?: Expression;
    target: number;
  };
  end: Record<never, never>;
}

/** A step of a linked program. `at` is the offset in the source of what can fail, `source` what it was made of. */
export type Instruction = {
  [K in keyof InstructionTable]: { readonly kind: K; readonly source?: Statement } & InstructionTable[K];
}[keyof InstructionTable];

/** Slots and bits that are in use within a range of instructions alone; ends are not included. */
export interface Lifetime {
  readonly memory: MemoryRange;
  readonly start: number;
  readonly end: number;
}

/** A circuit as it is run: its statements one after the other, with jumps, and expressions as functions. */
export interface LinkedProgram {
  readonly parts: CircuitParts;
  readonly instructions: readonly Instruction[];
  readonly lifetimes: readonly Lifetime[];
}

/** A jump whose target is set once it is known. */
export interface Jump {
  target: number;
}

/** Collects instructions one after the other, and the lifetimes of what they use. */
export class InstructionBuilder {
  readonly instructions: Instruction[] = [];
  readonly lifetimes: Lifetime[] = [];

  get next(): number {
    return this.instructions.length;
  }

  add<T extends Instruction>(instruction: T): T {
    this.instructions.push(instruction);
    return instruction;
  }

  /** Adds a jump; `loop` is the offset of the loop whose head it leads back to, which is counted where it has an end. */
  jump(target = 0, loop?: number, isCounted = false): Jump {
    return this.add({ kind: "jump", target, ...(loop === undefined ? {} : { loop, isCounted }) });
  }

  /** Adds a jump that is taken where a condition is false; `bit` is the only one that it reads, or undefined. */
  jumpIfFalse(condition: Compute, bit?: number, expression?: Expression): Jump {
    const test = condition as Compute<boolean>;
    return this.add({
      ...{ kind: "jumpIfFalse", condition: test, bit, target: 0 },
      ...(expression ? { expression } : {}),
    });
  }

  assign(slot: number, value: Compute, source?: Statement): void {
    this.add({ kind: "assign", slot, value, ...(source ? { source } : {}) });
  }

  /** Lets jumps lead to the instruction that is added next. */
  land(jumps: readonly Jump[]): void {
    for (const jump of jumps) jump.target = this.next;
  }

  /** Limits the lifetime of slots and bits to the instructions that `fill` adds. */
  withLifetime(memory: MemoryRange, fill: () => void): void {
    const start = this.next;
    fill();
    this.lifetimes.push({ memory, start, end: this.next });
  }
}
