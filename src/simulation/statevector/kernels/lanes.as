import { madd, nmadd } from "./vector";

/** Bytes of the numbers of eight lanes, which are worked on together where lanes have choices. */
const BLOCK: usize = 64;

/**
 * Writes a block of factors to a table, some for each lane: those of its choice, of which there are two bytes for each lane,
 * or of choice 1 where there are no choices. The first two lanes suffice then.
 */
function writeFactors(factors: usize, count: usize, choices: usize, lane: usize, table: usize): void {
  const width: usize = choices ? 8 : 2;
  for (let i: usize = 0; i < width; i++) {
    const own = factors + 8 * count * (choices ? <usize>load<u16>(choices + 2 * (lane + i)) : 1);
    for (let k: usize = 0; k < count; k++) store<f64>(table + BLOCK * k + 8 * i, load<f64>(own + 8 * k));
  }
}

/**
 * Multiplies the pairs of rows that differ by a bit, where the bits at `mask` are `on`, by a matrix. A row of an index has
 * the real parts of all lanes and after a stride the imaginary ones. Lanes whose
 * choice is 0 are left as they are; without `choices` all take choice 1.
 */
export function multiplyLanes(
  at: usize, stride: usize, bytes: usize, size: u32, bit: u32, mask: u32, on: u32,
  isReal: bool, factors: usize, choices: usize, table: usize,
): void {
  const block = choices ? BLOCK : bytes;
  const inBlock: usize = choices ? BLOCK - 1 : 0;
  for (let from: usize = 0; from < bytes; from += block) {
    if (choices && !v128.any_true(v128.load(choices + (from >> 2)))) continue;
    writeFactors(factors, 8, choices, from >> 3, table);
    const to = min(from + block, bytes);
    for (let i: u32 = 0; i < size; i++) {
      if (i & bit || (i & mask) != on) continue;
      const x = at + 2 * stride * <usize>i;
      const y = at + 2 * stride * <usize>(i | bit);
      for (let lane = from; lane < to; lane += 16) {
        if (choices && !load<u32>(choices + (lane >> 2))) continue;
        const m = table + (lane & inBlock);
        const xr = v128.load(x + lane);
        const xi = v128.load(x + stride + lane);
        const yr = v128.load(y + lane);
        const yi = v128.load(y + stride + lane);
        const ar = v128.load(m);
        const br = v128.load(m, 2 * BLOCK);
        const cr = v128.load(m, 4 * BLOCK);
        const dr = v128.load(m, 6 * BLOCK);
        let ur = madd<f64>(br, yr, v128.mul<f64>(ar, xr));
        let ui = madd<f64>(br, yi, v128.mul<f64>(ar, xi));
        let vr = madd<f64>(dr, yr, v128.mul<f64>(cr, xr));
        let vi = madd<f64>(dr, yi, v128.mul<f64>(cr, xi));
        if (!isReal) {
          const ai = v128.load(m, BLOCK);
          const bi = v128.load(m, 3 * BLOCK);
          const ci = v128.load(m, 5 * BLOCK);
          const di = v128.load(m, 7 * BLOCK);
          ur = nmadd<f64>(bi, yi, nmadd<f64>(ai, xi, ur));
          ui = madd<f64>(bi, yr, madd<f64>(ai, xr, ui));
          vr = nmadd<f64>(di, yi, nmadd<f64>(ci, xi, vr));
          vi = madd<f64>(di, yr, madd<f64>(ci, xr, vi));
        }
        v128.store(x + lane, ur);
        v128.store(x + stride + lane, ui);
        v128.store(y + lane, vr);
        v128.store(y + stride + lane, vi);
      }
    }
  }
}

/** Multiplies the rows whose bits at `mask` are `on` by a complex number. */
export function turnLanes(
  at: usize, stride: usize, bytes: usize, size: u32, mask: u32, on: u32,
  factors: usize, choices: usize, table: usize,
): void {
  const block = choices ? BLOCK : bytes;
  const inBlock: usize = choices ? BLOCK - 1 : 0;
  for (let from: usize = 0; from < bytes; from += block) {
    if (choices && !v128.any_true(v128.load(choices + (from >> 2)))) continue;
    writeFactors(factors, 2, choices, from >> 3, table);
    const to = min(from + block, bytes);
    for (let i: u32 = 0; i < size; i++) {
      if ((i & mask) != on) continue;
      const x = at + 2 * stride * <usize>i;
      for (let lane = from; lane < to; lane += 16) {
        if (choices && !load<u32>(choices + (lane >> 2))) continue;
        const cr = v128.load(table + (lane & inBlock));
        const ci = v128.load(table + (lane & inBlock), BLOCK);
        const xr = v128.load(x + lane);
        const xi = v128.load(x + stride + lane);
        v128.store(x + lane, nmadd<f64>(ci, xi, v128.mul<f64>(cr, xr)));
        v128.store(x + stride + lane, madd<f64>(ci, xr, v128.mul<f64>(cr, xi)));
      }
    }
  }
}

