import { constant } from "../circuit/expression.ts";
import type { Compute } from "../circuit/memory.ts";
import type { Statement } from "../circuit/statement.ts";
import { BOOL, INT } from "../circuit/values/types.ts";
import { SimulationError } from "../errors.ts";
import { iterationOf } from "../interpreter/iteration.ts";
import type { Operation } from "./operation.ts";
import { forget, readBranch } from "./read-branches.ts";
import { type Ending, noJumps, type ReadContext, type StatementOf } from "./read-context.ts";

/** Reads a loop with a condition: unrolled where that is known each time. */
export function readWhile(context: ReadContext, statement: StatementOf<"while">, out: Operation[]): Ending {
  const rounds = unrolled(context, statement, out, inner => {
    for (;;) {
      context.read(statement.before, inner);
      const value = context.memory.value(statement.condition);
      if (value === undefined) return "unknown";
      if (!value) return "next";
      const ending = readRound(context, statement.body, inner);
      if (ending === "break") return "next";
      if (ending !== "next") return ending;
    }
  });
  if (rounds !== "unknown") return rounds;
  forget(context, [statement]);
  const before: Operation[] = [];
  context.read(statement.before, before);
  const outer = context.kept;
  const { body } = readBranch(context, statement.body);
  context.kept = { ...outer, returns: context.kept.returns };
  forget(context, [statement]);
  context.keep(out, statement, [before, body]);
  return "next";
}

/** Reads a loop over values: unrolled where they are known. */
export function readFor(context: ReadContext, statement: StatementOf<"for">, out: Operation[]): Ending {
  const { slot, values, body } = statement;
  const { before, test, each, advance } = iterationOf(slot, values);
  const set = (settings: readonly { slot: number; value: Compute }[]) => {
    for (const { slot: to, value } of settings) context.memory.set(to, context.memory.attempt(value));
  };
  const rounds = unrolled(context, statement, out, inner => {
    set(before);
    for (;;) {
      const more = context.memory.attempt(test);
      if (more === undefined) return "unknown";
      if (!more) return "next";
      set(each);
      const value = context.memory.attempt(({ slots }) => slots[slot]!)!;
      context.keep(inner, { kind: "assign", slot, value: constant(INT, value) });
      const ending = readRound(context, body, inner);
      if (ending === "break") return "next";
      if (ending !== "next") return ending;
      set([advance]);
    }
  });
  if (rounds !== "unknown") return rounds;
  forget(context, [statement]);
  const outer = context.kept;
  const branch = readBranch(context, body);
  context.kept = { ...outer, returns: context.kept.returns };
  forget(context, [statement]);
  context.keep(out, statement, [branch.body]);
  return "next";
}

/** Carries out a loop whose rounds are known. Where they turn out not to be, nothing has happened. */
function unrolled(
  context: ReadContext,
  statement: Statement,
  out: Operation[],
  run: (inner: Operation[]) => Ending | "unknown",
): Ending | "unknown" {
  const [saved, outer, count] = [context.memory.copy(), context.kept, context.count];
  context.kept = noJumps();
  const inner: Operation[] = [];
  const ending = run(inner);
  const kept = context.kept;
  context.kept = { ...outer, returns: outer.returns + kept.returns };
  if (ending === "unknown") {
    context.memory.become(saved);
    context.kept = outer;
    context.count = count;
    return ending;
  }
  if (kept.breaks > 0) {
    context.keep(inner, { kind: "break" }, [], context.qubits);
    forget(context, [statement]);
    context.keep(out, onceStatement("loop"), [[], inner]);
  } else context.add(out, inner);
  return ending;
}

/** Reads one round of a loop that is carried out; where it may be cut short, it is a loop of one round itself. */
function readRound(context: ReadContext, body: readonly Statement[], out: Operation[]): Ending {
  const { continues } = context.kept;
  const inner: Operation[] = [];
  const ending = context.read(body, inner);
  if (context.kept.continues === continues) {
    context.add(out, inner);
    return ending === "continue" ? "next" : ending;
  }
  if (context.kept.breaks > 0)
    throw new SimulationError(
      "A loop over known values is left by `break` and shortened by `continue`, both where a measurement says so; such a loop is not transpiled.",
    );
  const replaced = inner.map(breakForContinue);
  context.keep(replaced, { kind: "break" }, [], context.qubits);
  context.kept.continues = continues;
  forget(context, body);
  context.keep(out, onceStatement("round"), [[], replaced]);
  return ending === "continue" ? "next" : ending;
}

/** A loop that is left at the end of its first round. */
const onceStatement = (label: string): Statement => ({
  kind: "while",
  label,
  before: [],
  condition: constant(BOOL, true),
  body: [],
});

/** Replaces jumps to the next round by jumps out of the loop of one round, in branches but not in loops. */
function breakForContinue(operation: Operation): Operation {
  if (operation.kind !== "statement") return operation;
  const { statement, bodies } = operation;
  if (statement.kind === "continue") return { ...operation, statement: { kind: "break" } };
  if (statement.kind === "while" || statement.kind === "for") return operation;
  return { ...operation, bodies: bodies.map(body => body.map(breakForContinue)) };
}
