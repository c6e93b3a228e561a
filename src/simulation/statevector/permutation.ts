import type { Step } from "./gate-fuser.ts";

/** A step that flips the bit at a position where one other bit, or none, has a value. */
export type Exchange = Step & { kind: "transform" };

/** Whether a step only exchanges amplitudes in a way that exclusive ors of their index describe, and leaves each in its lane. */
export function isLinearExchange({ position, mask, matrix }: Exchange, laneBits: number): boolean {
  const [a, b, c, d] = matrix;
  return a === 0 && b === 1 && c === 1 && d === 0 && (mask & (mask - 1)) === 0 && position >= laneBits;
}

/** The index from which exchanges, one after the other, bring an amplitude to index 0, and what each set bit changes in it. */
export interface Sources {
  readonly first: number;
  readonly columns: readonly number[];
}

/** Returns the sources of exchanges among so many positions. */
export function sourcesOf(exchanges: readonly Exchange[], numPositions: number): Sources {
  const source = (index: number) =>
    exchanges.reduceRight(
      (at, { position, mask, on }) => ((at & mask) === on ? at ^ (1 << position) : at),
      index,
    );
  const first = source(0);
  return {
    first,
    columns: Array.from({ length: numPositions }, (_, position) => source(1 << position) ^ first),
  };
}

/** Returns the exclusive ors of all selections of some numbers, the first of them selected by the lowest bit. */
export function selections(numbers: readonly number[]): Uint32Array {
  const out = new Uint32Array(2 ** numbers.length);
  numbers.forEach((number, bit) => {
    const half = 2 ** bit;
    for (let i = 0; i < half; i++) out[half + i] = out[i]! ^ number;
  });
  return out;
}
