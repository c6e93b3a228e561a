import { OPERATION } from "../../circuit/operations.ts";
import { errorAt } from "../diagnostics/diagnostic.ts";
import { compileEffect } from "../expressions/expressions.ts";
import { resolveQubits } from "../expressions/registers.ts";
import type { ExpressionNode, NodeOf, StatementNode } from "../syntax/ast.ts";
import { isVerbatimPragma } from "../syntax/pragmas.ts";
import { lowerAssignment, lowerMeasureInto, lowerMeasurement } from "./assignments.ts";
import { checkBraketPragma } from "./braket.ts";
import { lowerIf, lowerSwitch } from "./conditions.ts";
import type { LoweringContext } from "./context.ts";
import {
  declareAlias,
  declareClassical,
  declareExtern,
  declareGate,
  declareQubits,
  includeFile,
} from "./declarations.ts";
import { lowerGateCall } from "./gate-calls.ts";
import { lowerFor, lowerWhile } from "./loops.ts";
import { defineSubroutine, isSubroutineCall, lowerReturn } from "./subroutines.ts";
import { checkDuration, lowerBox, lowerDelay } from "./timing.ts";

export function lowerStatement<K extends StatementNode["kind"]>(
  context: LoweringContext,
  node: NodeOf<K>,
): void {
  const lower = LOWER[node.kind] as (context: LoweringContext, node: StatementNode) => void;
  lower(context, node);
}

const LOWER: { readonly [K in StatementNode["kind"]]: (context: LoweringContext, node: NodeOf<K>) => void } =
  {
    verbatim: lowerVerbatim,
    include: includeFile,
    quantum: declareQubits,
    classical: declareClassical,
    alias: declareAlias,
    gate: declareGate,
    extern: declareExtern,
    def: defineSubroutine,
    block: (context, { body }) => context.body(body),
    box: lowerBox,
    delay: lowerDelay,
    nop: (context, { operands }) => {
      for (const operand of operands) resolveQubits(context, operand);
    },
    assign: lowerAssignment,
    call: lowerCall,
    measure: (context, node) => {
      if (node.target) lowerMeasureInto(context, node.operand, node.target, node);
      else lowerMeasurement(context, node.operand, null, node);
    },
    reset: lowerReset,
    barrier: lowerBarrier,
    if: lowerIf,
    while: lowerWhile,
    for: lowerFor,
    switch: lowerSwitch,
    break: lowerLeave,
    continue: lowerLeave,
    end: ({ builder }) => builder.add({ kind: "end" }),
    return: lowerReturn,
    expression: lowerExpression,
  };

function lowerVerbatim(context: LoweringContext, node: NodeOf<"verbatim">): void {
  if (/^(?:def)?cal\b/.test(node.text))
    context.note(node, "Calibrations are ignored: a simulator applies gates as they are defined.");
  checkBraketPragma(node);
  if (isVerbatimPragma(node.text)) context.program.isVerbatim = true;
  else if (/^#?pragma\b/.test(node.text))
    context.note(node, "This pragma means nothing here: the program runs as it would without it.");
}

/** Lowers a call of a gate, or of a subroutine with its qubits after the parenthesis. */
function lowerCall(context: LoweringContext, node: NodeOf<"call">): void {
  if (isSubroutineCall(context, node)) {
    const { name, args, operands, at, end } = node;
    if (node.duration) checkDuration(context, node.duration);
    compileEffect(context, {
      ...{ kind: "call", name: name.name, args: [...args, ...operands], at, end, depth: 1 },
    });
  } else lowerGateCall(context, node);
}

function lowerReset(context: LoweringContext, node: NodeOf<"reset">): void {
  const { builder } = context;
  const ref = resolveQubits(context, node.operand);
  if (ref.known) {
    context.checkLength(ref.known.length, node.at);
    builder.broadcast(ref.known.length, OPERATION.reset, [ref.known]);
  } else builder.add({ kind: "reset", label: context.statementLabel(node), qubits: ref.indices });
}

function lowerBarrier(context: LoweringContext, { operands, at }: NodeOf<"barrier">): void {
  const { builder } = context;
  const qubits = operands.map(operand => resolveQubits(context, operand).known);
  if (qubits.includes(null)) return;
  const named = qubits.flatMap(known => known!);
  const count = qubits.length > 0 ? named.length : builder.numQubits;
  context.expansion.add(count, at, () => `This barrier has ${count.toLocaleString("en-US")} qubits`);
  builder.addOperation(OPERATION.barrier, qubits.length > 0 ? new Set(named) : Array(count).keys());
}

function lowerLeave(context: LoweringContext, node: NodeOf<"break" | "continue">): void {
  if (context.loopDepth === 0) throw errorAt(node, `There is no loop around this ${node.kind}.`);
  context.builder.add({ kind: node.kind });
}

function lowerExpression(context: LoweringContext, node: NodeOf<"expression">): void {
  compileEffect(context, node.value);
  if (node.value.kind === "call") return;
  const hint = isEquality(node.value) ? " Write = to assign." : "";
  context.note(node, `The value of this expression is not used.${hint}`);
}

const isEquality = (node: ExpressionNode): boolean => node.kind === "binary" && node.operator === "==";
