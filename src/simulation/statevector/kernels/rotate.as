import { byLaneBit, madd, nmadd, partner } from "./vector";

/** Rotates the lanes of a vector: x' = x - t·y, y' = y + t·x, with -t and t in the lanes of `low` and `high`. */
@inline
function turnLanes<T>(x: v128, low: v128, high: v128): v128 {
  const y = madd<T>(partner<T>(x, 0), low, x);
  return sizeof<T>() == 4 ? madd<T>(partner<T>(y, 1), high, y) : y;
}

function rotateLanes<T>(plane: usize, bits: i32, low: v128, high: v128): void {
  const end = plane + (<usize>sizeof<T>() << bits);
  for (let at = plane; at < end; at += 32) {
    const x = v128.load(at);
    const y = v128.load(at, 16);
    v128.store(at, turnLanes<T>(x, low, high));
    v128.store(at, turnLanes<T>(y, low, high), 16);
  }
}

@inline
function rotateLanesAndOne<T>(plane: usize, bits: i32, low: v128, high: v128, p: i32, t: f64): void {
  const end = plane + (<usize>sizeof<T>() << bits);
  const stride = <usize>sizeof<T>() << p;
  const turn = v128.splat<T>(<T>t);
  for (let block = plane; block < end; block += 2 * stride)
    for (let at = block; at < block + stride; at += 16) {
      const x = turnLanes<T>(v128.load(at), low, high);
      const y = turnLanes<T>(v128.load(at + stride), low, high);
      v128.store(at, nmadd<T>(turn, y, x));
      v128.store(at + stride, madd<T>(turn, x, y));
    }
}

/** Rotates the four vectors at `at`, with strides `s` and `r`, in two bits. */
@inline
function turnFour<T>(
  at: usize, s: usize, r: usize, x0: v128, x1: v128, x2: v128, x3: v128, tv: v128, uv: v128,
): void {
  const y0 = nmadd<T>(tv, x1, x0);
  const y1 = madd<T>(tv, x0, x1);
  const y2 = nmadd<T>(tv, x3, x2);
  const y3 = madd<T>(tv, x2, x3);
  v128.store(at, nmadd<T>(uv, y2, y0));
  v128.store(at + s, nmadd<T>(uv, y3, y1));
  v128.store(at + r, madd<T>(uv, y0, y2));
  v128.store(at + r + s, madd<T>(uv, y1, y3));
}

@inline
function turnLanesAndFour<T>(at: usize, s: usize, r: usize, low: v128, high: v128, tv: v128, uv: v128): void {
  const x0 = turnLanes<T>(v128.load(at), low, high);
  const x1 = turnLanes<T>(v128.load(at + s), low, high);
  const x2 = turnLanes<T>(v128.load(at + r), low, high);
  const x3 = turnLanes<T>(v128.load(at + r + s), low, high);
  turnFour<T>(at, s, r, x0, x1, x2, x3, tv, uv);
}

@inline
function rotateLanesAndTwo<T>(
  plane: usize, bits: i32, low: v128, high: v128, p: i32, q: i32, t: f64, u: f64,
): void {
  const end = plane + (<usize>sizeof<T>() << bits);
  const s = <usize>sizeof<T>() << p;
  const r = <usize>sizeof<T>() << q;
  const tv = v128.splat<T>(<T>t);
  const uv = v128.splat<T>(<T>u);
  if (r == 32) {
    for (let at = plane; at < end; at += 64) turnLanesAndFour<T>(at, 16, 32, low, high, tv, uv);
    return;
  }
  for (let outer = plane; outer < end; outer += 2 * r)
    for (let inner = outer; inner < outer + r; inner += 2 * s)
      for (let at = inner; at < inner + s; at += 16) turnLanesAndFour<T>(at, s, r, low, high, tv, uv);
}

@inline
function rotateOne<T>(plane: usize, bits: i32, p: i32, t: f64): void {
  const end = plane + (<usize>sizeof<T>() << bits);
  const stride = <usize>sizeof<T>() << p;
  const turn = v128.splat<T>(<T>t);
  for (let block = plane; block < end; block += 2 * stride)
    for (let at = block; at < block + stride; at += 16) {
      const x = v128.load(at);
      const y = v128.load(at + stride);
      v128.store(at, nmadd<T>(turn, y, x));
      v128.store(at + stride, madd<T>(turn, x, y));
    }
}

@inline
function rotateTwo<T>(plane: usize, bits: i32, p: i32, q: i32, t: f64, u: f64): void {
  const end = plane + (<usize>sizeof<T>() << bits);
  const s = <usize>sizeof<T>() << p;
  const r = <usize>sizeof<T>() << q;
  const tv = v128.splat<T>(<T>t);
  const uv = v128.splat<T>(<T>u);
  for (let outer = plane; outer < end; outer += 2 * r)
    for (let inner = outer; inner < outer + r; inner += 2 * s)
      for (let at = inner; at < inner + s; at += 16) {
        turnFour<T>(at, s, r, v128.load(at), v128.load(at + s), v128.load(at + r), v128.load(at + r + s), tv, uv);
      }
}