/** Adds up the squares of the rows whose bit is 0, and after a stride of those whose bit is 1, for each lane. */
export function weighLanes(at: usize, stride: usize, bytes: usize, size: u32, bit: u32, sums: usize): void {
  memory.fill(sums, 0, 2 * stride);
  for (let i: u32 = 0; i < size; i++) {
    const x = at + 2 * stride * <usize>i;
    const sum = i & bit ? sums + stride : sums;
    for (let lane: usize = 0; lane < bytes; lane += 16) {
      const re = v128.load(x + lane);
      const im = v128.load(x + stride + lane);
      v128.store(sum + lane, madd<f64>(re, re, madd<f64>(im, im, v128.load(sum + lane))));
    }
  }
}

/**
 * Multiplies the rows whose bit is 0 by one number for each lane, and those whose bit is 1 by another, after a stride.
 * Where the bit is not kept, both are added up, in the lower half of the rows.
 */
export function projectLanes(
  at: usize, stride: usize, bytes: usize, size: u32, bit: u32, scales: usize, isKept: bool,
): void {
  let to = at;
  for (let i: u32 = 0; i < size; i++) {
    if (i & bit) continue;
    for (let part: usize = 0; part < 2; part++) {
      const x = at + 2 * stride * <usize>i + part * stride;
      const y = at + 2 * stride * <usize>(i | bit) + part * stride;
      for (let lane: usize = 0; lane < bytes; lane += 16) {
        const zero = v128.mul<f64>(v128.load(x + lane), v128.load(scales + lane));
        const one = v128.load(y + lane);
        const scale = v128.load(scales + stride + lane);
        if (isKept) {
          v128.store(x + lane, zero);
          v128.store(y + lane, v128.mul<f64>(one, scale));
        } else v128.store(to + lane, madd<f64>(one, scale, zero));
      }
      to += stride;
    }
  }
}

/** Adds a highest bit, which is the parity of others, inverted in the lanes whose choice is 1. */
export function expandLanes(
  at: usize, stride: usize, bytes: usize, size: u32, parity: u32, factors: usize, choices: usize, table: usize,
): void {
  const over = 2 * stride * <usize>size;
  for (let from: usize = 0; from < bytes; from += BLOCK) {
    writeFactors(factors, 1, choices, from >> 3, table);
    const to = min(from + BLOCK, bytes);
    const inBlock: usize = choices ? BLOCK - 1 : 0;
    for (let i: u32 = 0; i < size; i++) {
      const lower = at + 2 * stride * <usize>i;
      const isOdd = popcnt(i & parity) & 1;
      for (let part: usize = 0; part < 2; part++) {
        const zero = lower + part * stride + (isOdd ? over : 0);
        const one = lower + part * stride + (isOdd ? 0 : over);
        for (let lane = from; lane < to; lane += 16) {
          const x = v128.load(lower + part * stride + lane);
          const inverted = v128.mul<f64>(x, v128.load(table + (lane & inBlock)));
          v128.store(zero + lane, v128.sub<f64>(x, inverted));
          v128.store(one + lane, inverted);
        }
      }
    }
  }
}

/** Copies lanes, which are listed unless there is no list, of so many rows, which come from others unless there is no list of these. */
export function copyLanes(
  at: usize, stride: usize, to: usize, toStride: usize, lanes: usize, count: u32, rows: u32, sources: usize,
): void {
  for (let i: u32 = 0; i < rows; i++) {
    let x = at + 2 * stride * <usize>(sources ? load<u32>(sources + 4 * <usize>i) : i);
    for (let part = 0; part < 2; part++) {
      if (!lanes) memory.copy(to, x, 8 * <usize>count);
      else
        for (let k: usize = 0; k < <usize>count; k++)
          store<f64>(to + 8 * k, load<f64>(x + 8 * <usize>load<u32>(lanes + 4 * k)));
      x += stride;
      to += toStride;
    }
  }
}
