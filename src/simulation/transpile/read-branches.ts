import { isList, type OperandIndices } from "../circuit/expression.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import { bodiesOf, type Statement } from "../circuit/statement.ts";
import type { Operation } from "./operation.ts";
import { type Ending, KnownMemory, noJumps, type ReadContext, type StatementOf } from "./read-context.ts";

/** Reads a list that may not be run; jumps in it are kept. */
export function readBranch(
  context: ReadContext,
  statements: readonly Statement[],
): {
  readonly body: Operation[];
  readonly memory: KnownMemory | null;
} {
  const outer = context.memory;
  context.memory = outer.copy();
  const body: Operation[] = [];
  const ending = context.read(statements, body);
  const memory = context.memory;
  context.memory = outer;
  if (ending === "next") return { body, memory };
  if (ending !== "end") context.kept[`${ending}s`]++;
  context.keep(body, { kind: ending }, [], context.qubits);
  return { body, memory: null };
}

function mergeBranches(
  context: ReadContext,
  branches: readonly { readonly memory: KnownMemory | null }[],
): void {
  const [first, ...others] = branches.flatMap(({ memory }) => memory ?? []);
  if (!first) return;
  context.memory.become(first);
  for (const other of others) context.memory.meet(other);
}

/** Reads a condition: the branch that is taken, or both where a measurement decides. */
export function readIf(context: ReadContext, statement: StatementOf<"if">, out: Operation[]): Ending {
  const { condition, body, otherwise } = statement;
  const value = context.memory.value(condition);
  if (value !== undefined) return context.read(value ? body : (otherwise ?? []), out);
  const branches = [readBranch(context, body), readBranch(context, otherwise ?? [])];
  mergeBranches(context, branches);
  const kept: Statement = { ...statement, otherwise: otherwise ?? [] };
  context.keep(
    out,
    kept,
    branches.map(branch => branch.body),
  );
  return "next";
}

/** Reads a switch: the case that is taken, or all where a measurement decides. */
export function readSwitch(context: ReadContext, statement: StatementOf<"switch">, out: Operation[]): Ending {
  const value = context.memory.value(statement.value);
  context.memory.set(statement.slot, value);
  if (value !== undefined) {
    const chosen = statement.cases.find(({ values }) => values === null || values.includes(value as bigint));
    return context.read(chosen?.body ?? [], out);
  }
  const hasDefault = statement.cases.some(({ values }) => values === null);
  const branches = statement.cases.map(({ body }) => readBranch(context, body));
  mergeBranches(context, hasDefault ? branches : [...branches, { memory: context.memory.copy() }]);
  context.keep(
    out,
    statement,
    branches.map(branch => branch.body),
  );
  return "next";
}

/** Reads the body of a subroutine; it stays one where a measurement decides whether it returns early. */
export function readSubroutine(
  context: ReadContext,
  statement: StatementOf<"subroutine">,
  out: Operation[],
): Ending {
  if (statement.frame) context.memory.set(statement.frame.stack, undefined);
  const outer = context.kept;
  context.kept = noJumps();
  const body: Operation[] = [];
  const ending = context.read(statement.body, body);
  const { returns } = context.kept;
  context.kept = outer;
  if (returns > 0) {
    forget(context, statement.body);
    context.keep(out, statement, [body]);
  } else context.add(out, body);
  return ending === "end" ? "end" : "next";
}

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
