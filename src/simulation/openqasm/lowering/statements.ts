import { OPERATION } from "../../circuit/operations.ts";
import { BOOL } from "../../circuit/values/types.ts";
import type { ExpressionNode, StatementNode } from "../syntax/ast.ts";
import type { Lowering } from "./lowering.ts";

/** Lowers statements: the simple ones itself, the others through what is made for them. */
export class StatementLowering {
  readonly #lowering: Lowering;

  constructor(lowering: Lowering) {
    this.#lowering = lowering;
  }

  /** Lowers a statement. */
  lower(node: StatementNode): void {
    const lowering = this.#lowering;
    const { builder } = lowering;
    switch (node.kind) {
      case "verbatim":
        if (/^(?:def)?cal\b/.test(node.text))
          lowering.note(node, "Calibrations are read over: a simulator applies gates as they are defined.");
        return;
      case "include":
      case "quantum":
      case "classical":
      case "alias":
      case "gate":
      case "extern":
        lowering.declarations.lower(node);
        return;
      case "block":
        lowering.body(node.body);
        return;
      case "box":
      case "delay":
      case "nop":
        lowering.timing.lower(node);
        return;
      case "assign":
        lowering.assignments.assign(node);
        return;
      case "call":
        if (node.duration) lowering.timing.check(node.duration);
        if (lowering.subroutines.has(node)) lowering.expressions.effect(callOf(node));
        else lowering.calls.lower(node);
        return;
      case "measure":
        if (node.target) lowering.assignments.measureInto(node.operand, node.target, node);
        else lowering.measurements.measure(node.operand, null, node);
        return;
      case "reset": {
        const ref = lowering.places.qubits(node.operand);
        for (const qubit of ref.known ?? []) {
          lowering.checkLength(1, node.at);
          builder.operation(OPERATION.reset);
          builder.operations.operand(qubit);
        }
        if (!ref.known)
          builder.add({
            kind: "reset",
            label: lowering.label(node).replace(/;$/, ""),
            qubits: ref.indices,
          });
        return;
      }
      case "barrier":
        this.#barrier(node);
        return;
      case "if":
        this.#if(node);
        return;
      case "while":
      case "for":
      case "switch":
      case "break":
      case "continue":
        lowering.loops.lower(node);
        return;
      case "end":
        builder.add({ kind: "end" });
        return;
      case "def":
        lowering.subroutines.define(node);
        return;
      case "return":
        lowering.subroutines.return(node);
        return;
      case "expression":
        lowering.expressions.effect(node.value);
        if (node.value.kind !== "call")
          lowering.note(
            node,
            `The value of this expression is not used.${isEquality(node.value) ? " Write = to assign." : ""}`,
          );
    }
  }

  #barrier({ operands, at }: StatementNode & { kind: "barrier" }): void {
    const { builder, places } = this.#lowering;
    const qubits = operands.map(operand => places.qubits(operand).known);
    if (qubits.includes(null)) return;
    const all = qubits.length > 0 ? qubits.flatMap(known => known!) : [...Array(builder.numQubits).keys()];
    this.#lowering.expansion.add(
      all.length,
      at,
      () => `This barrier has ${all.length.toLocaleString("en-US")} qubits`,
    );
    builder.operation(OPERATION.barrier);
    for (const qubit of operands.length > 0 ? new Set(all) : all) builder.operations.operand(qubit);
  }

  #if(node: StatementNode & { kind: "if" }): void {
    const lowering = this.#lowering;
    const { builder } = lowering;
    const condition = lowering.expressions.compileTo(node.condition, BOOL);
    builder.add({
      kind: "if",
      label: `if ${lowering.label(node.condition)}`,
      condition,
      body: builder.collect(() => lowering.body(node.body)),
      otherwise: node.otherwise && builder.collect(() => lowering.body(node.otherwise!)),
    });
  }
}

const isEquality = (node: ExpressionNode): boolean => node.kind === "binary" && node.operator === "==";

/** Gives the expression that a call of a subroutine with its qubits behind the parenthesis stands for. */
function callOf({ name, args, operands, at, end }: StatementNode & { kind: "call" }): ExpressionNode {
  return { kind: "call", name: name.name, args: [...args, ...operands], at, end, depth: 1 };
}
