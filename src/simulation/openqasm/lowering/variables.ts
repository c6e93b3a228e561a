import { constant, type Expression } from "../../circuit/expression.ts";
import { type Type, zeroOf } from "../../circuit/values/types.ts";
import { DiagnosticError } from "../diagnostics/diagnostic.ts";
import { knownRegister } from "../expressions/registers.ts";
import type { RegisterRef } from "../expressions/scope.ts";
import type { NameNode } from "../syntax/ast.ts";
import type { LoweringContext, Result } from "./context.ts";

/** Reserves slots of the classical memory next to each other and returns the first. */
export function takeSlots(context: LoweringContext, count = 1, at = 0): number {
  const first = context.builder.numSlots;
  context.builder.numSlots += count;
  if (context.builder.numSlots > context.limits.maxValues)
    throw new DiagnosticError(
      at,
      `The program declares more than ${context.limits.maxValues.toLocaleString("en-US")} values of variables and arrays.`,
      { isFatal: true },
    );
  return first;
}

/** Reserves bits of the classical memory. */
export function takeBits(context: LoweringContext, count: number, at: number, isSingle = false): RegisterRef {
  const first = context.builder.numBits;
  if (first + count > context.limits.maxBits)
    throw new DiagnosticError(
      at,
      `The program declares more than ${context.limits.maxBits.toLocaleString("en-US")} classical bits.`,
      {
        isFatal: true,
      },
    );
  context.builder.numBits += count;
  return knownRegister(
    "bit",
    Array.from({ length: count }, (_, i) => first + i),
    isSingle,
  );
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

/** Writes the bits of a whole number to classical bits. */
export function storeBits(
  context: LoweringContext,
  ref: RegisterRef,
  value: Expression,
  label?: string,
): void {
  const labelled = label === undefined ? {} : { label };
  context.builder.add({ kind: "store", ...labelled, bits: ref.indices, value });
}
