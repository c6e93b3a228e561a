import type { Compute } from "../circuit/memory.ts";
import type { MemoryRange } from "../circuit/statement.ts";
import type { Instruction, Lifetime } from "./instruction.ts";

/** A jump whose target is set once it is known. */
export interface Jump {
  target: number;
}

/** Collects instructions one after the other, and the lifetimes of what they use. */
export class InstructionBuilder {
  readonly instructions: Instruction[] = [];
  readonly lifetimes: Lifetime[] = [];

  /** The index of the instruction that is added next. */
  get next(): number {
    return this.instructions.length;
  }

  /** Adds an instruction and returns it. */
  add<T extends Instruction>(instruction: T): T {
    this.instructions.push(instruction);
    return instruction;
  }

  /** Adds a jump; `loop` is the offset of the loop whose head it leads back to, which is counted where it has an end. */
  jump(target = 0, loop?: number, isCounted = false): Jump {
    return this.add({ kind: "jump", target, ...(loop === undefined ? {} : { loop, isCounted }) });
  }

  /** Adds a jump that is taken where a condition is false; `bit` is the only one that it reads, or undefined. */
  jumpIfFalse(condition: Compute, bit?: number): Jump {
    return this.add({ kind: "jumpIfFalse", condition: condition as Compute<boolean>, bit, target: 0 });
  }

  /** Adds the assignment of a slot. */
  assign(slot: number, value: Compute): void {
    this.add({ kind: "assign", slot, value });
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
