import type { Memory, Value } from "../circuit/memory.ts";
import type { Frame } from "../circuit/statement.ts";
import { EvaluationError } from "../errors.ts";
import type { InstructionBuilder } from "./link.ts";

const MAX_DEPTH = 10_000;

/** A call on the stack: which one, the slots and bits of the caller, how deep it is, and the calls below. */
type Saved = readonly [site: number, slots: readonly Value[], bits: bigint, depth: number, below: Value];

/** The calls that a subroutine makes of itself. Its body is laid out once; a stack keeps the frame of each caller. */
export class Recursion {
  readonly #builder: InstructionBuilder;
  readonly #frame: Frame;
  readonly #bits: readonly number[];
  /** The first instruction of the body, and the one to which each call returns. */
  readonly #start: number;
  readonly #returns: number[] = [];

  /** Begins the body of a subroutine that calls itself. */
  constructor(frame: Frame, builder: InstructionBuilder) {
    this.#builder = builder;
    this.#frame = frame;
    this.#bits = numbersIn(frame.memory.bits);
    builder.assign(frame.stack, () => []);
    this.#start = builder.next;
  }

  /** Adds what keeps the frame of the caller. */
  push(name: string, at: number | undefined): void {
    const { stack, memory } = this.#frame;
    const site = this.#returns.length;
    this.#builder.assign(stack, of => {
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
    this.#builder.jump(this.#start, at);
    this.#returns.push(this.#builder.next);
  }

  /** Adds what follows the body: the return to the call on top of the stack. */
  end(): void {
    const { stack, memory } = this.#frame;
    const slots = numbersIn(memory.slots);
    this.#returns.forEach((after, site) => {
      const skip = this.#builder.jumpIfFalse(of => this.#top(of)[0] === site);
      this.#builder.add({ kind: "store", bits: () => this.#bits, value: of => this.#top(of)[2] });
      this.#builder.add({ kind: "fill", slots: () => slots, values: of => this.#top(of)[1] });
      this.#builder.assign(stack, of => this.#top(of)[4]);
      this.#builder.jump(after);
      this.#builder.land([skip]);
    });
  }

  #top({ slots }: Memory): Saved {
    return slots[this.#frame.stack] as unknown as Saved;
  }
}

const numbersIn = ([first, end]: readonly [number, number]): number[] =>
  Array.from({ length: end - first }, (_, i) => first + i);
