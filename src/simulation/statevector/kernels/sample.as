import { BLOCK } from "./measure";

/** Returns a number of [0, 1) by the counter-based generator Philox4x32-10. */
@inline
function uniform(keyLow: u32, keyHigh: u32, a: u32, b: u32, stream: u32): f64 {
  let c0 = a;
  let c1 = b;
  let c2 = stream;
  let c3: u32 = 0;
  let k0 = keyLow;
  let k1 = keyHigh;
  for (let round = 0; round < 10; round++) {
    const p = <u64>0xd2511f53 * <u64>c0;
    const q = <u64>0xcd9e8d57 * <u64>c2;
    c0 = <u32>(q >> 32) ^ c1 ^ k0;
    c1 = <u32>q;
    c2 = <u32>(p >> 32) ^ c3 ^ k1;
    c3 = <u32>p;
    k0 += 0x9e3779b9;
    k1 += 0xbb67ae85;
  }
  return (<f64>(c0 >>> 6) * 134217728.0 + <f64>(c1 >>> 5)) / 9007199254740992.0;
}

/** Writes ascending uniform numbers: partial sums of exponential gaps, divided by the sum of all. */
export function orderedUniforms(to: usize, count: u32, keyLow: u32, keyHigh: u32, b: u32, stream: u32): void {
  let sum: f64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    sum -= NativeMath.log(1 - uniform(keyLow, keyHigh, i, b, stream));
    store<f64>(to + 8 * <usize>i, sum);
  }
  sum -= NativeMath.log(1 - uniform(keyLow, keyHigh, count, b, stream));
  for (let i: u32 = 0; i < count; i++) store<f64>(to + 8 * <usize>i, load<f64>(to + 8 * <usize>i) / sum);
}

/** Draws a basis state for each of the ascending uniform numbers in one scan that skips the blocks without a hit. */
export function draw<T>(re: usize, im: usize, numBlocks: u32, sums: usize, total: f64, uniforms: usize, count: u32, to: usize): void {
  let shot: u32 = 0;
  let before: f64 = 0;
  for (let block: u32 = 0; block < numBlocks && shot < count; block++) {
    const isLast = block == numBlocks - 1;
    const after = before + load<f64>(sums + 8 * <usize>block);
    let next = load<f64>(uniforms + 8 * <usize>shot) * total;
    if (!isLast && next >= after) {
      before = after;
      continue;
    }
    let cumulative = before;
    let seen = block * BLOCK;
    for (let i = block * BLOCK; i < (block + 1) * BLOCK && shot < count; i++) {
      const x = <f64>load<T>(re + <usize>i * sizeof<T>());
      const y = im ? <f64>load<T>(im + <usize>i * sizeof<T>()) : 0;
      const weight = x * x + y * y;
      if (weight == 0) continue;
      cumulative += weight;
      seen = i;
      while (next < cumulative) {
        store<u32>(to + 4 * <usize>shot, i);
        if (++shot == count) return;
        next = load<f64>(uniforms + 8 * <usize>shot) * total;
      }
    }
    before = after;
    for (; shot < count && (isLast || load<f64>(uniforms + 8 * <usize>shot) * total < before); shot++)
      store<u32>(to + 4 * <usize>shot, seen);
  }
}
