/** Returns a·b + c in every lane, rounded once where the engine can. */
@inline
export function madd<T>(a: v128, b: v128, c: v128): v128 {
  if (RELAXED) return v128.relaxed_madd<T>(b, a, c);
  return v128.add<T>(v128.mul<T>(a, b), c);
}

/** Returns c - a·b in every lane, rounded once where the engine can. */
@inline
export function nmadd<T>(a: v128, b: v128, c: v128): v128 {
  if (RELAXED) return v128.relaxed_nmadd<T>(b, a, c);
  return v128.sub<T>(c, v128.mul<T>(a, b));
}

/** Bits of an index that select a lane: two in single precision, one in double. */
@inline
export function laneBits<T>(): i32 {
  return sizeof<T>() == 4 ? 2 : 1;
}

/** Returns a vector whose lanes are exchanged with those that differ in one bit. */
@inline
export function partner<T>(x: v128, bit: i32): v128 {
  if (sizeof<T>() == 8) return v128.shuffle<f64>(x, x, 1, 0);
  if (bit == 0) return v128.shuffle<f32>(x, x, 1, 0, 3, 2);
  return v128.shuffle<f32>(x, x, 2, 3, 0, 1);
}

/** Returns a vector with `zero` in the lanes whose bit is 0 and `one` in the others. */
@inline
export function byLaneBit<T>(bit: i32, zero: f64, one: f64): v128 {
  if (sizeof<T>() == 8) return f64x2.replace_lane(f64x2.splat(zero), 1, one);
  const a = f32x4.replace_lane(f32x4.splat(<f32>zero), 3, <f32>one);
  return bit == 0 ? f32x4.replace_lane(a, 1, <f32>one) : f32x4.replace_lane(a, 2, <f32>one);
}
