import { OPERATION } from "../../circuit/operations.ts";
import type { ExpressionNode, StatementNode } from "../syntax/ast.ts";
import { isVerbatimPragma } from "../syntax/pragmas.ts";
import { lowerAssignment, lowerMeasureInto } from "./assignments.ts";
import { checkBraketPragma } from "./braket.ts";
import { lowerIf } from "./conditions.ts";
import type { LoweringContext } from "./context.ts";
import { lowerDeclaration } from "./declarations.ts";
import { lowerGateCall } from "./gate-calls.ts";
import { lowerLoop } from "./loops.ts";
import { lowerMeasurement } from "./measurements.ts";
import { defineSubroutine, isSubroutineCall, lowerReturn } from "./subroutines.ts";
import { checkDuration, lowerTimed } from "./timing.ts";

/** Lowers a statement. */
export function lowerStatement(context: LoweringContext, node: StatementNode): void {
  const { builder } = context;
  switch (node.kind) {
    case "verbatim":
      if (/^(?:def)?cal\b/.test(node.text))
        context.note(node, "Calibrations are read over: a simulator applies gates as they are defined.");
      checkBraketPragma(node);
      if (isVerbatimPragma(node.text)) context.program.isVerbatim = true;
      else if (/^#?pragma\b/.test(node.text))
        context.note(node, "This pragma means nothing here: the program runs as it would without it.");
      return;
    case "include":
    case "quantum":
    case "classical":
    case "alias":
    case "gate":
    case "extern":
      lowerDeclaration(context, node);
      return;
    case "block":
      context.body(node.body);
      return;
    case "box":
    case "delay":
    case "nop":
      lowerTimed(context, node);
      return;
    case "assign":
      lowerAssignment(context, node);
      return;
    case "call":
      if (!isSubroutineCall(context, node)) lowerGateCall(context, node);
      else {
        if (node.duration) checkDuration(context, node.duration);
        context.expressions.effect(callOf(node));
      }
      return;
    case "measure":
      if (node.target) lowerMeasureInto(context, node.operand, node.target, node);
      else lowerMeasurement(context, node.operand, null, node);
      return;
    case "reset": {
      const ref = context.registers.qubits(node.operand);
      if (ref.known) {
        context.checkLength(ref.known.length, node.at);
        builder.broadcast(ref.known.length, OPERATION.reset, [ref.known]);
      } else
        builder.add({
          kind: "reset",
          label: context.label(node).replace(/;$/, ""),
          qubits: ref.indices,
        });
      return;
    }
    case "barrier":
      lowerBarrier(context, node);
      return;
    case "if":
      lowerIf(context, node);
      return;
    case "while":
    case "for":
    case "switch":
    case "break":
    case "continue":
      lowerLoop(context, node);
      return;
    case "end":
      builder.add({ kind: "end" });
      return;
    case "def":
      defineSubroutine(context, node);
      return;
    case "return":
      lowerReturn(context, node);
      return;
    case "expression":
      context.expressions.effect(node.value);
      if (node.value.kind !== "call")
        context.note(
          node,
          `The value of this expression is not used.${isEquality(node.value) ? " Write = to assign." : ""}`,
        );
  }
}

function lowerBarrier(context: LoweringContext, { operands, at }: StatementNode & { kind: "barrier" }): void {
  const { builder, registers } = context;
  const qubits = operands.map(operand => registers.qubits(operand).known);
  if (qubits.includes(null)) return;
  const all = qubits.length > 0 ? qubits.flatMap(known => known!) : [...Array(builder.numQubits).keys()];
  context.expansion.add(
    all.length,
    at,
    () => `This barrier has ${all.length.toLocaleString("en-US")} qubits`,
  );
  builder.operation(OPERATION.barrier);
  for (const qubit of operands.length > 0 ? new Set(all) : all) builder.operations.operand(qubit);
}

const isEquality = (node: ExpressionNode): boolean => node.kind === "binary" && node.operator === "==";

/** Returns the expression that a call of a subroutine with its qubits after the parenthesis stands for. */
function callOf({ name, args, operands, at, end }: StatementNode & { kind: "call" }): ExpressionNode {
  return { kind: "call", name: name.name, args: [...args, ...operands], at, end, depth: 1 };
}