/** Rotates the eight vectors at `at`, with strides `a`, `b` and `c`, in three bits. */
@inline
function turnEight<T>(at: usize, a: usize, b: usize, c: usize, tv: v128, uv: v128, wv: v128): void {
  const far = at + c;
  const x0 = v128.load(at);
  const x1 = v128.load(at + a);
  const x2 = v128.load(at + b);
  const x3 = v128.load(at + a + b);
  const x4 = v128.load(far);
  const x5 = v128.load(far + a);
  const x6 = v128.load(far + b);
  const x7 = v128.load(far + a + b);
  const y0 = nmadd<T>(tv, x1, x0);
  const y1 = madd<T>(tv, x0, x1);
  const y2 = nmadd<T>(tv, x3, x2);
  const y3 = madd<T>(tv, x2, x3);
  const y4 = nmadd<T>(tv, x5, x4);
  const y5 = madd<T>(tv, x4, x5);
  const y6 = nmadd<T>(tv, x7, x6);
  const y7 = madd<T>(tv, x6, x7);
  const z0 = nmadd<T>(uv, y2, y0);
  const z1 = nmadd<T>(uv, y3, y1);
  const z2 = madd<T>(uv, y0, y2);
  const z3 = madd<T>(uv, y1, y3);
  const z4 = nmadd<T>(uv, y6, y4);
  const z5 = nmadd<T>(uv, y7, y5);
  const z6 = madd<T>(uv, y4, y6);
  const z7 = madd<T>(uv, y5, y7);
  v128.store(at, nmadd<T>(wv, z4, z0));
  v128.store(at + a, nmadd<T>(wv, z5, z1));
  v128.store(at + b, nmadd<T>(wv, z6, z2));
  v128.store(at + a + b, nmadd<T>(wv, z7, z3));
  v128.store(far, madd<T>(wv, z0, z4));
  v128.store(far + a, madd<T>(wv, z1, z5));
  v128.store(far + b, madd<T>(wv, z2, z6));
  v128.store(far + a + b, madd<T>(wv, z3, z7));
}

@inline
function rotateThree<T>(
  plane: usize, bits: i32, p: i32, q: i32, o: i32, t: f64, u: f64, w: f64,
): void {
  const end = plane + (<usize>sizeof<T>() << bits);
  const a = <usize>sizeof<T>() << p;
  const b = <usize>sizeof<T>() << q;
  const c = <usize>sizeof<T>() << o;
  const tv = v128.splat<T>(<T>t);
  const uv = v128.splat<T>(<T>u);
  const wv = v128.splat<T>(<T>w);
  if (c == 64) {
    for (let at = plane; at < end; at += 128) turnEight<T>(at, 16, 32, 64, tv, uv, wv);
    return;
  }
  for (let outer = plane; outer < end; outer += 2 * c)
    for (let middle = outer; middle < outer + c; middle += 2 * b)
      for (let inner = middle; inner < middle + b; inner += 2 * a)
        for (let at = inner; at < inner + a; at += 16) turnEight<T>(at, a, b, c, tv, uv, wv);
}

/**
 * Rotates a plane in bits that select lanes, where the record says so at 24, and in up to three others, ascending, or
 * two besides lanes. The record has the number of these others at 8, their bits, and at 32 their tangents of the half
 * angles; those of the lanes' bits are at 56.
 */
export function rotate<T>(plane: usize, bits: i32, op: usize): void {
  const count = load<i32>(op, 8);
  const p = load<i32>(op, 12);
  const q = load<i32>(op, 16);
  const t = load<f64>(op, 32);
  const u = load<f64>(op, 40);
  if (load<i32>(op, 24)) {
    const first = load<f64>(op, 56);
    const second = load<f64>(op, 64);
    const low = byLaneBit<T>(0, -first, first);
    const high = byLaneBit<T>(1, -second, second);
    if (count == 0) rotateLanes<T>(plane, bits, low, high);
    else if (count == 1) rotateLanesAndOne<T>(plane, bits, low, high, p, t);
    else rotateLanesAndTwo<T>(plane, bits, low, high, p, q, t, u);
  } else if (count == 1) rotateOne<T>(plane, bits, p, t);
  else if (count == 2) rotateTwo<T>(plane, bits, p, q, t, u);
  else rotateThree<T>(plane, bits, p, q, load<i32>(op, 20), t, u, load<f64>(op, 48));
}
