import type { Expression, ValueList } from "../../circuit/expression.ts";
import type { LoopValues } from "../../circuit/statement.ts";
import { conversion } from "../../circuit/values/conversions.ts";
import { aType, BIT, BOOL, INT, isInteger, type Type, typeName } from "../../circuit/values/types.ts";
import { fault } from "../expressions/compiled.ts";
import { Scope } from "../expressions/scope.ts";
import type { ExpressionNode, RangeNode, SetNode, StatementNode } from "../syntax/ast.ts";
import { mentions } from "../syntax/mentions.ts";
import type { Lowering } from "./lowering.ts";
import { lowerSwitch } from "./switches.ts";

type Loop = Extract<StatementNode, { kind: "while" | "for" | "switch" | "break" | "continue" }>;

/** What a `for` loop runs over: the values with their type, and how many they are where that is known before the run. */
interface Iteration {
  readonly element: Type;
  readonly times: number | null;
  readonly values: LoopValues;
}

/** Lowers loops and switches. */
export class LoopLowering {
  readonly #lowering: Lowering;
  /** How many loops are around the place that is lowered. */
  #depth = 0;

  constructor(lowering: Lowering) {
    this.#lowering = lowering;
  }

  /** Lowers a loop, a switch, or a statement that leaves one. */
  lower(node: Loop): void {
    switch (node.kind) {
      case "while":
        this.#while(node);
        return;
      case "for":
        this.#for(node);
        return;
      case "switch":
        lowerSwitch(node, this.#lowering);
        return;
      default:
        if (this.#depth === 0) throw fault(node, `There is no loop around this ${node.kind}.`);
        this.#lowering.builder.add({ kind: node.kind });
    }
  }

  /** Lowers what the loops around it do not reach: the body of a subroutine. */
  apart(lower: () => void): void {
    this.#within(0, lower);
  }

  #within(depth: number, lower: () => void): void {
    const outer = this.#depth;
    this.#depth = depth;
    try {
      lower();
    } finally {
      this.#depth = outer;
    }
  }

  #while(node: Loop & { kind: "while" }): void {
    const lowering = this.#lowering;
    const { builder, expressions } = lowering;
    let condition!: Expression;
    const before = builder.collect(() => {
      condition = expressions.compileTo(node.condition, BOOL);
    });
    builder.add({
      kind: "while",
      label: `while ${lowering.label(node.condition)}`,
      before,
      condition,
      body: builder.collect(() => this.#within(this.#depth + 1, () => lowering.body(node.body))),
    });
  }

  #for(node: Loop & { kind: "for" }): void {
    const lowering = this.#lowering;
    const { builder, expressions } = lowering;
    const type = expressions.type(node.type);
    const scope = new Scope(expressions.context.scope);
    const { element, values, times } =
      node.values.kind === "range" ? this.#range(node.values) : this.#list(node.values, type);
    const kind = isInteger(element) && isInteger(type) ? "cast" : "promotion";
    if (!conversion(element, type, kind))
      throw fault(node.values, `The values are ${typeName(element)}; the loop's variable is ${aType(type)}.`);
    const slot = lowering.variables.slot(3);
    const operand: Expression = { kind: "slot", type: element, slot };
    const body = builder.collect(() =>
      this.#within(this.#depth + 1, () => {
        const outer = expressions.context.scope;
        expressions.context.scope = scope;
        try {
          lowering.variables.declare(node.name, type, { kind: "cast", type, operand, conversion: kind });
        } finally {
          expressions.context.scope = outer;
        }
        lowering.body(node.body, scope);
      }),
    );
    builder.add({ kind: "for", label: this.#forLabel(node, times), slot, values, body });
  }

  /** Gives what a reader sees of a loop: how often it runs, and its variable where the body depends on it. */
  #forLabel(node: Loop & { kind: "for" }, times: number | null): string {
    if (times !== null && !mentions(node.body, node.name.name)) return `×${times.toLocaleString("en-US")}`;
    const values = this.#lowering.label(node.values);
    return `for ${node.name.name} in ${node.values.kind === "range" ? `[${values}]` : values}`;
  }

  #range(node: RangeNode): Iteration {
    const { expressions } = this.#lowering;
    if (!node.start || !node.stop) throw fault(node, "Both ends of this range have to be given.");
    const integer = (part: ExpressionNode): Expression => {
      const compiled = expressions.compile(part);
      if (!isInteger(compiled.type)) throw fault(part, "The ends of a range are whole numbers.");
      return compiled;
    };
    const step = node.step ? integer(node.step) : null;
    if (step?.value === 0n) throw fault(node.step!, "A range takes steps of zero.");
    const [start, stop] = [integer(node.start), integer(node.stop)];
    const ends = [start.value, stop.value, step ? step.value : 1n];
    const [first, last, by] = ends as bigint[];
    const times = ends.includes(undefined) ? null : Math.max(0, Number((last! - first!) / by!) + 1);
    return { element: INT, times, values: { kind: "range", start, step, stop, at: node.at } };
  }

  /** Compiles the values that a loop runs over one by one: those of a set or an array, or the bits of a register. */
  #list(node: SetNode | ExpressionNode, type: Type): Iteration {
    const { expressions } = this.#lowering;
    const over = (element: Type, times: number, list: ValueList): Iteration => ({
      ...{ element, times, values: { kind: "list", list } },
    });
    if (node.kind === "set") {
      const values = node.items.map(item => expressions.compileTo(item, type));
      return over(type, values.length, { kind: "values", values });
    }
    if (expressions.arrays.rankOf(node) > 0) {
      const { element, sizes, indices } = expressions.arrays.resolve(node);
      if (sizes.length !== 1) throw fault(node, "A loop runs over an array of one dimension.");
      return over(element, sizes[0]!, { kind: "slots", slots: indices });
    }
    const operand = expressions.compile(node);
    if (operand.type.kind !== "bit" || operand.type.width === null)
      throw fault(node, "A loop runs over a range, a set, an array or the bits of a register.");
    const { width } = operand.type;
    return over(BIT, width, { kind: "bits", operand, width });
  }
}
