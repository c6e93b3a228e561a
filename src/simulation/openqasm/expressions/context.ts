import type { Expression } from "../../circuit/expression.ts";
import type { ExpressionNode } from "../syntax/ast.ts";
import type { RegisterRef, Scope } from "./scope.ts";

export interface ExpressionContext {
  scope: Scope;
  inputReads: number;
  /** Compiles an expression within another one. If `isReals`, the division of integers is not rounded, as in arguments of gates. */
  compile(node: ExpressionNode, isReals?: boolean): Expression;
  /** Lowers the call of a subroutine in front of the expression and returns its result; null if none has that name. */
  callSubroutine(node: ExpressionNode & { kind: "call" }): Expression | null;
  /** Lowers the operands of `&&` or `||`; right is null if left is the result. */
  lowerOperands(
    node: ExpressionNode & { kind: "binary" },
    left: Expression,
    compileRight: () => Expression,
  ): [left: Expression, right: Expression | null];
  /** Counts the members of a slice or a list of qubits or bits, each as `weight` operations (default 0.5); throws if a program has too many. */
  countMembers(count: number, at: number, weight?: number): void;
  /** Records a note for the reader of the program, at the first place that it is true of. */
  note(node: { readonly at: number }, message: string): void;
  durationOf(node: ExpressionNode & { kind: "durationof" }): number;
  /** Lowers a measurement in front of the expression and returns the bits. */
  measure(node: ExpressionNode): Expression;
  hardwareQubit(index: number, node: ExpressionNode): RegisterRef;
}

export function withinScope<T>(context: ExpressionContext, scope: Scope, work: () => T): T {
  const outer = context.scope;
  context.scope = scope;
  try {
    return work();
  } finally {
    context.scope = outer;
  }
}
