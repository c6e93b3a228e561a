import { type Matrix2, numbersOf } from "../circuit/matrix.ts";
import type { Condition } from "./condition.ts";

/** Amplitudes of many states side by side: the row of an index has its amplitude in each lane. */
export interface AmplitudeRows {
  readonly re: Float64Array[];
  readonly im: Float64Array[];
}

/** Lanes, and the amplitudes in them that a gate acts on. */
export interface LaneSelection extends Condition {
  readonly lanes: readonly number[];
}

/** Multiplies the amplitude pairs of one bit by a matrix. */
export function applyMatrixToLanes(
  { re, im }: AmplitudeRows,
  size: number,
  position: number,
  { mask, on, lanes }: LaneSelection,
  m: Matrix2,
): void {
  const [ar, ai, br, bi, cr, ci, dr, di] = numbersOf(m);
  const isReal = ai === 0 && bi === 0 && ci === 0 && di === 0;
  const bit = 1 << position;
  for (let i = 0; i < size; i++) {
    if (i & bit || (i & mask) !== on) continue;
    const [xRe, xIm, yRe, yIm] = [re[i]!, im[i]!, re[i | bit]!, im[i | bit]!];
    if (isReal)
      for (let at = 0; at < lanes.length; at++) {
        const lane = lanes[at]!;
        const xr = xRe[lane]!;
        const xi = xIm[lane]!;
        const yr = yRe[lane]!;
        const yi = yIm[lane]!;
        xRe[lane] = ar * xr + br * yr;
        xIm[lane] = ar * xi + br * yi;
        yRe[lane] = cr * xr + dr * yr;
        yIm[lane] = cr * xi + dr * yi;
      }
    else
      for (let at = 0; at < lanes.length; at++) {
        const lane = lanes[at]!;
        const xr = xRe[lane]!;
        const xi = xIm[lane]!;
        const yr = yRe[lane]!;
        const yi = yIm[lane]!;
        xRe[lane] = ar * xr - ai * xi + br * yr - bi * yi;
        xIm[lane] = ar * xi + ai * xr + br * yi + bi * yr;
        yRe[lane] = cr * xr - ci * xi + dr * yr - di * yi;
        yIm[lane] = cr * xi + ci * xr + dr * yi + di * yr;
      }
  }
}

/** Exchanges the amplitude pairs of one bit. */
export function applyXToLanes(
  { re, im }: AmplitudeRows,
  size: number,
  position: number,
  { mask, on, lanes }: LaneSelection,
): void {
  const bit = 1 << position;
  for (let i = 0; i < size; i++) {
    if (i & bit || (i & mask) !== on) continue;
    for (const rows of [re, im]) {
      const [x, y] = [rows[i]!, rows[i | bit]!];
      for (let at = 0; at < lanes.length; at++) {
        const lane = lanes[at]!;
        const kept = x[lane]!;
        x[lane] = y[lane]!;
        y[lane] = kept;
      }
    }
  }
}

/** Multiplies amplitudes by a complex number. */
export function applyPhaseToLanes(
  { re, im }: AmplitudeRows,
  size: number,
  { mask, on, lanes }: LaneSelection,
  cr: number,
  ci: number,
): void {
  for (let i = 0; i < size; i++) {
    if ((i & mask) !== on) continue;
    const [xRe, xIm] = [re[i]!, im[i]!];
    for (let at = 0; at < lanes.length; at++) {
      const lane = lanes[at]!;
      const xr = xRe[lane]!;
      const xi = xIm[lane]!;
      xRe[lane] = cr * xr - ci * xi;
      xIm[lane] = cr * xi + ci * xr;
    }
  }
}

/** Adds up the squares of the amplitudes whose bit at a position is `bit`, for each of the lanes. */
export function weightsOfLanes(
  { re, im }: AmplitudeRows,
  size: number,
  position: number,
  bit: number,
  lanes: readonly number[],
): Float64Array {
  const sums = new Float64Array(lanes.length);
  for (let i = 0; i < size; i++) {
    if (((i >>> position) & 1) !== bit) continue;
    const [xRe, xIm] = [re[i]!, im[i]!];
    for (let at = 0; at < lanes.length; at++) {
      const lane = lanes[at]!;
      sums[at]! += xRe[lane]! * xRe[lane]! + xIm[lane]! * xIm[lane]!;
    }
  }
  return sums;
}

/** Keeps the amplitudes whose bit at a position is that of each lane, scaled, in the lower half of the rows. */
export function keepHalfOfLanes(
  { re, im }: AmplitudeRows,
  size: number,
  position: number,
  lanes: readonly number[],
  bits: ArrayLike<number>,
  scales: ArrayLike<number>,
): void {
  const low = (1 << position) - 1;
  for (let to = 0; to < size / 2; to++) {
    const from = ((to & ~low) << 1) | (to & low);
    for (const rows of [re, im]) {
      const [target, zero, one] = [rows[to]!, rows[from]!, rows[from | (low + 1)]!];
      for (let at = 0; at < lanes.length; at++) {
        const lane = lanes[at]!;
        target[lane] = (bits[at] ? one[lane]! : zero[lane]!) * scales[at]!;
      }
    }
  }
}

/** Scales the amplitudes whose bit at a position is that of each lane, and makes the others 0. */
export function zeroHalfOfLanes(
  { re, im }: AmplitudeRows,
  size: number,
  position: number,
  lanes: readonly number[],
  bits: ArrayLike<number>,
  scales: ArrayLike<number>,
): void {
  for (let i = 0; i < size; i++) {
    const bit = (i >>> position) & 1;
    for (const rows of [re, im])
      for (let at = 0; at < lanes.length; at++) rows[i]![lanes[at]!]! *= bits[at] === bit ? scales[at]! : 0;
  }
}

/** Brings the bits of the indices into another order: `from[i]` is where the bit at position `i` was. */
export function permuteLanes(
  rows: AmplitudeRows,
  size: number,
  from: readonly number[],
  lanes: readonly number[],
): void {
  const sources = Array.from({ length: size }, (_, i) =>
    from.reduce((index, position, place) => index | (((i >>> place) & 1) << position), 0),
  );
  const column = new Float64Array(size);
  for (const part of [rows.re, rows.im])
    for (const lane of lanes) {
      for (let i = 0; i < size; i++) column[i] = part[sources[i]!]![lane]!;
      for (let i = 0; i < size; i++) part[i]![lane] = column[i]!;
    }
}
