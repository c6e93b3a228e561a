import type { Planes } from "./planes.ts";

const BLOCK = 4096;

/** Draws basis states for ascending uniform numbers in one scan that skips the blocks without a hit. */
export function drawIndices(planes: Readonly<Planes>, uniforms: Float64Array): Uint32Array {
  const { re, im, size } = planes;
  const sums = blockSums(planes);
  let total = 0;
  for (const sum of sums) total += sum;
  const indices = new Uint32Array(uniforms.length);
  let shot = 0;
  let before = 0;
  for (let block = 0; block < sums.length && shot < uniforms.length; block++) {
    const isLast = block === sums.length - 1;
    if (!isLast && uniforms[shot]! * total >= before + sums[block]!) {
      before += sums[block]!;
      continue;
    }
    const end = Math.min(size, (block + 1) * BLOCK);
    let cumulative = before;
    let seen = block * BLOCK;
    for (let i = block * BLOCK; i < end && shot < uniforms.length; i++) {
      const weight = re[i]! * re[i]! + im[i]! * im[i]!;
      if (weight === 0) continue;
      cumulative += weight;
      seen = i;
      while (shot < uniforms.length && uniforms[shot]! * total < cumulative) indices[shot++] = i;
    }
    before += sums[block]!;
    while (shot < uniforms.length && (isLast || uniforms[shot]! * total < before)) indices[shot++] = seen;
  }
  return indices;
}

function blockSums({ re, im, size }: Readonly<Planes>): Float64Array {
  const sums = new Float64Array(Math.ceil(size / BLOCK));
  for (let block = 0; block < sums.length; block++) {
    const end = Math.min(size, (block + 1) * BLOCK);
    let sum = 0;
    for (let i = block * BLOCK; i < end; i++) sum += re[i]! * re[i]! + im[i]! * im[i]!;
    sums[block] = sum;
  }
  return sums;
}

/** Gathers the bits of an index at the given positions, the first of them lowest. */
export function gatherBits(index: number, positions: readonly number[]): number {
  let gathered = 0;
  for (let i = 0; i < positions.length; i++) gathered |= ((index >> positions[i]!) & 1) << i;
  return gathered;
}

/** Returns the probability of each value of the bits at the given positions. */
export function marginal(planes: Readonly<Planes>, positions: readonly number[]): Float64Array {
  const { re, im, size } = planes;
  const out = new Float64Array(2 ** positions.length);
  let total = 0;
  for (let i = 0; i < size; i++) {
    const weight = re[i]! * re[i]! + im[i]! * im[i]!;
    out[gatherBits(i, positions)]! += weight;
    total += weight;
  }
  return out.map(weight => weight / total);
}
