import type { Expression } from "../../circuit/expression.ts";
import { BOOL } from "../../circuit/values/types.ts";
import type { ExpressionNode } from "../syntax/ast.ts";
import type { LoweringContext } from "./context.ts";

/**
 * Lowers the operands of `&&` or `||`. Where the right one calls or measures, that is done only if the left one leaves
 * the result open, and the result is returned as the left operand alone.
 */
export function lowerOperands(
  context: LoweringContext,
  { operator, left: leftNode }: ExpressionNode & { kind: "binary" },
  left: Expression,
  compileRight: () => Expression,
): [left: Expression, right: Expression | null] {
  const { builder } = context;
  let right!: Expression;
  const before = builder.collect(() => {
    right = compileRight();
  });
  if (before.length === 0) return [left, right];
  const slot = context.temporaries.take(context, BOOL);
  const result: Expression = { kind: "slot", type: BOOL, slot };
  const label = context.label(leftNode);
  builder.add({ kind: "assign", slot, value: left });
  builder.add({
    kind: "if",
    label: operator === "&&" ? `if ${label}` : `if !(${label})`,
    condition: operator === "&&" ? result : { kind: "unary", operator: "!", type: BOOL, operand: result },
    body: builder.collect(() => {
      for (const statement of before) builder.add(statement);
      builder.add({ kind: "assign", slot, value: right });
    }),
    otherwise: null,
  });
  return [result, null];
}
