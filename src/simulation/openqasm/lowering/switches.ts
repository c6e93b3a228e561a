import type { Value } from "../../circuit/memory.ts";
import { fault } from "../expressions/compiled.ts";
import type { StatementNode } from "../syntax/ast.ts";
import { INT } from "../values/types.ts";
import type { Lowering } from "./lowering.ts";

/** Lowers a switch to conditional jumps. */
export function lowerSwitch(node: StatementNode & { kind: "switch" }, lowering: Lowering): void {
  const { builder, expressions } = lowering;
  if (node.cases.length === 0) throw fault(node, "This switch has no case.");
  if (!node.cases[0]!.labels)
    lowering.note(node, "This switch has no case but its default, which always runs.");
  const slot = lowering.variables.slot();
  const value = expressions.compileTo(node.value, INT);
  const bits = lowering.possible.bitsIn(node.value);
  builder.instruction({ kind: "assign", slot, value: value.run });
  const ends: { target: number }[] = [];
  const seen = new Set<Value>();
  const name = lowering.label(node.value);
  node.cases.forEach(({ labels, body, at }, i) => {
    if (!labels && i < node.cases.length - 1) throw fault({ at, end: at + 7 }, "The default stands last.");
    const values = labels?.map(label => {
      const compiled = expressions.compileTo(label, INT);
      if (compiled.value === undefined) throw fault(label, "The value of a case has to be a constant.");
      if (seen.has(compiled.value)) throw fault(label, `The case ${compiled.value} is there already.`);
      seen.add(compiled.value);
      return compiled.value;
    });
    const skip =
      values &&
      builder.instruction({
        kind: "unless",
        condition: ({ slots }) => values.includes(slots[slot]!),
        target: 0,
      });
    const label = values ? `if ${name} == ${values.join(", ")}` : `if ${name} else`;
    builder.block(label.slice(0, 48), bits, () => lowering.body(body));
    ends.push(builder.instruction({ kind: "jump", target: 0 }));
    if (skip) skip.target = builder.here();
  });
  const here = builder.here();
  for (const jump of ends) jump.target = here;
}
