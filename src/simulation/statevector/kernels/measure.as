import { madd, nmadd } from "./vector";

/** Amplitudes whose probabilities are added up together. */
export const BLOCK: u32 = 4096;

/** Adds up the squares of a block of a plane, of all numbers or of those whose bit at a position is 1. */
export function blockSum<T>(plane: usize, block: u32, position: i32): f64 {
  const first = block * BLOCK;
  if (position >= 12 && !((first >> position) & 1)) return 0;
  const run: u32 = position < 0 || position >= 12 ? BLOCK : 1 << position;
  let sum: f64 = 0;
  for (let start: u32 = run == BLOCK ? 0 : run; start < BLOCK; start += 2 * run) {
    const from = plane + <usize>(first + start) * sizeof<T>();
    const to = from + <usize>run * sizeof<T>();
    if (run < 8) {
      for (let at = from; at < to; at += sizeof<T>()) {
        const x = <f64>load<T>(at);
        sum += x * x;
      }
      continue;
    }
    // Four sums, so that no addition waits for the one before it.
    let a = f64x2.splat(0);
    let b = f64x2.splat(0);
    let c = f64x2.splat(0);
    let d = f64x2.splat(0);
    for (let at = from; at < to; at += 32) {
      const x = v128.load(at);
      const y = v128.load(at, 16);
      if (sizeof<T>() == 4) {
        const x0 = f64x2.promote_low_f32x4(x);
        const y0 = f64x2.promote_low_f32x4(y);
        const x1 = f64x2.promote_low_f32x4(v128.shuffle<f32>(x, x, 2, 3, 2, 3));
        const y1 = f64x2.promote_low_f32x4(v128.shuffle<f32>(y, y, 2, 3, 2, 3));
        a = madd<f64>(x0, x0, a);
        b = madd<f64>(y0, y0, b);
        c = madd<f64>(x1, x1, c);
        d = madd<f64>(y1, y1, d);
      } else {
        a = madd<f64>(x, x, a);
        b = madd<f64>(y, y, b);
      }
    }
    const both = f64x2.add(f64x2.add(a, b), f64x2.add(c, d));
    sum += f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1);
  }
  return sum;
}

/** Writes a multiple of some amplitudes, from one place on, to another; a real one where `im` is 0. */
export function expand<T>(re: usize, im: usize, to: usize, from: usize, count: usize, cr: f64, ci: f64): void {
  const cv = v128.splat<T>(<T>cr);
  const sv = v128.splat<T>(<T>ci);
  const end = (from + count) * sizeof<T>();
  const over = (to - from) * sizeof<T>();
  for (let at = from * sizeof<T>(); at < end; at += 16) {
    const x = v128.load(re + at);
    if (!im) {
      v128.store(re + over + at, v128.mul<T>(cv, x));
      continue;
    }
    const y = v128.load(im + at);
    v128.store(re + over + at, nmadd<T>(sv, y, v128.mul<T>(cv, x)));
    v128.store(im + over + at, madd<T>(sv, x, v128.mul<T>(cv, y)));
  }
}

/** Moves the numbers of a plane whose bit at a position is `bit` together into its lower half, scaled. */
export function compact<T>(plane: usize, size: u32, position: i32, bit: u32, scale: f64): void {
  const stride: u32 = 1 << position;
  const by = <T>scale;
  let to = plane;
  for (let block = bit * stride; block < size; block += 2 * stride) {
    const from = plane + <usize>block * sizeof<T>();
    if (stride < 4) {
      for (let i: u32 = 0; i < stride; i++, to += sizeof<T>()) store<T>(to, load<T>(from + i * sizeof<T>()) * by);
    } else {
      const bytes = <usize>stride * sizeof<T>();
      for (let i: usize = 0; i < bytes; i += 16) v128.store(to + i, v128.mul<T>(v128.load(from + i), v128.splat<T>(by)));
      to += bytes;
    }
  }
}
