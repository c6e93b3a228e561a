import { constant } from "../../circuit/expression.ts";
import type { SwitchCase } from "../../circuit/statement.ts";
import { BOOL } from "../../circuit/values/types.ts";
import { errorAt } from "../expressions/compiled.ts";
import { elseIfOf, type StatementNode } from "../syntax/ast.ts";
import type { LoweringContext } from "./context.ts";

type IfNode = StatementNode & { kind: "if" };

/** Maximum nesting of `else if`; further ones are lowered separately. */
const MAX_NESTED = 32;

/** Lowers a condition. */
export function lowerIf(context: LoweringContext, node: IfNode): void {
  const { builder, postponedArms } = context;
  const set = (slot: number, value: boolean) =>
    builder.add({ kind: "assign", slot, value: constant(BOOL, value) });
  const flag = postponedArms.get(node);
  if (flag !== undefined) {
    set(flag, true);
    return;
  }
  let next = postponedArm(context, node);
  if (!next) {
    lowerArm(context, node);
    return;
  }
  const slot = context.temporaries.take(context, BOOL);
  set(slot, false);
  const lowerGroup = (first: IfNode) => {
    next = postponedArm(context, first);
    if (next) postponedArms.set(next, slot);
    lowerArm(context, first);
  };
  lowerGroup(node);
  while (next) {
    const first: IfNode = next;
    postponedArms.delete(first);
    const body = builder.collect(() => {
      set(slot, false);
      lowerGroup(first);
    });
    const condition = { kind: "slot", type: BOOL, slot } as const;
    builder.add({ kind: "if", label: "else", condition, body, otherwise: null });
  }
}

/** Returns the `else if` that is too many after a condition; null where there is none, or where it is postponed already. */
function postponedArm({ postponedArms }: LoweringContext, node: IfNode): IfNode | null {
  let arm: IfNode | null = node;
  for (let i = 0; arm && i < MAX_NESTED; i++) {
    arm = elseIfOf(arm);
    if (arm && postponedArms.has(arm)) return null;
  }
  return arm;
}

function lowerArm(context: LoweringContext, { condition, body, otherwise }: IfNode): void {
  const { builder } = context;
  const value = context.expressions.compileTo(condition, BOOL);
  builder.add({
    kind: "if",
    label: `if ${context.label(condition)}`,
    condition: value,
    body: builder.collect(() => context.body(body)),
    otherwise: otherwise && builder.collect(() => context.body(otherwise)),
  });
}

/** Lowers a switch. */
export function lowerSwitch(context: LoweringContext, node: StatementNode & { kind: "switch" }): void {
  const { builder, expressions } = context;
  if (node.cases.length === 0) throw errorAt(node, "This switch has no case.");
  if (!node.cases[0]!.labels)
    context.note(node, "This switch has no case but its default, which always runs.");
  const value = expressions.wholeNumber(node.value);
  const slot = context.temporaries.take(context, value.type);
  const seen = new Set<bigint>();
  const name = context.label(node.value);
  const cases = node.cases.map(({ labels, body, at }, i): SwitchCase => {
    if (!labels && i < node.cases.length - 1) throw errorAt({ at, end: at + 7 }, "The default stands last.");
    const values = labels?.map(label => {
      const known = expressions.known(() => expressions.wholeNumber(label));
      if (!known) throw errorAt(label, "The value of a case has to be a constant.");
      const constant = known.value as bigint;
      if (seen.has(constant)) throw errorAt(label, `The case ${constant} is there already.`);
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
