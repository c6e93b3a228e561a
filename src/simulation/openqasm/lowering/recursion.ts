import type { Compute, Memory, Value } from "../../circuit/memory.ts";
import { SimulationError } from "../../errors.ts";
import type { Subroutine } from "../expressions/scope.ts";
import type { ExpressionNode } from "../syntax/ast.ts";
import { mentions } from "../syntax/mentions.ts";
import type { Lowering } from "./lowering.ts";
import type { ParameterSetter } from "./parameters.ts";

const DEEPEST = 10_000;

/** The calls that a subroutine makes of itself. Its body is there once; what a call must not lose is put on a stack. */
export interface Recursion {
  /** The slot with the result of the call that was lowered last. */
  readonly resultSlot: number;
  /** Marks the beginning of the body. */
  begin(params: readonly ParameterSetter[]): void;
  /** Lowers a call from within the body. */
  recur(node: ExpressionNode & { kind: "call" }, result: number | null): void;
  /** Lowers what comes behind the body: the way back to the call that is on top of the stack. */
  end(): void;
}

/** A call on the stack: which one, the slots and bits of the caller, how deep it is, and the calls below. */
type Saved = readonly [site: number, slots: readonly Value[], bits: bigint, depth: number, below: Value];

/** Prepares a subroutine that calls itself, before its parameters are bound. */
export function startRecursion(lowering: Lowering): Recursion {
  const { builder, expressions } = lowering;
  const stack = lowering.variables.slot();
  builder.instruction({ kind: "assign", slot: stack, value: () => [] });
  const [firstSlot, firstBit] = [builder.numSlots, builder.numBits];
  const sites: { after: number; jump?: { target: number } }[] = [];
  const range = (first: number, end: number) => Array.from({ length: end - first }, (_, i) => first + i);
  const top = ({ slots }: Memory) => slots[stack] as unknown as Saved;
  let ends = { slots: 0, bits: 0 };
  let start = 0;
  let setters: readonly ParameterSetter[] = [];
  let resultSlot = 0;
  return {
    get resultSlot() {
      return resultSlot;
    },
    begin(params) {
      setters = params;
      start = builder.here();
    },
    recur(node, result) {
      const where = expressions.context.locate(node.at);
      const temporary = node.args.map((arg, i) => {
        const slot = lowering.variables.slot();
        builder.instruction({ kind: "assign", slot, value: setters[i]!.evaluate(arg) });
        return slot;
      });
      const site = sites.length;
      builder.instruction({
        kind: "assign",
        slot: stack,
        value: memory => {
          const depth = (top(memory)[3] ?? 0) + 1;
          if (depth > DEEPEST)
            throw new SimulationError(
              `${where}: ${node.name} calls itself more than ${DEEPEST.toLocaleString("en-US")} times within each other.`,
            );
          const bits = range(firstBit, ends.bits).reduceRight(
            (word, bit) => (word << 1n) | BigInt(memory.readBit(bit)),
            0n,
          );
          return [site, memory.slots.slice(firstSlot, ends.slots), bits, depth, memory.slots[stack]!];
        },
      });
      temporary.forEach((slot, i) => {
        setters[i]!.set((({ slots }) => slots[slot]!) as Compute);
      });
      builder.instruction({ kind: "jump", target: start, at: where });
      sites.push({ after: builder.here() });
      resultSlot = lowering.variables.slot();
      if (result !== null)
        builder.instruction({ kind: "assign", slot: resultSlot, value: ({ slots }) => slots[result]! });
    },
    end() {
      ends = { slots: builder.numSlots, bits: builder.numBits };
      const [slots, bits] = [range(firstSlot, ends.slots), range(firstBit, ends.bits)];
      sites.forEach(({ after }, site) => {
        const skip = builder.instruction({
          kind: "unless",
          condition: memory => top(memory)[0] === site,
          target: 0,
        });
        builder.instruction({ kind: "store", at: "", bits: () => bits, value: memory => top(memory)[2] });
        builder.instruction({ kind: "scatter", slots: () => slots, values: memory => top(memory)[1] });
        builder.instruction({ kind: "assign", slot: stack, value: memory => top(memory)[4] });
        builder.instruction({ kind: "jump", target: after });
        skip.target = builder.here();
      });
    },
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
