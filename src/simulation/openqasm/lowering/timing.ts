import type { Expression } from "../../circuit/expression.ts";
import { negativeDuration } from "../../circuit/statement.ts";
import { DURATION } from "../../circuit/values/types.ts";
import { errorAt } from "../expressions/compiled.ts";
import type { ExpressionNode, NodeList, StatementNode } from "../syntax/ast.ts";
import type { LoweringContext } from "./context.ts";

type Timed = Extract<StatementNode, { kind: "box" | "delay" | "nop" }>;

/** Lowers a delay, a box or a nop. */
export function lowerTimed(context: LoweringContext, node: Timed): void {
  const { builder } = context;
  if (node.kind === "box") {
    const max = node.duration && checkDuration(context, node.duration);
    const label = node.duration ? `box ${context.label(node.duration)}` : "box";
    const duration = node.duration ? compiledDuration(context, node.duration) : null;
    builder.add({ kind: "box", label, duration, body: builder.collect(() => context.body(node.body)) });
    if (max !== null && max !== undefined) checkBox(context, node, max);
    return;
  }
  const qubits = node.operands.map(operand => context.registers.qubits(operand).indices);
  if (node.kind !== "delay") return;
  builder.add({
    kind: "delay",
    label: `delay ${context.label(node.duration)}`,
    duration: compiledDuration(context, node.duration),
    at: node.duration.at,
    qubits: qubits.length > 0 ? qubits : null,
  });
}

/** Checks a duration that stands in brackets, now or once it is computed. Returns its nanoseconds where they are known now. */
export function checkDuration(context: LoweringContext, node: ExpressionNode): number | undefined {
  const value = compiledDuration(context, node);
  if (value.value === undefined) context.builder.add({ kind: "duration", duration: value, at: node.at });
  return value.value as number | undefined;
}

/** Compiles a duration; one that is known to be negative is an error. */
function compiledDuration(context: LoweringContext, node: ExpressionNode): Expression {
  const duration = context.expressions.compileTo(node, DURATION);
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

function checkBox(context: LoweringContext, node: Timed & { kind: "box" }, max: number): void {
  if (!isTimed(node)) return;
  const length = lengthOf(context, node.body);
  if (length > max)
    throw errorAt(
      node.duration!,
      `The box takes ${max} ns, and what it holds takes ${length} ns.`,
      `Give it at least ${length}ns, or leave the duration out.`,
    );
}

/** Returns when the last qubit of a block is done: what shares qubits follows each other, the rest runs at once. */
function lengthOf(context: LoweringContext, body: NodeList): number {
  const times = new Map<number | string, number>();
  /** End of the last operation on all qubits. */
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
  return (context.expressions.compileTo(node, DURATION).value as number | undefined) ?? 0;
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
    operand.kind === "hardware" ? [`$${operand.index}`] : context.registers.qubits(operand).known,
  );
  if (qubits.includes(null)) return null;
  const all = qubits.flatMap(known => [...known!]);
  context.expressions.context.countMembers(all.length, node.at);
  return all;
}

/** Whether it can be said of all that a block holds, boxes within it included, how long it takes. */
const isTimed = ({ body }: { body: NodeList }): boolean =>
  body.every(node => TIMED.has(node.kind) && (node.kind !== "box" || isTimed(node)));

const TIMED: ReadonlySet<StatementNode["kind"]> = new Set([
  ...(["call", "barrier", "nop", "reset", "measure", "verbatim", "delay", "box"] as const),
]);
