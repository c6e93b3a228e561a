import { isList, type OperandIndices } from "../circuit/expression.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import { bodiesOf, type Statement } from "../circuit/statement.ts";
import { KnownMemory } from "./known-memory.ts";
import type { ReadContext, StatementOf } from "./read-context.ts";

/** Forgets what statements may set. */
export function forget(context: ReadContext, statements: readonly Statement[]): void {
  for (const statement of statements) {
    switch (statement.kind) {
      case "assign":
      case "resolve":
        context.memory.set(statement.slot, undefined);
        break;
      case "switch":
        context.memory.set(statement.slot, undefined);
        break;
      case "for":
        for (const slot of [0, 1, 2]) context.memory.set(statement.slot + slot, undefined);
        break;
      case "fill":
        if (isList(statement.slots)) for (const slot of statement.slots) context.memory.set(slot, undefined);
        else context.memory.become(new KnownMemory());
        break;
      case "graph":
        for (const { edges } of statement.blocks)
          for (const { slot } of edges.flatMap(({ moves }) => moves)) context.memory.set(slot, undefined);
        break;
      case "store":
      case "measure":
        forgetBits(context, statement.bits);
        break;
      case "operations":
        forgetMeasured(context, statement);
    }
    for (const body of bodiesOf(statement)) forget(context, body);
  }
}

function forgetBits(context: ReadContext, bits: OperandIndices | null): void {
  if (bits === null) return;
  const all = isList(bits) ? bits : Array.from({ length: context.parts.numBits }, (_, i) => i);
  for (const bit of all) context.memory.writeBit(bit, null);
}

function forgetMeasured(context: ReadContext, { start, end }: StatementOf<"operations">): void {
  const { kinds, operands, operandStarts } = context.parts.operations;
  for (let i = start; i < end; i++) {
    const bit = operands[operandStarts[i]! + 1]!;
    if (kinds[i] === OPERATION.measure && bit !== NO_BIT) context.memory.writeBit(bit, null);
  }
}
