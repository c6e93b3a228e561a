import { type Expression, knownIndices, type OperandIndices } from "../../circuit/expression.ts";
import { NO_BIT, OPERATION } from "../../circuit/operations.ts";
import type { Type } from "../../circuit/values/types.ts";
import { errorAt } from "../diagnostics/diagnostic.ts";
import { arrayValues, rankOf, resolveArray } from "../expressions/arrays.ts";
import { assigned } from "../expressions/compiled.ts";
import { bitPositions } from "../expressions/expressions.ts";
import { isRegister, resolveBits, resolveQubits } from "../expressions/registers.ts";
import type { RegisterRef } from "../expressions/scope.ts";
import type { ExpressionNode, StatementNode } from "../syntax/ast.ts";
import type { LoweringContext } from "./context.ts";
import { counted } from "./gate-calls.ts";
import { storeBits, takeBits } from "./variables.ts";

type Assignment = StatementNode & { kind: "assign" };

/** A place of the classical memory that holds a single value. */
interface Cell {
  readonly type: Type;
  readonly slots: OperandIndices;
}

export function lowerAssignment(context: LoweringContext, node: Assignment): void {
  const { builder } = context;
  const { target, operator, value } = node;
  if (isRegister(context, target)) {
    assignBits(context, node, resolveBits(context, target));
    return;
  }
  if (rankOf(context, target) > 0) {
    const ref = resolveArray(context, target);
    checkWritable(context, target);
    if (operator !== "=") throw errorAt(node, `${operator} takes a single value, not an array.`);
    const values = arrayValues(context, value, ref.element, ref.sizes);
    builder.add({ kind: "fill", ...assignmentLabel(context, node), slots: ref.indices, values });
    return;
  }
  const cell = cellOf(context, target);
  if (cell) writeCell(context, node, cell, assigned(context, operated(node), cell.type));
  else if (target.kind === "index" && cellOf(context, target.base)) assignBitsOf(context, target, node);
  else {
    if (value.kind === "measure") resolveBits(context, target);
    context.compile(target);
    throw errorAt(target, `${context.label(target)} cannot be assigned.`);
  }
}

/** Lowers a measurement into a single bit or a slice of a number. */
export function lowerMeasureInto(
  context: LoweringContext,
  operand: ExpressionNode,
  target: ExpressionNode,
  node: StatementNode,
): void {
  if (isRegister(context, target) || target.kind !== "index" || !cellOf(context, target.base)) {
    lowerMeasurement(context, operand, resolveBits(context, target), node);
    return;
  }
  const { at, end } = operand;
  const value: ExpressionNode = { kind: "measure", operand, at, end, depth: 1 };
  assignBitsOf(context, target, { kind: "assign", target, operator: "=", value, at: node.at, end: node.end });
}

function assignBits(context: LoweringContext, node: Assignment, ref: RegisterRef): void {
  if (node.operator === "=" && node.value.kind === "measure") {
    lowerMeasurement(context, node.value.operand, ref, node);
    return;
  }
  if (!ref.isSingle && ref.width === null)
    throw errorAt(node.target, "How many bits these are has to be known before the run.");
  const type: Type = { kind: "bit", width: ref.isSingle ? null : ref.width };
  storeBits(context, ref, assigned(context, operated(node), type), assignmentLabel(context, node).label);
}

function assignBitsOf(
  context: LoweringContext,
  target: ExpressionNode & { kind: "index" },
  node: Assignment,
): void {
  const cell = cellOf(context, target.base)!;
  const { type, positions } = bitPositions(context, cell.type, target);
  const bits = assigned(context, operated(node), type);
  const operand = context.compile(target.base);
  writeCell(context, node, cell, { kind: "insert", type: cell.type, operand, positions, bits });
}

function writeCell(context: LoweringContext, node: Assignment, { slots }: Cell, value: Expression): void {
  const { builder } = context;
  const label = assignmentLabel(context, node);
  const [slot] = knownIndices(slots) ?? [];
  if (slot !== undefined) builder.add({ kind: "assign", ...label, slot, value });
  else builder.add({ kind: "fill", ...label, slots, values: { kind: "values", values: [value] } });
}

/** Returns the text of an assignment in a drawing; one of a measurement is drawn by that. */
function assignmentLabel(context: LoweringContext, node: Assignment): { label?: string } {
  return node.value.kind === "measure" ? {} : { label: context.statementLabel(node) };
}

/** Finds the single value that an expression names, or null where it names none; throws where it may not be written. */
function cellOf(context: LoweringContext, node: ExpressionNode): Cell | null {
  if (node.kind === "index") {
    if (rankOf(context, node) !== 0) return null;
    const ref = resolveArray(context, node);
    checkWritable(context, node);
    return { type: ref.element, slots: ref.indices };
  }
  const symbol = node.kind === "name" ? context.scope.find(node.name) : undefined;
  if (typeof symbol !== "object") return null;
  const name = context.label(node);
  if (symbol.kind === "constant") throw errorAt(node, `${name} is a constant and cannot be assigned.`);
  if (symbol.kind === "input")
    throw errorAt(node, `${name} is an input and cannot be assigned.`, "Copy it to a separate variable.");
  if (symbol.kind !== "variable") return null;
  return { type: symbol.type, slots: [symbol.slot] };
}

function checkWritable(context: LoweringContext, node: ExpressionNode): void {
  if (resolveArray(context, node).isReadonly)
    throw errorAt(node, `${context.label(node)} belongs to an array that is read only.`);
}

/** Returns the value assigned by an assignment such as `+=`. */
function operated({ target, operator, value }: Assignment): ExpressionNode {
  if (operator === "=") return value;
  const { at, end, depth } = value;
  return {
    kind: "binary",
    operator: operator.slice(0, -1),
    left: target,
    right: value,
    at,
    end,
    depth: depth + 1,
  };
}

export function lowerMeasurement(
  context: LoweringContext,
  operand: ExpressionNode,
  bits: RegisterRef | null,
  node: { at: number; end: number },
): void {
  const { builder } = context;
  const qubits = resolveQubits(context, operand);
  if (bits && bits.width !== null && qubits.width !== null && bits.width !== qubits.width)
    throw errorAt(
      node,
      `${counted(qubits.width, "qubit")} ${qubits.width === 1 ? "is" : "are"} measured into ${counted(bits.width, "bit")}; the numbers must be equal.`,
      bits.width > 1 && qubits.width === 1 ? "Name the bit, as in `c[0] = measure q[0];`." : undefined,
    );
  if (qubits.known && (!bits || bits.known)) {
    context.checkLength(qubits.known.length, node.at);
    const operands = [qubits.known, bits?.known ?? [NO_BIT]];
    builder.broadcast(qubits.known.length, OPERATION.measure, operands);
    return;
  }
  builder.add({
    kind: "measure",
    label: `measure ${context.label(operand)}`,
    qubits: qubits.indices,
    bits: bits?.indices ?? null,
    range: [node.at, node.end],
  });
}

export function measuredValue(context: LoweringContext, operand: ExpressionNode): Expression {
  const qubits = resolveQubits(context, operand);
  if (qubits.width === null)
    throw errorAt(operand, "How many qubits these are has to be known before the run.");
  const bits = takeBits(context, qubits.width, operand.at, qubits.isSingle);
  lowerMeasurement(context, operand, bits, operand);
  const width = qubits.isSingle ? null : qubits.width;
  return { kind: "bits", type: { kind: "bit", width }, bits: bits.indices };
}
