import { listEvaluator } from "../circuit/evaluate.ts";
import { bitsOfWord, type Value } from "../circuit/memory.ts";
import type { Statement } from "../circuit/statement.ts";
import { KnownMemory } from "./known-memory.ts";
import type { Operation } from "./operation.ts";
import type { ReadContext, StatementOf } from "./read-context.ts";

/** Reads a statement that sets a slot, to `undefined` where its value is not known before the run. */
export function readAssignment(
  context: ReadContext,
  out: Operation[],
  statement: Statement,
  slot: number,
  value: Value | readonly number[] | undefined,
): void {
  context.memory.set(slot, value);
  context.keep(out, statement);
}

/** Reads a statement that sets several slots. */
export function readFill(context: ReadContext, statement: StatementOf<"fill">, out: Operation[]): void {
  const slots = context.memory.indices(statement.slots);
  const values = context.memory.attempt(listEvaluator(statement.values));
  if (slots) for (const [i, slot] of slots.entries()) context.memory.set(slot, values?.[i]);
  else context.memory.become(new KnownMemory());
  context.keep(out, statement);
}

/** Reads a statement that sets classical bits. */
export function readStore(context: ReadContext, statement: StatementOf<"store">, out: Operation[]): void {
  const bits = context.memory.indices(statement.bits);
  const value = context.memory.value(statement.value);
  if (bits) {
    const values = typeof value === "bigint" ? bitsOfWord(value, bits.length) : null;
    for (const [i, bit] of bits.entries()) context.memory.writeBit(bit, values ? values[i]! : null);
  } else for (let bit = 0; bit < context.parts.numBits; bit++) context.memory.writeBit(bit, null);
  context.keep(out, statement);
}
