import type { Philox } from "./philox.ts";

/**
 * Returns `count` independent uniform numbers of [0, 1) in ascending order, without a sort:
 * the partial sums of exponential gaps, divided by the sum of all.
 */
export function orderedUniforms(count: number, random: Philox, b: number, stream: number): Float64Array {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    sum -= Math.log1p(-random.uniform(i, b, stream));
    sums[i] = sum;
  }
  sum -= Math.log1p(-random.uniform(count, b, stream));
  for (let i = 0; i < count; i++) sums[i]! /= sum;
  return sums;
}

/** Returns the numbers 0 to `count` - 1 in an order drawn at random. */
export function permutation(count: number, random: Philox, b: number, stream: number): Uint32Array {
  const order = new Uint32Array(count);
  const uniform = random.sequence(b, stream);
  for (let i = 0; i < count; i++) {
    const j = Math.floor(uniform() * (i + 1));
    order[i] = order[j]!;
    order[j] = i;
  }
  return order;
}

/** Returns `count` numbers one after the other. */
export function numbersFrom(first: number, count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = first + i;
  return numbers;
}
