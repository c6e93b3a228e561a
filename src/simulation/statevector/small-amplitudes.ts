import type { Matrix } from "../linear-algebra/matrix.ts";
import { drawWeighted } from "../sampling/draws.ts";
import type { Philox } from "../sampling/philox.ts";
import { marginal, type Planes } from "../sampling/planes.ts";
import { type Amplitudes, type OverlapMasks, positionsIn } from "./amplitudes.ts";
import { valueAt } from "./qubit-layout.ts";
import { applyMatrix, applyPermutation, applyPhase, keepHalf, weightOf } from "./scalar-kernels.ts";

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
    applyMatrix(this.#planes, position, positionsIn(mask), on, m);
  }

  phase(mask: number, on: number, re: number, im: number): void {
    applyPhase(this.#planes, positionsIn(mask), on, re, im);
  }

  controlledX(position: number, mask: number, on: number): void {
    applyPermutation(this.#planes, [position], positionsIn(mask), on);
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
