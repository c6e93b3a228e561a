import type { Memory, Value } from "../circuit/memory.ts";
import type { Frame } from "../circuit/statement.ts";
import { EvaluationError } from "../errors.ts";
import type { Instruction } from "./instruction.ts";

const MAX_DEPTH = 10_000;

/** The calls that a subroutine makes of itself. Its body is there once; what a call must not lose is put on a stack. */
export interface Recursion {
  begin(start: number): void;
  /** Adds what keeps the frame of the caller. */
  push(name: string, at: number | undefined): void;
  /** Adds the jump to the body; what is added next is where the call comes back to. */
  call(at: number | undefined): void;
  /** Adds what follows the body: the way back to the call that is on top of the stack. */
  end(): void;
}

/** A call on the stack: which one, the slots and bits of the caller, how deep it is, and the calls below. */
type Saved = readonly [site: number, slots: readonly Value[], bits: bigint, depth: number, below: Value];

/** Begins the body of a subroutine that calls itself; `add` adds instructions and returns how many there are. */
export function startRecursion(
  { stack, memory }: Frame,
  add: (...instructions: Instruction[]) => number,
): Recursion {
  const [slots, bits] = [memory.slots, memory.bits].map(([first, end]) =>
    Array.from({ length: end - first }, (_, i) => first + i),
  ) as [number[], number[]];
  const returns: number[] = [];
  const top = (of: Memory) => of.slots[stack] as unknown as Saved;
  let start = 0;
  add({ kind: "assign", slot: stack, value: () => [] });
  return {
    begin(here) {
      start = here;
    },
    push(name, at) {
      const site = returns.length;
      add({
        kind: "assign",
        slot: stack,
        value: of => {
          const depth = (top(of)[3] ?? 0) + 1;
          if (depth > MAX_DEPTH)
            throw new EvaluationError(
              `${name} calls itself more than ${MAX_DEPTH.toLocaleString("en-US")} times within each other.`,
              at,
            );
          const word = bits.reduceRight((sum, bit) => (sum << 1n) | BigInt(of.readBit(bit)), 0n);
          return [site, of.slots.slice(...memory.slots), word, depth, of.slots[stack]!];
        },
      });
    },
    call(at) {
      returns.push(add({ kind: "jump", target: start, ...(at === undefined ? {} : { loop: at }) }));
    },
    end() {
      returns.forEach((after, site) => {
        const skip = {
          kind: "jumpIfFalse" as const,
          condition: (of: Memory) => top(of)[0] === site,
          target: 0,
        };
        skip.target = add(
          skip,
          { kind: "store", bits: () => bits, value: of => top(of)[2] },
          { kind: "fill", slots: () => slots, values: of => top(of)[1] },
          { kind: "assign", slot: stack, value: of => top(of)[4] },
          { kind: "jump", target: after },
        );
      });
    },
  };
}
