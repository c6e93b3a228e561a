import { constant, type Expression } from "../../circuit/expression.ts";
import type { SwitchCase } from "../../circuit/statement.ts";
import { BOOL } from "../../circuit/values/types.ts";
import { errorAt } from "../diagnostics/diagnostic.ts";
import { compileTo, knownBefore, wholeNumber } from "../expressions/compiled.ts";
import { armsOf, type ExpressionNode, type NodeList, type StatementNode } from "../syntax/ast.ts";
import type { LoweringContext } from "./context.ts";
import { takeTemporary } from "./variables.ts";

type IfNode = StatementNode & { kind: "if" };

/** Maximum nesting of `else if`; a longer list of them is lowered one after the other. */
const MAX_NESTED = 32;

export function lowerIf(context: LoweringContext, node: IfNode): void {
  const { builder } = context;
  const arms = armsOf(node);
  if (arms.length <= MAX_NESTED) {
    lowerArm(context, node, node.otherwise);
    return;
  }
  const slot = takeTemporary(context, BOOL);
  const set = (value: boolean) => builder.add({ kind: "assign", slot, value: constant(BOOL, value) });
  const condition: Expression = { kind: "slot", type: BOOL, slot };
  set(true);
  arms.forEach((arm, i) => {
    const otherwise = i === arms.length - 1 ? arm.otherwise : null;
    const lower = () => lowerArm(context, arm, otherwise, () => set(false));
    if (i === 0) lower();
    else builder.add({ kind: "if", label: "else", condition, body: builder.collect(lower), otherwise: null });
  });
}

/** Lowers a condition; `first` adds what comes before its body. */
function lowerArm(
  context: LoweringContext,
  { condition, body }: IfNode,
  otherwise: NodeList | null,
  first = () => {},
): void {
  const { builder } = context;
  const value = compileTo(context, condition, BOOL);
  builder.add({
    kind: "if",
    label: `if ${context.label(condition)}`,
    condition: value,
    body: builder.collect(() => {
      first();
      context.body(body);
    }),
    otherwise: otherwise && builder.collect(() => context.body(otherwise)),
  });
}

export function lowerSwitch(context: LoweringContext, node: StatementNode & { kind: "switch" }): void {
  const { builder } = context;
  if (node.cases.length === 0) throw errorAt(node, "This switch has no case.");
  if (!node.cases[0]!.labels)
    context.note(node, "This switch has no case but its default, which always runs.");
  const value = wholeNumber(context, node.value);
  const slot = takeTemporary(context, value.type);
  const seen = new Set<bigint>();
  const name = context.label(node.value);
  const cases = node.cases.map(({ labels, body, at }, i): SwitchCase => {
    if (!labels && i < node.cases.length - 1) throw errorAt({ at, end: at + 7 }, "The default stands last.");
    const values = labels?.map(label => {
      const known = knownBefore(context, () => wholeNumber(context, label));
      if (!known) throw errorAt(label, "The value of a case has to be a constant.");
      const constant = known.value as bigint;
      if (seen.has(constant)) throw errorAt(label, `The case ${constant} is a duplicate.`);
      seen.add(constant);
      return constant;
    });
    const label = values ? `if ${name} == ${values.join(", ")}` : `if ${name} else`;
    return {
      values: values ?? null,
      label: label.slice(0, 48),
      body: builder.collect(() => context.body(body)),
    };
  });
  builder.add({ kind: "switch", slot, value, cases });
}

/**
 * Lowers the operands of `&&` or `||`. If the right one calls or measures, that is done only if the left one leaves the
 * result open, and the result is returned as the left operand.
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
  const slot = takeTemporary(context, BOOL);
  const result: Expression = { kind: "slot", type: BOOL, slot };
  const label = context.label(leftNode);
  builder.add({ kind: "assign", slot, value: left });
  builder.add({
    kind: "if",
    label: operator === "&&" ? `if ${label}` : `if !(${label})`,
    condition: operator === "&&" ? result : { kind: "unary", operator: "!", type: BOOL, operand: result },
    body: [...before, { kind: "assign", slot, value: right }],
    otherwise: null,
  });
  return [result, null];
}
