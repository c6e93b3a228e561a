import { bitsOfWord, type Memory, type Value } from "../circuit/memory.ts";
import type { Frame } from "../circuit/statement.ts";
import { EvaluationError } from "../errors.ts";
import type { Linker } from "./link.ts";

const MAX_DEPTH = 10_000;

/** A call on the stack: which one, the slots and bits of the caller, how deep it is, and the calls below. */
type Saved = readonly [site: number, slots: readonly Value[], bits: bigint, depth: number, below: Value];

/** The calls that a subroutine makes of itself. Its body is laid out once; a stack keeps the frame of each caller. */
export class Recursion {
  readonly #linker: Linker;
  readonly #frame: Frame;
  readonly #bits: readonly number[];
  /** The first instruction of the body, and the one to which each call returns. */
  readonly #start: number;
  readonly #returns: number[] = [];

  /** Begins the body of a subroutine that calls itself. */
  constructor(frame: Frame, linker: Linker) {
    this.#linker = linker;
    this.#frame = frame;
    this.#bits = numbersIn(frame.memory.bits);
    linker.set(frame.stack, () => []);
    this.#start = linker.next;
  }

  /** Adds what keeps the frame of the caller. */
  push(name: string, at: number | undefined): void {
    const { stack, memory } = this.#frame;
    const site = this.#returns.length;
    this.#linker.set(stack, of => {
      const depth = (this.#top(of)[3] ?? 0) + 1;
      if (depth > MAX_DEPTH)
        throw new EvaluationError(
          `${name} calls itself more than ${MAX_DEPTH.toLocaleString("en-US")} times within each other.`,
          at,
        );
      const word = this.#bits.reduceRight((sum, bit) => (sum << 1n) | BigInt(of.readBit(bit)), 0n);
      return [site, of.slots.slice(...memory.slots), word, depth, of.slots[stack]!];
    });
  }

  /** Adds the jump to the body; the call returns to what is added next. */
  call(at: number | undefined): void {
    this.#linker.jump(this.#start, at);
    this.#returns.push(this.#linker.next);
  }

  /** Adds what follows the body: the return to the call on top of the stack. */
  end(): void {
    const { stack, memory } = this.#frame;
    const slots = numbersIn(memory.slots);
    this.#returns.forEach((after, site) => {
      const skip = this.#linker.jumpUnless(of => this.#top(of)[0] === site);
      const set = (of: Memory) => {
        const [, values, word, , below] = this.#top(of);
        const bits = bitsOfWord(word, this.#bits.length);
        this.#bits.forEach((bit, i) => {
          of.writeBit(bit, bits[i]!);
        });
        values.forEach((value, i) => {
          of.slots[slots[i]!] = value;
        });
        of.slots[stack] = below;
      };
      this.#linker.add({ kind: "set", slots: [...slots, stack], set });
      this.#linker.jump(after);
      this.#linker.land([skip]);
    });
  }

  #top({ slots }: Memory): Saved {
    return slots[this.#frame.stack] as unknown as Saved;
  }
}

const numbersIn = ([first, end]: readonly [number, number]): number[] =>
  Array.from({ length: end - first }, (_, i) => first + i);
