import { type Matrix2, numbersOf } from "../circuit/matrix.ts";
import type { Planes } from "../statevector/loops.ts";

/**
 * A channel on one qubit that mixes the populations of 0 and 1 with each other and shrinks coherences: Pauli errors of
 * which X and Y are alike, and decay.
 */
export interface QubitNoise {
  /** What becomes of the population of 0, and of 1: the shares that end in 0. */
  readonly zeroOfZero: number;
  readonly zeroOfOne: number;
  readonly coherence: number;
}

/** Adds errors of some kinds (1 X, 2 Y, 3 Z, all alike), and decay after them. */
export function addNoise(
  noise: QubitNoise | null,
  { probability, kinds, decay }: { probability: number; kinds: readonly number[]; decay: number },
): QubitNoise {
  const { zeroOfZero, zeroOfOne, coherence } = noise ?? { zeroOfZero: 1, zeroOfOne: 0, coherence: 1 };
  const each = kinds.length > 0 ? probability / kinds.length : 0;
  const flips = each * kinds.filter(kind => kind !== 3).length;
  const signs = each * kinds.filter(kind => kind === 3).length;
  const end = (zero: number) => {
    const flipped = zero * (1 - flips) + (1 - zero) * flips;
    return flipped + (1 - flipped) * decay;
  };
  return {
    zeroOfZero: end(zeroOfZero),
    zeroOfOne: end(zeroOfOne),
    coherence: coherence * (1 - flips - 2 * signs) * Math.sqrt(1 - decay),
  };
}

/** Multiplies a density matrix by a gate on one qubit from both sides. The qubit's row is at bit `at` of an index, its column at the next. */
export function conjugateBy(planes: Planes, at: number, m: Matrix2): void {
  const [ar, ai, br, bi, cr, ci, dr, di] = numbersOf(m);
  const { re, im, size } = planes;
  const step = 1 << at;
  for (let block = 0; block < size; block += 4 * step)
    for (let i = block; i < block + step; i++) {
      const j = i + step;
      const k = j + step;
      const l = k + step;
      const pr = ar * re[i]! - ai * im[i]! + br * re[j]! - bi * im[j]!;
      const pi = ar * im[i]! + ai * re[i]! + br * im[j]! + bi * re[j]!;
      const qr = cr * re[i]! - ci * im[i]! + dr * re[j]! - di * im[j]!;
      const qi = cr * im[i]! + ci * re[i]! + dr * im[j]! + di * re[j]!;
      const rr = ar * re[k]! - ai * im[k]! + br * re[l]! - bi * im[l]!;
      const ri = ar * im[k]! + ai * re[k]! + br * im[l]! + bi * re[l]!;
      const sr = cr * re[k]! - ci * im[k]! + dr * re[l]! - di * im[l]!;
      const si = cr * im[k]! + ci * re[k]! + dr * im[l]! + di * re[l]!;
      re[i] = ar * pr + ai * pi + br * rr + bi * ri;
      im[i] = ar * pi - ai * pr + br * ri - bi * rr;
      re[k] = cr * pr + ci * pi + dr * rr + di * ri;
      im[k] = cr * pi - ci * pr + dr * ri - di * rr;
      re[j] = ar * qr + ai * qi + br * sr + bi * si;
      im[j] = ar * qi - ai * qr + br * si - bi * sr;
      re[l] = cr * qr + ci * qi + dr * sr + di * si;
      im[l] = cr * qi - ci * qr + dr * si - di * sr;
    }
}

/** Does the noise of one qubit, whose row is at bit `at` of an index and whose column at the next. */
export function mixQubit(planes: Planes, at: number, noise: QubitNoise): void {
  const { zeroOfZero, zeroOfOne, coherence } = noise;
  const { re, im, size } = planes;
  const step = 1 << at;
  for (const plane of [re, im])
    for (let block = 0; block < size; block += 4 * step)
      for (let i = block; i < block + step; i++) {
        const zero = plane[i]!;
        const one = plane[i + 3 * step]!;
        plane[i] = zeroOfZero * zero + zeroOfOne * one;
        plane[i + 3 * step] = (1 - zeroOfZero) * zero + (1 - zeroOfOne) * one;
        plane[i + step]! *= coherence;
        plane[i + 2 * step]! *= coherence;
      }
}

/** Mixes the state of two qubits, whose rows are at bits `a` and `b` of an index, with the completely mixed one by a share. */
export function mixPair(planes: Planes, a: number, b: number, share: number): void {
  const { re, im, size } = planes;
  const [low, high] = [1 << Math.min(a, b), 1 << Math.max(a, b)];
  const keep = 1 - share;
  for (const plane of [re, im])
    for (let outer = 0; outer < size; outer += 4 * high)
      for (let inner = outer; inner < outer + high; inner += 4 * low)
        for (let i = inner; i < inner + low; i++) {
          const [j, k] = [i + 3 * low, i + 3 * high];
          const l = j + 3 * high;
          const mixed = (share / 4) * (plane[i]! + plane[j]! + plane[k]! + plane[l]!);
          for (let row = i; row < i + 4 * high; row += high)
            for (let at = row; at < row + 4 * low; at += low) plane[at]! *= keep;
          plane[i]! += mixed;
          plane[j]! += mixed;
          plane[k]! += mixed;
          plane[l]! += mixed;
        }
}
