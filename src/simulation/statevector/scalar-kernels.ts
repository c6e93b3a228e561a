import type { Matrix } from "../linear-algebra/matrix.ts";
import { numbersOf } from "../linear-algebra/one-qubit.ts";
import type { Planes } from "../sampling/planes.ts";

/** Spreads a counter over the bit positions that are not `fixed` (ascending). */
function spread(counter: number, fixed: readonly number[]): number {
  let index = counter;
  for (const position of fixed) {
    const low = index & ((1 << position) - 1);
    index = ((index ^ low) << 1) | low;
  }
  return index;
}

const ascending = (a: number, b: number) => a - b;

/** Multiplies the amplitude pairs of one target bit, where the bits in `controls` equal those of `on`, by a matrix. */
export function applyMatrix(
  planes: Planes,
  target: number,
  controls: readonly number[],
  on: number,
  m: Matrix,
): void {
  const { re, im, size } = planes;
  const [ar, ai, br, bi, cr, ci, dr, di] = numbersOf(m);
  const stride = 1 << target;
  const fixed = [...controls, target].sort(ascending);
  const run = 1 << fixed[0]!;
  const groups = size >> fixed.length;
  const real = ai === 0 && bi === 0 && ci === 0 && di === 0;
  for (let group = 0; group < groups; group += run) {
    const start = spread(group, fixed) | on;
    if (real) {
      for (let i = start; i < start + run; i++) {
        const j = i + stride;
        const xr = re[i]!;
        const xi = im[i]!;
        const yr = re[j]!;
        const yi = im[j]!;
        re[i] = ar * xr + br * yr;
        im[i] = ar * xi + br * yi;
        re[j] = cr * xr + dr * yr;
        im[j] = cr * xi + dr * yi;
      }
    } else {
      for (let i = start; i < start + run; i++) {
        const j = i + stride;
        const xr = re[i]!;
        const xi = im[i]!;
        const yr = re[j]!;
        const yi = im[j]!;
        re[i] = ar * xr - ai * xi + br * yr - bi * yi;
        im[i] = ar * xi + ai * xr + br * yi + bi * yr;
        re[j] = cr * xr - ci * xi + dr * yr - di * yi;
        im[j] = cr * xi + ci * xr + dr * yi + di * yr;
      }
    }
  }
}

/** Multiplies the amplitudes whose bits at `positions` equal those of `on` by a complex number. */
export function applyPhase(
  planes: Planes,
  positions: readonly number[],
  on: number,
  cr: number,
  ci: number,
): void {
  const { re, im, size } = planes;
  const fixed = [...positions].sort(ascending);
  const run = 1 << (fixed[0] ?? Math.log2(size));
  const groups = size >> fixed.length;
  for (let group = 0; group < groups; group += run) {
    const start = spread(group, fixed) | on;
    for (let i = start; i < start + run; i++) {
      const xr = re[i]!;
      re[i] = cr * xr - ci * im[i]!;
      im[i] = cr * im[i]! + ci * xr;
    }
  }
}

/**
 * Exchanges the amplitudes that differ by the bits of `flip`, where the bits at `controls` equal those of `on`.
 * With one position in `flip` this is a controlled NOT; with two, `on` holds the first of them, and it is a swap.
 */
export function applyPermutation(
  planes: Planes,
  flip: readonly number[],
  controls: readonly number[],
  on: number,
): void {
  const { re, im, size } = planes;
  const fixed = [...controls, ...flip].sort(ascending);
  const run = 1 << fixed[0]!;
  const groups = size >> fixed.length;
  const mask = flip.reduce((bits, position) => bits | (1 << position), 0);
  for (let group = 0; group < groups; group += run) {
    const start = spread(group, fixed) | on;
    const offset = (start ^ mask) - start;
    for (let i = start; i < start + run; i++) {
      const j = i + offset;
      const xr = re[i]!;
      const xi = im[i]!;
      re[i] = re[j]!;
      im[i] = im[j]!;
      re[j] = xr;
      im[j] = xi;
    }
  }
}

/** Returns the summed squares of the amplitudes whose bit at `position` is `bit`. */
export function weightOf(planes: Planes, position: number, bit: number): number {
  const { re, im, size } = planes;
  const stride = 1 << position;
  let total = 0;
  for (let block = bit * stride; block < size; block += 2 * stride) {
    let sum = 0;
    for (let i = block; i < block + stride; i++) sum += re[i]! * re[i]! + im[i]! * im[i]!;
    total += sum;
  }
  return total;
}

/** Keeps the amplitudes whose bit at `position` is `bit`, scaled, moved together into the lower half. */
export function keepHalf(planes: Planes, position: number, bit: number, scale: number): void {
  const { re, im, size } = planes;
  const stride = 1 << position;
  let to = 0;
  for (let block = bit * stride; block < size; block += 2 * stride) {
    for (let i = block; i < block + stride; i++, to++) {
      re[to] = re[i]! * scale;
      im[to] = im[i]! * scale;
    }
  }
  planes.size = size / 2;
}
