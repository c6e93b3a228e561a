import type { Compute, Value } from "../../circuit/memory.ts";
import { SimulationError } from "../../errors.ts";
import { type Compiled, fault } from "../expressions/compiled.ts";
import { Scope } from "../expressions/scope.ts";
import type { ExpressionNode, RangeNode, SetNode, StatementNode } from "../syntax/ast.ts";
import { mentions } from "../syntax/mentions.ts";
import { conversion } from "../values/conversions.ts";
import { aType, BIT, BOOL, INT, isInteger, type Type, typeName } from "../values/types.ts";
import type { Lowering } from "./lowering.ts";
import { lowerSwitch } from "./switches.ts";

type Jump = { kind: "jump"; target: number };
type Loop = Extract<StatementNode, { kind: "while" | "for" | "switch" | "break" | "continue" }>;

/** Lowers loops and switches to conditional jumps. */
export class LoopLowering {
  readonly #lowering: Lowering;
  #loops: { breaks: Jump[]; continues: Jump[] }[] = [];

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
      default: {
        const loop = this.#loops.at(-1);
        if (!loop) throw fault(node, `There is no loop around this ${node.kind}.`);
        loop[node.kind === "break" ? "breaks" : "continues"].push(this.#jump());
      }
    }
  }

  /** Lowers what the loops around it do not reach: the body of a subroutine. */
  apart(lower: () => void): void {
    const outer = this.#loops;
    this.#loops = [];
    try {
      lower();
    } finally {
      this.#loops = outer;
    }
  }

  #jump(): Jump {
    return this.#lowering.builder.instruction({ kind: "jump", target: 0 });
  }

  /** Lowers the body of a loop; gives the jumps that leave it. */
  #body(fill: () => void): { breaks: Jump[] } {
    const loop = { breaks: [], continues: [] as Jump[] };
    this.#loops.push(loop);
    try {
      fill();
    } finally {
      this.#loops.pop();
    }
    const next = this.#lowering.builder.here();
    for (const jump of loop.continues) jump.target = next;
    return loop;
  }

  #while(node: Loop & { kind: "while" }): void {
    const { builder, expressions } = this.#lowering;
    const head = builder.here();
    const condition = expressions.compileTo(node.condition, BOOL).run as Compute<boolean>;
    const leave = builder.instruction({ kind: "unless", condition, target: 0 });
    const label = `while ${this.#lowering.label(node.condition)}`;
    let breaks: Jump[] = [];
    builder.block(label, this.#lowering.possible.bitsIn(node.condition), () => {
      breaks = this.#body(() => this.#lowering.body(node.body)).breaks;
    });
    this.#lowering.builder.instruction({
      kind: "jump",
      target: head,
      at: expressions.context.locate(node.at),
    });
    this.#land([leave, ...breaks]);
  }

  #land(jumps: readonly { target: number }[]): void {
    const here = this.#lowering.builder.here();
    for (const jump of jumps) jump.target = here;
  }

  #for(node: Loop & { kind: "for" }): void {
    const lowering = this.#lowering;
    const { builder, expressions } = lowering;
    const type = expressions.type(node.type);
    const scope = new Scope(expressions.context.scope);
    const { test, value, advance, element, times } =
      node.values.kind === "range"
        ? this.#overRange(node.values)
        : this.#overList(this.#list(node.values, type));
    const convert = conversion(element, type, isInteger(element) && isInteger(type) ? "cast" : "promotion");
    if (!convert)
      throw fault(node.values, `The values are ${typeName(element)}; the loop's variable is ${aType(type)}.`);
    const head = builder.here();
    const leave = builder.instruction({ kind: "unless", condition: test, target: 0 });
    let breaks: Jump[] = [];
    const label = this.#forLabel(node, times);
    builder.block(label, [], () => {
      breaks = this.#body(() => {
        const outer = expressions.context.scope;
        expressions.context.scope = scope;
        try {
          lowering.variables.declare(node.name, type, memory => convert(value(memory)));
        } finally {
          expressions.context.scope = outer;
        }
        lowering.body(node.body, scope);
      }).breaks;
    });
    builder.instruction(advance);
    this.#lowering.builder.instruction({
      kind: "jump",
      target: head,
      at: expressions.context.locate(node.at),
    });
    this.#land([leave, ...breaks]);
  }

  /** Gives what a reader sees of a loop: how often it runs, and its variable where the body depends on it. */
  #forLabel(node: Loop & { kind: "for" }, times: number | null): string {
    if (times !== null && !mentions(node.body, node.name.name)) return `×${times.toLocaleString("en-US")}`;
    const values = this.#lowering.label(node.values);
    return `for ${node.name.name} in ${node.values.kind === "range" ? `[${values}]` : values}`;
  }

  #overRange(node: RangeNode): Iteration {
    const { builder, expressions } = this.#lowering;
    const [current, stop, step] = [
      this.#lowering.variables.slot(),
      this.#lowering.variables.slot(),
      this.#lowering.variables.slot(),
    ];
    if (!node.start || !node.stop) throw fault(node, "Both ends of this range have to be given.");
    const integer = (part: ExpressionNode): Compiled => {
      const compiled = expressions.compile(part);
      if (!isInteger(compiled.type)) throw fault(part, "The ends of a range are whole numbers.");
      return compiled;
    };
    const by = node.step ? integer(node.step) : null;
    if (by?.value === 0n) throw fault(node.step!, "A range takes steps of zero.");
    const [from, to] = [integer(node.start), integer(node.stop)];
    const ends = [from.value, to.value, by ? by.value : 1n];
    const [first, last, by1] = ends as bigint[];
    const times = ends.includes(undefined) ? null : Math.max(0, Number((last! - first!) / by1!) + 1);
    builder.instruction({ kind: "assign", slot: current, value: from.run });
    builder.instruction({ kind: "assign", slot: stop, value: to.run });
    const where = expressions.context.locate(node.at);
    builder.instruction({
      kind: "assign",
      slot: step,
      value: memory => {
        const value = by ? by.run(memory) : 1n;
        if (value === 0n) throw new SimulationError(`${where}: A range takes steps of zero.`);
        return value;
      },
    });
    return {
      element: INT,
      times,
      test: ({ slots }) =>
        (slots[step] as bigint) > 0n ? slots[current]! <= slots[stop]! : slots[current]! >= slots[stop]!,
      value: ({ slots }) => slots[current]!,
      advance: {
        kind: "assign",
        slot: current,
        value: ({ slots }) => (slots[current] as bigint) + (slots[step] as bigint),
      },
    };
  }

  /** Compiles the values that a loop runs over one by one: those of a set or an array, or the bits of a register. */
  #list(node: SetNode | ExpressionNode, type: Type): List {
    const { expressions } = this.#lowering;
    if (node.kind === "set") {
      const items = node.items.map(item => expressions.compileTo(item, type));
      return { element: type, times: items.length, run: memory => items.map(({ run }) => run(memory)) };
    }
    if (expressions.arrays.rankOf(node) > 0) {
      const { element, sizes, run } = expressions.arrays.resolve(node);
      if (sizes.length !== 1) throw fault(node, "A loop runs over an array of one dimension.");
      return { element, times: sizes[0]!, run: memory => run(memory).map(slot => memory.slots[slot]!) };
    }
    const bits = expressions.compile(node);
    if (bits.type.kind !== "bit" || bits.type.width === null)
      throw fault(node, "A loop runs over a range, a set, an array or the bits of a register.");
    const { width } = bits.type;
    return {
      element: BIT,
      times: width,
      run: memory => {
        const value = bits.run(memory) as bigint;
        return Array.from({ length: width }, (_, i) => (value >> BigInt(i)) & 1n);
      },
    };
  }

  #overList({ element, times, run }: List): Iteration {
    const { builder } = this.#lowering;
    const [values, at] = [this.#lowering.variables.slot(), this.#lowering.variables.slot()];
    builder.instruction({ kind: "assign", slot: values, value: run });
    builder.instruction({ kind: "assign", slot: at, value: () => 0 });
    return {
      element,
      times,
      test: ({ slots }) => (slots[at] as number) < (slots[values] as readonly Value[]).length,
      value: ({ slots }) => (slots[values] as readonly Value[])[slots[at] as number]!,
      advance: { kind: "assign", slot: at, value: ({ slots }) => (slots[at] as number) + 1 },
    };
  }
}

interface List {
  readonly element: Type;
  readonly times: number;
  readonly run: Compute<readonly Value[]>;
}

interface Iteration {
  /** How often the body is run, where it is known before the run. */
  readonly times: number | null;
  readonly element: Type;
  readonly test: Compute<boolean>;
  readonly value: Compute;
  readonly advance: { kind: "assign"; slot: number; value: Compute };
}
