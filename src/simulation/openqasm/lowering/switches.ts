import type { SwitchCase } from "../../circuit/statement.ts";
import { errorAt } from "../expressions/compiled.ts";
import type { StatementNode } from "../syntax/ast.ts";
import type { LoweringContext } from "./context.ts";

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
