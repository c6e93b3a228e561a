import type { Matrix } from "../linear-algebra/matrix.ts";
import { numbersOf } from "../linear-algebra/one-qubit.ts";
import { drawWeighted } from "../sampling/draws.ts";
import type { Philox } from "../sampling/philox.ts";
import type { Amplitudes, OverlapMasks } from "./amplitudes.ts";
import { valueAt } from "./qubit-layout.ts";

/** The real and the imaginary parts of amplitudes, and how many of them are in use. */
export interface Planes {
  re: Float64Array;
  im: Float64Array;
  size: number;
}

/** Gathers the bits of an index at the given positions, the first of them lowest. */
export function gatherBits(index: number, positions: readonly number[]): number {
  let gathered = 0;
  for (let i = 0; i < positions.length; i++) gathered |= ((index >> positions[i]!) & 1) << i;
  return gathered;
}

/** Returns the probability of each value of the bits at the given positions. */
export function marginal(
  { re, im, size }: { re: ArrayLike<number>; im: ArrayLike<number>; size: number },
  positions: readonly number[],
): Float64Array {
  const out = new Float64Array(2 ** positions.length);
  let total = 0;
  for (let i = 0; i < size; i++) {
    const weight = re[i]! * re[i]! + im[i]! * im[i]!;
    out[gatherBits(i, positions)]! += weight;
    total += weight;
  }
  return out.map(weight => weight / total);
}

/** Largest difference of amplitudes that count as equal. */
const ROUNDING = 1e-10;
/** Buffer growth factor. */
const GROWTH = 8;

/** Amplitudes of a few qubits, in double precision; each gate is done at once. */
export class SmallAmplitudes implements Amplitudes {
  readonly #planes: Planes;

  /** Takes over planes of which a power of two of numbers is in use; without any, it is the state of no qubits. */
  constructor(planes: Planes = { re: Float64Array.of(1), im: Float64Array.of(0), size: 1 }) {
    this.#planes = planes;
  }

  get numPositions(): number {
    return Math.log2(this.#planes.size);
  }

  get bytes(): number {
    return 16 * this.#planes.re.length;
  }

  addQubit(): void {
    const planes = this.#planes;
    const { size } = planes;
    if (2 * size > planes.re.length) {
      const { re, im } = planes;
      planes.re = new Float64Array(GROWTH * size);
      planes.im = new Float64Array(GROWTH * size);
      planes.re.set(re);
      planes.im.set(im);
    }
    planes.re.fill(0, size, 2 * size);
    planes.im.fill(0, size, 2 * size);
    planes.size = 2 * size;
  }

  matrix(position: number, mask: number, on: number, m: Matrix): void {
    applyMatrix(this.#planes, position, mask, on, m);
  }

  phase(mask: number, on: number, re: number, im: number): void {
    applyPhase(this.#planes, mask, on, re, im);
  }

  weights(position: number): { zero: number; one: number } {
    return { zero: weightOf(this.#planes, position, 0), one: weightOf(this.#planes, position, 1) };
  }

  project(position: number, value: number): Amplitudes {
    const weight = weightOf(this.#planes, position, value);
    keepHalf(this.#planes, position, value, 1 / Math.sqrt(weight));
    return this;
  }

  /** Whether other amplitudes of as many qubits are the same but for rounding and a global phase. */
  equals(other: SmallAmplitudes): boolean {
    const [{ re, im, size }, { re: otherRe, im: otherIm }] = [this.#planes, other.#planes];
    let [overlapRe, overlapIm] = [0, 0];
    for (let i = 0; i < size; i++) {
      overlapRe += re[i]! * otherRe[i]! + im[i]! * otherIm[i]!;
      overlapIm += re[i]! * otherIm[i]! - im[i]! * otherRe[i]!;
    }
    const overlap = Math.hypot(overlapRe, overlapIm);
    const [cosine, sine] = [overlapRe / overlap, overlapIm / overlap];
    for (let i = 0; i < size; i++) {
      const [x, y] = [re[i]! * cosine - im[i]! * sine, re[i]! * sine + im[i]! * cosine];
      if (!(Math.abs(x - otherRe[i]!) + Math.abs(y - otherIm[i]!) < ROUNDING)) return false;
    }
    return true;
  }

  copy(): Amplitudes {
    const { re, im, size } = this.#planes;
    return new SmallAmplitudes({ re: re.slice(0, size), im: im.slice(0, size), size });
  }

  release(): void {}

  marginal(positions: readonly number[]): Float64Array {
    return marginal(this.#planes, positions);
  }

  draw(count: number, random: Philox, b: number, stream: number): Uint32Array {
    const { re, im, size } = this.#planes;
    const weights = new Float64Array(size);
    for (let i = 0; i < size; i++) weights[i] = re[i]! * re[i]! + im[i]! * im[i]!;
    return drawWeighted(weights, count, random, b, stream);
  }

  overlaps(masks: readonly OverlapMasks[]): number[] {
    return masks.map(own => overlapOf(this.#planes, own));
  }

  planes(): Planes {
    return this.#planes;
  }
}

/** Computes an overlap of amplitudes. */
function overlapOf({ re, im, size }: Planes, { flips, signs }: OverlapMasks): number {
  const parity = { parity: signs, value: 0 };
  const isImaginary = valueAt(flips, parity) === 1;
  const [a, b, sign] = isImaginary ? [im, re, -1] : [re, im, 1];
  let sum = 0;
  for (let i = 0; i < size; i++) {
    const j = i ^ flips;
    const product = a[i]! * re[j]! + sign * b[i]! * im[j]!;
    sum += valueAt(i, parity) ? -product : product;
  }
  return sum;
}

/** Multiplies the amplitude pairs of one target bit, where the bits in `controls` equal those of `on`, by a matrix. */
function applyMatrix(
  { re, im, size }: Planes,
  target: number,
  controls: number,
  on: number,
  m: Matrix,
): void {
  const [ar, ai, br, bi, cr, ci, dr, di] = numbersOf(m);
  const stride = 1 << target;
  const fixed = controls | stride;
  const run = fixed & -fixed;
  // A carry passes over the bits that are fixed, which are set before a sum and cleared after it.
  for (let start = on; start < size; start = (((start | fixed) + run) & ~fixed) | on) {
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

/** Multiplies the amplitudes whose bits in `mask` equal those of `on` by a complex number. */
function applyPhase({ re, im, size }: Planes, mask: number, on: number, cr: number, ci: number): void {
  const run = mask & -mask || size;
  for (let start = on; start < size; start = (((start | mask) + run) & ~mask) | on) {
    for (let i = start; i < start + run; i++) {
      const xr = re[i]!;
      re[i] = cr * xr - ci * im[i]!;
      im[i] = cr * im[i]! + ci * xr;
    }
  }
}

/** Returns the summed squares of the amplitudes whose bit at `position` is `bit`. */
function weightOf(planes: Planes, position: number, bit: number): number {
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
function keepHalf(planes: Planes, position: number, bit: number, scale: number): void {
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
