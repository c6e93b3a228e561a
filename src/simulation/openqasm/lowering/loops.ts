import type { Expression, ValueList } from "../../circuit/expression.ts";
import type { LoopValues } from "../../circuit/statement.ts";
import { conversion } from "../../circuit/values/conversions.ts";
import {
  BIT,
  BOOL,
  INT,
  isBoolean,
  isInteger,
  type Type,
  typeName,
  withArticle,
} from "../../circuit/values/types.ts";
import { errorAt } from "../diagnostics/diagnostic.ts";
import { rankOf, resolveArray } from "../expressions/arrays.ts";
import { compileTo, compileType, convert, knownBefore } from "../expressions/compiled.ts";
import { withinScope } from "../expressions/context.ts";
import { Scope } from "../expressions/scope.ts";
import type { NodeOf } from "../syntax/ast.ts";
import { type ExpressionNode, mentions, type RangeNode, type SetNode } from "../syntax/ast.ts";
import type { LoweringContext } from "./context.ts";
import { declareVariable, takeTemporary } from "./variables.ts";

/** Values of a `for` loop with their type, and their number if known before the run. */
interface Iteration {
  readonly element: Type;
  readonly times: number | null;
  readonly values: LoopValues;
}

/** Lowers what is within a number of loops: none for the body of a subroutine. */
export function withinLoops(context: LoweringContext, depth: number, lower: () => void): void {
  const outer = context.loopDepth;
  context.loopDepth = depth;
  try {
    lower();
  } finally {
    context.loopDepth = outer;
  }
}

export function lowerWhile(context: LoweringContext, node: NodeOf<"while">): void {
  const { builder } = context;
  let condition!: Expression;
  const before = builder.collect(() => {
    const compile = () => {
      condition = compileTo(context, node.condition, BOOL);
      return condition;
    };
    if (knownBefore(context, compile)?.value === true) context.subroutines.endless.add(node.at);
  });
  builder.add({
    kind: "while",
    label: `while ${context.label(node.condition)}`,
    before,
    condition,
    body: builder.collect(() => withinLoops(context, context.loopDepth + 1, () => context.body(node.body))),
  });
}

export function lowerFor(context: LoweringContext, node: NodeOf<"for">): void {
  const { builder } = context;
  const type = compileType(context, node.type);
  const scope = new Scope(context.scope);
  const { element, values, times } =
    node.values.kind === "range" ? rangeValues(context, node.values) : listValues(context, node.values, type);
  const kind = isInteger(element) && isInteger(type) ? "cast" : "promotion";
  if (!conversion(element, type, kind))
    throw errorAt(
      node.values,
      `The values are ${typeName(element)}; the loop's variable is ${withArticle(type)}.`,
    );
  const slot = takeTemporary(context, type, 4);
  const operand: Expression = { kind: "slot", type: element, slot };
  const body = builder.collect(() =>
    withinLoops(context, context.loopDepth + 1, () => {
      const value = { kind: "cast", type, operand, conversion: kind } as const;
      withinScope(context, scope, () =>
        declareVariable(context, node.name, type, value, undefined, slot + 3),
      );
      context.body(node.body, scope);
    }),
  );
  builder.add({ kind: "for", label: forLabel(context, node, times), slot, values, body });
}

/** Returns the heading of a loop: its number of runs, and its variable if the body depends on it. */
function forLabel(context: LoweringContext, node: NodeOf<"for">, times: number | null): string {
  if (times !== null && !mentions(node.body, node.name.name)) return `×${times.toLocaleString("en-US")}`;
  const values = context.label(node.values);
  return `for ${node.name.name} in ${node.values.kind === "range" ? `[${values}]` : values}`;
}

function rangeValues(context: LoweringContext, node: RangeNode): Iteration {
  if (!node.start || !node.stop) throw errorAt(node, "Both ends of this range have to be given.");
  const integer = (part: ExpressionNode): Expression => {
    const inner = context.compile(part);
    const compiled = isBoolean(inner.type) ? convert(inner, INT, part, "promotion") : inner;
    if (!isInteger(compiled.type)) throw errorAt(part, "The ends of a range are whole numbers.");
    return compiled;
  };
  const step = node.step ? integer(node.step) : null;
  if (step?.value === 0n) throw errorAt(node.step!, "A range takes steps of zero.");
  const [start, stop] = [integer(node.start), integer(node.stop)];
  const ends = [start.value, stop.value, step ? step.value : 1n];
  const [first, last, by] = ends as bigint[];
  const times = ends.includes(undefined) ? null : Math.max(0, Number((last! - first!) / by!) + 1);
  return { element: INT, times, values: { kind: "range", start, step, stop, at: node.at } };
}

/** Compiles the values that a loop runs over one by one: those of a set or an array, or the bits of a register. */
function listValues(context: LoweringContext, node: SetNode | ExpressionNode, type: Type): Iteration {
  const over = (element: Type, times: number, list: ValueList): Iteration => ({
    ...{ element, times, values: { kind: "list", list } },
  });
  if (node.kind === "set") {
    const values = node.items.map(item => compileTo(context, item, type));
    return over(type, values.length, { kind: "values", values });
  }
  if (rankOf(context, node) > 0) {
    const { element, sizes, indices } = resolveArray(context, node);
    if (sizes.length !== 1) throw errorAt(node, "A loop runs over an array of one dimension.");
    return over(element, sizes[0]!, { kind: "slots", slots: indices });
  }
  const operand = context.compile(node);
  if (operand.type.kind !== "bit" || operand.type.width === null)
    throw errorAt(node, "A loop runs over a range, a set, an array or the bits of a register.");
  const { width } = operand.type;
  return over(BIT, width, { kind: "bits", operand, width });
}
