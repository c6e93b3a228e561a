import type { Expression } from "../../circuit/expression.ts";
import type { Frame } from "../../circuit/statement.ts";
import type { Type } from "../../circuit/values/types.ts";
import type { Subroutine } from "../expressions/scope.ts";
import type { ExpressionNode } from "../syntax/ast.ts";
import { mentions } from "../syntax/mentions.ts";
import type { Lowering } from "./lowering.ts";
import type { ParameterSetter } from "./parameters.ts";

/** The calls that a subroutine makes of itself. */
export interface Recursion {
  /** The slot with the result of the call that was lowered last. */
  readonly resultSlot: number;
  /** Marks the beginning of the body. */
  begin(params: readonly ParameterSetter[]): void;
  /** Lowers a call from within the body. */
  recur(node: ExpressionNode & { kind: "call" }, result: { slot: number; type: Type } | null): void;
  /** Returns what a call keeps, once the body is lowered. */
  frame(): Frame;
}

/** Prepares a subroutine that calls itself, before its parameters are bound. */
export function startRecursion({ builder, variables }: Lowering): Recursion {
  const stack = variables.slot();
  const [firstSlot, firstBit] = [builder.numSlots, builder.numBits];
  let setters: readonly ParameterSetter[] = [];
  let resultSlot = 0;
  return {
    get resultSlot() {
      return resultSlot;
    },
    begin(params) {
      setters = params;
    },
    recur({ name, args, at, end }, result) {
      const given = args.map((arg, i) => {
        const slot = variables.slot();
        setters[i]!.evaluate(arg, slot);
        return slot;
      });
      const set = builder.collect(() =>
        given.forEach((slot, i) => {
          setters[i]!.set(slot);
        }),
      );
      builder.add({ kind: "recurse", name, stack, set, range: [at, end] });
      resultSlot = variables.slot();
      if (!result) return;
      const value: Expression = { kind: "slot", ...result };
      builder.add({ kind: "assign", slot: resultSlot, value });
    },
    frame: () => ({
      stack,
      memory: { slots: [firstSlot, builder.numSlots], bits: [firstBit, builder.numBits] },
    }),
  };
}

const known = new WeakMap<Subroutine, boolean>();

/** Tells whether the body of a subroutine calls it. */
export function callsItself(subroutine: Subroutine): boolean {
  let answer = known.get(subroutine);
  if (answer === undefined) {
    answer = mentions(subroutine.body, subroutine.name);
    known.set(subroutine, answer);
  }
  return answer;
}
