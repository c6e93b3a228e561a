import { BLOCK } from "./measure";
import { laneBits, madd, partner } from "./vector";

/** Returns a vector of amplitudes times the conjugates of their partners: a·re + b·im, the last with its sign changed where `negate` says so. */
@inline
function product<T>(re: usize, im: usize, a: usize, b: usize, i: u32, flips: u32, negate: v128): v128 {
  const at = <usize>i * sizeof<T>();
  const other = <usize>((i ^ flips) & (-1 << laneBits<T>())) * sizeof<T>();
  let u = v128.load(re + other);
  let v = v128.load(im + other);
  if (flips & 1) {
    u = partner<T>(u, 0);
    v = partner<T>(v, 0);
  }
  if (sizeof<T>() == 4 && flips & 2) {
    u = partner<T>(u, 1);
    v = partner<T>(v, 1);
  }
  return madd<T>(v128.load(b + at), v128.xor(v, negate), v128.mul<T>(v128.load(a + at), u));
}

/** Returns a vector whose lanes are inverted where a number is odd. */
@inline
function signBit<T>(count: u32): v128 {
  return sizeof<T>() == 4 ? i32x4.splat(<i32>(count << 31)) : i64x2.splat(<i64>count << 63);
}

/** Returns a + b in every lane, or a - b where a bit of `signs` is 1. */
@inline
function join(a: v128, b: v128, signs: u32, bit: i32): v128 {
  return f64x2.add(a, v128.xor(b, signBit<f64>(signs >> bit)));
}

/**
 * Adds up, over a block, each amplitude times the conjugate of that whose bits at `flips` are flipped, inverted where
 * its bits at `signs` have odd parity: the real part, or the imaginary one where the masks have an odd number of common
 * bits; over all blocks the other is 0. The lowest bits decide signs once, after the loop.
 */
export function overlap<T>(re: usize, im: usize, block: u32, flips: u32, signs: u32): f64 {
  const isImaginary: u32 = popcnt(flips & signs) & 1;
  const a = isImaginary ? im : re;
  const b = isImaginary ? re : im;
  const negate = signBit<T>(isImaginary);
  const lanes: u32 = 1 << laneBits<T>();
  let low = f64x2.splat(0);
  let high = low;
  let low1 = low;
  let high1 = low;
  let low2 = low;
  let high2 = low;
  let low3 = low;
  let high3 = low;
  const end = (block + 1) * BLOCK;
  for (let i = block * BLOCK; i < end; i += 4 * lanes) {
    const sign = signBit<T>(popcnt(i & signs));
    const p = v128.xor(product<T>(re, im, a, b, i, flips, negate), sign);
    const q = v128.xor(product<T>(re, im, a, b, i + lanes, flips, negate), sign);
    const r = v128.xor(product<T>(re, im, a, b, i + 2 * lanes, flips, negate), sign);
    const s = v128.xor(product<T>(re, im, a, b, i + 3 * lanes, flips, negate), sign);
    if (sizeof<T>() == 4) {
      low = f64x2.add(low, f64x2.promote_low_f32x4(p));
      high = f64x2.add(high, f64x2.promote_low_f32x4(v128.shuffle<f32>(p, p, 2, 3, 2, 3)));
      low1 = f64x2.add(low1, f64x2.promote_low_f32x4(q));
      high1 = f64x2.add(high1, f64x2.promote_low_f32x4(v128.shuffle<f32>(q, q, 2, 3, 2, 3)));
      low2 = f64x2.add(low2, f64x2.promote_low_f32x4(r));
      high2 = f64x2.add(high2, f64x2.promote_low_f32x4(v128.shuffle<f32>(r, r, 2, 3, 2, 3)));
      low3 = f64x2.add(low3, f64x2.promote_low_f32x4(s));
      high3 = f64x2.add(high3, f64x2.promote_low_f32x4(v128.shuffle<f32>(s, s, 2, 3, 2, 3)));
    } else {
      low = f64x2.add(low, p);
      low1 = f64x2.add(low1, q);
      low2 = f64x2.add(low2, r);
      low3 = f64x2.add(low3, s);
    }
  }
  const bit = laneBits<T>();
  let all = join(join(low, low1, signs, bit), join(low2, low3, signs, bit), signs, bit + 1);
  if (sizeof<T>() == 4)
    all = join(all, join(join(high, high1, signs, 2), join(high2, high3, signs, 2), signs, 3), signs, 1);
  const second = f64x2.extract_lane(all, 1);
  return f64x2.extract_lane(all, 0) + (signs & 1 ? -second : second);
}
