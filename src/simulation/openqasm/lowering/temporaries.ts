import type { Expression } from "../../circuit/expression.ts";
import type { MemoryRange } from "../../circuit/statement.ts";
import { BOOL, type Type, typeName } from "../../circuit/values/types.ts";
import type { ExpressionNode } from "../syntax/ast.ts";
import type { LoweringContext } from "./context.ts";
import { takeSlots } from "./variables.ts";

/** Memory that a statement uses, and the list that it goes back to. */
interface Temporary {
  readonly memory: MemoryRange;
  readonly free: MemoryRange[] | null;
}

/** Slots that are in use up to the end of a statement, and then free for the next one of the same body. */
export class Temporaries {
  /** By the call whose body it is, or null for the program, and by the number of slots and the type of the value. */
  readonly #free = new Map<object | null, Map<string, MemoryRange[]>>();
  #taken: Temporary[] = [];

  /** Takes a slot for a value of a type, or several next to each other of which one has it. */
  take(context: LoweringContext, type: Type, count = 1): number {
    const body = context.subroutines.calls.at(-1) ?? null;
    const byType = this.#free.get(body) ?? new Map<string, MemoryRange[]>();
    this.#free.set(body, byType);
    const key = `${count} ${typeName(type)}`;
    const free = byType.get(key) ?? [];
    byType.set(key, free);
    const memory = free.pop() ?? memoryOf(context, takeSlots(context, count), count);
    this.#taken.push({ memory, free });
    return memory.slots[0];
  }

  /** Keeps memory in use up to the end of the statement. */
  hold(memory: MemoryRange): void {
    this.#taken.push({ memory, free: null });
  }

  /** Frees what `lower` has taken, and returns what it has used. */
  during(lower: () => void): readonly MemoryRange[] {
    const outer = this.#taken;
    const taken: Temporary[] = [];
    this.#taken = taken;
    try {
      lower();
    } finally {
      this.#taken = outer;
      for (const { memory, free } of taken) free?.push(memory);
    }
    return taken.map(({ memory }) => memory);
  }
}

/** Returns the memory that is one slot, or so many from it on. */
export function memoryOf({ builder: { numBits } }: LoweringContext, slot: number, count = 1): MemoryRange {
  return { slots: [slot, slot + count], bits: [numBits, numBits] };
}

/**
 * Lowers the operands of `&&` or `||`. Where the right one calls or measures, that is done only if the left one leaves
 * the result open, and the result is returned as the left operand alone.
 */
export function lowerOperands(
  context: LoweringContext,
  { operator, left: leftNode }: ExpressionNode & { kind: "binary" },
  left: Expression,
  compileRight: () => Expression,
): [left: Expression, right: Expression | null] {
  const { builder } = context;
  let right!: Expression;
  const before = builder.collect(() => {
    right = compileRight();
  });
  if (before.length === 0) return [left, right];
  const slot = context.temporaries.take(context, BOOL);
  const result: Expression = { kind: "slot", type: BOOL, slot };
  const label = context.label(leftNode);
  builder.add({ kind: "assign", slot, value: left });
  builder.add({
    kind: "if",
    label: operator === "&&" ? `if ${label}` : `if !(${label})`,
    condition: operator === "&&" ? result : { kind: "unary", operator: "!", type: BOOL, operand: result },
    body: builder.collect(() => {
      for (const statement of before) builder.add(statement);
      builder.add({ kind: "assign", slot, value: right });
    }),
    otherwise: null,
  });
  return [result, null];
}
