import { constant, type Expression } from "../../circuit/expression.ts";
import type { MemoryRange } from "../../circuit/statement.ts";
import { type Type, typeName, zeroOf } from "../../circuit/values/types.ts";
import { tooMany } from "../diagnostics/diagnostic.ts";
import { knownRegister } from "../expressions/registers.ts";
import type { RegisterRef } from "../expressions/scope.ts";
import type { NameNode } from "../syntax/ast.ts";
import type { LoweringContext, Result } from "./context.ts";

/** Returns `count` consecutive numbers from a first one on. */
export const countedFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => first + i);

/** Reserves slots of the classical memory next to each other and returns the first. */
export function takeSlots({ builder, limits }: LoweringContext, count = 1, at = 0): number {
  const first = builder.numSlots;
  builder.numSlots += count;
  if (builder.numSlots > limits.maxValues)
    throw tooMany(at, "The program declares", limits.maxValues, "values of variables and arrays");
  return first;
}

/** Takes a slot for a value of a type up to the end of the statement, or several next to each other of which one has it. */
export function takeTemporary(context: LoweringContext, type: Type, count = 1): number {
  const body = context.subroutines.calls.at(-1) ?? null;
  const reserve = () => memoryOf(context, takeSlots(context, count), count);
  return context.temporaries.take(body, `${count} ${typeName(type)}`, reserve).slots[0];
}

/** Returns the memory of a slot, or of several consecutive ones. */
export function memoryOf({ builder: { numBits } }: LoweringContext, slot: number, count = 1): MemoryRange {
  return { slots: [slot, slot + count], bits: [numBits, numBits] };
}

export function takeBits(
  { builder, limits }: LoweringContext,
  count: number,
  at: number,
  isSingle = false,
): RegisterRef {
  const first = builder.numBits;
  if (first + count > limits.maxBits)
    throw tooMany(at, "The program declares", limits.maxBits, "classical bits");
  builder.numBits += count;
  return knownRegister("bit", countedFrom(first, count), isSingle);
}

/** Declares a classical variable and sets its first value, which is drawn with its label; bits without one keep what they have. Default for the slot of a number: a new one. */
export function declareVariable(
  context: LoweringContext,
  name: NameNode,
  type: Type,
  value?: Expression,
  label?: string,
  place?: number,
): Result["symbol"] {
  if (type.kind === "bit") {
    const ref = takeBits(context, type.width ?? 1, name.at, type.width === null);
    const symbol = { kind: "register", ref } as const;
    context.declare(name, symbol);
    if (value) storeBits(context, ref, value, label);
    return symbol;
  }
  const slot = place ?? takeSlots(context);
  const symbol = { kind: "variable", type, slot } as const;
  context.declare(name, symbol);
  const labelled = label === undefined ? {} : { label };
  context.builder.add({ kind: "assign", ...labelled, slot, value: value ?? constant(type, zeroOf(type)) });
  return symbol;
}

export function storeBits(
  context: LoweringContext,
  ref: RegisterRef,
  value: Expression,
  label?: string,
): void {
  const labelled = label === undefined ? {} : { label };
  context.builder.add({ kind: "store", ...labelled, bits: ref.indices, value });
}
