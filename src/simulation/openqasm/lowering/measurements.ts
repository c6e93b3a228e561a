import type { Expression } from "../../circuit/expression.ts";
import { NO_BIT, OPERATION } from "../../circuit/operations.ts";
import { errorAt } from "../diagnostics/diagnostic.ts";
import { resolveQubits } from "../expressions/registers.ts";
import type { RegisterRef } from "../expressions/scope.ts";
import type { ExpressionNode } from "../syntax/ast.ts";
import type { LoweringContext } from "./context.ts";
import { counted } from "./gate-calls.ts";
import { takeBits } from "./variables.ts";

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
