import type { Expression } from "../../circuit/expression.ts";
import { memoized } from "../../memoized.ts";
import type { Subroutine } from "../expressions/scope.ts";
import { mentions } from "../syntax/ast.ts";
import type { LoweringContext, ParameterSetter, Recursion } from "./context.ts";
import { checkComputed } from "./distinct-arguments.ts";
import { takeSlots } from "./variables.ts";

/** Prepares a subroutine that calls itself, before its parameters are bound. */
export function startRecursion(context: LoweringContext): Recursion {
  const { builder } = context;
  const stack = takeSlots(context);
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
        const slot = takeSlots(context);
        setters[i]!.evaluate(arg, slot);
        return slot;
      });
      const qubits = given.flatMap((slot, i) => {
        const width = setters[i]!.numQubits;
        return width === undefined ? [] : [{ indices: { kind: "slot", slot } as const, width }];
      });
      checkComputed(context, { name, at }, qubits);
      const set = builder.collect(() =>
        given.forEach((slot, i) => {
          setters[i]!.set(slot);
        }),
      );
      builder.add({ kind: "recurse", name, stack, set, range: [at, end] });
      resultSlot = takeSlots(context);
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

/** Whether the body of a subroutine calls it. */
export const callsItself = memoized(({ body, name }: Subroutine): boolean => mentions(body, name));
