import type { Expression } from "../../circuit/expression.ts";
import { negativeDuration } from "../../circuit/statement.ts";
import { DURATION } from "../../circuit/values/types.ts";
import { errorAt } from "../diagnostics/diagnostic.ts";
import { compileTo } from "../expressions/compiled.ts";
import { resolveQubits } from "../expressions/registers.ts";
import type { ExpressionNode, NodeList, NodeOf, StatementNode } from "../syntax/ast.ts";
import type { LoweringContext } from "./context.ts";

export function lowerBox(context: LoweringContext, node: NodeOf<"box">): void {
  const { builder } = context;
  const max = node.duration ? checkDuration(context, node.duration) : undefined;
  const label = node.duration ? `box ${context.label(node.duration)}` : "box";
  const duration = node.duration && compiledDuration(context, node.duration);
  builder.add({ kind: "box", label, duration, body: builder.collect(() => context.body(node.body)) });
  if (max === undefined || !isTimed(node)) return;
  const length = lengthOf(context, node.body);
  if (length > max)
    throw errorAt(
      node.duration!,
      `The box takes ${max} ns, and what it holds takes ${length} ns.`,
      `Give it at least ${length}ns, or leave the duration out.`,
    );
}

export function lowerDelay(context: LoweringContext, node: NodeOf<"delay">): void {
  const qubits = node.operands.map(operand => resolveQubits(context, operand).indices);
  context.builder.add({
    ...{ kind: "delay", label: `delay ${context.label(node.duration)}`, at: node.duration.at },
    ...{ duration: compiledDuration(context, node.duration), qubits: qubits.length > 0 ? qubits : null },
  });
}

/** Checks a duration that is in brackets, now or once it is computed. Returns its nanoseconds where they are known now. */
export function checkDuration(context: LoweringContext, node: ExpressionNode): number | undefined {
  const value = compiledDuration(context, node);
  if (value.value === undefined) context.builder.add({ kind: "duration", duration: value, at: node.at });
  return value.value as number | undefined;
}

/** Compiles a duration; one that is known to be negative is an error. */
function compiledDuration(context: LoweringContext, node: ExpressionNode): Expression {
  const duration = compileTo(context, node, DURATION);
  if ((duration.value as number) < 0) throw errorAt(node, negativeDuration(duration.value as number));
  return duration;
}

/** Returns the nanoseconds that a block takes: those of the qubit that is busy longest. */
export function durationOf(context: LoweringContext, { body }: { body: NodeList }): number {
  for (const node of body)
    if (!TIMED.has(node.kind))
      throw errorAt(node, "What is timed is made of gates, delays, resets and measurements.");
  return lengthOf(context, body);
}

/** Returns when the last qubit of a block is done: what shares qubits follows each other, the rest runs at once. */
function lengthOf(context: LoweringContext, body: NodeList): number {
  const times = new Map<number | string, number>();
  let common = 0;
  let last = 0;
  for (const node of body) {
    const qubits = busyQubits(context, node);
    const begin = qubits
      ? qubits.reduce<number>((latest, qubit) => Math.max(latest, times.get(qubit) ?? 0), common)
      : last;
    const end = begin + timeOf(context, node);
    for (const qubit of qubits ?? []) times.set(qubit, end);
    if (!qubits) common = end;
    last = Math.max(last, end);
  }
  return last;
}

function timeOf(context: LoweringContext, node: StatementNode): number {
  if (node.kind === "box")
    return (node.duration && knownTime(context, node.duration)) ?? durationOf(context, node);
  return (node.kind === "delay" || node.kind === "call") && node.duration
    ? knownTime(context, node.duration)
    : 0;
}

/** Returns the nanoseconds of a duration, or 0 where they are not known before the run. */
function knownTime(context: LoweringContext, node: ExpressionNode): number {
  return (compileTo(context, node, DURATION).value as number | undefined) ?? 0;
}

/** Returns the qubits that a statement keeps busy; null where these are all, or not known before the run. */
function busyQubits(context: LoweringContext, node: StatementNode): (number | string)[] | null {
  if (node.kind === "box") {
    const qubits = node.body.flatMap(each => busyQubits(context, each) ?? [null]);
    return qubits.includes(null) ? null : (qubits as (number | string)[]);
  }
  const operands =
    node.kind === "measure" || node.kind === "reset"
      ? [node.operand]
      : "operands" in node
        ? node.operands
        : [];
  if (operands.length === 0) return node.kind === "verbatim" ? [] : null;
  const qubits = operands.map(operand =>
    operand.kind === "hardware" ? [`$${operand.index}`] : resolveQubits(context, operand).known,
  );
  if (qubits.includes(null)) return null;
  const all = qubits.flatMap(known => [...known!]);
  context.countMembers(all.length, node.at);
  return all;
}

/** Whether it can be said of all that a block holds, boxes within it included, how long it takes. */
const isTimed = ({ body }: { body: NodeList }): boolean =>
  body.every(node => TIMED.has(node.kind) && (node.kind !== "box" || isTimed(node)));

const TIMED: ReadonlySet<StatementNode["kind"]> = new Set([
  ...(["call", "barrier", "nop", "reset", "measure", "verbatim", "delay", "box"] as const),
]);
