import { madd, nmadd } from "./vector";

/** Multiplies complex vectors in memory, from and to the same place, by a number, with three products each. */
@inline
function scaleRow<T>(re: usize, im: usize, bytes: usize, cr: f64, ci: f64): void {
  const cv = v128.splat<T>(<T>cr);
  const sum = v128.splat<T>(<T>(cr + ci));
  const difference = v128.splat<T>(<T>(ci - cr));
  for (let i: usize = 0; i < bytes; i += 16) {
    const x = v128.load(re + i);
    const y = v128.load(im + i);
    const both = v128.mul<T>(cv, v128.add<T>(x, y));
    v128.store(re + i, nmadd<T>(sum, y, both));
    v128.store(im + i, madd<T>(difference, x, both));
  }
}

/** Multiplies real numbers by one, and by a table where there is one. */
@inline
function scaleReals<T>(re: usize, bytes: usize, table: usize, factor: f64): void {
  const by = v128.splat<T>(<T>factor);
  for (let i: usize = 0; i < bytes; i += 16) {
    const scaled = table ? v128.mul<T>(by, v128.load(table + i)) : by;
    v128.store(re + i, v128.mul<T>(scaled, v128.load(re + i)));
  }
}

/** Multiplies a row by a table of complex numbers, where there is one, and writes the sums of its real and imaginary parts after it. */
@inline
function finishRow<T>(re: usize, bytes: usize, table: usize): void {
  for (let i: usize = 0; i < bytes; i += 16) {
    const x = v128.load(re + i);
    const y = v128.load(re + bytes + i);
    let u = x;
    let v = y;
    if (table) {
      const a = v128.load(table + i);
      const b = v128.load(table + bytes + i);
      u = nmadd<T>(b, y, v128.mul<T>(a, x));
      v = madd<T>(b, x, v128.mul<T>(a, y));
      v128.store(re + i, u);
      v128.store(re + bytes + i, v);
    }
    v128.store(re + 2 * bytes + i, v128.add<T>(u, v));
  }
}

/**
 * Multiplies a row by a number and by a table: real parts, imaginary parts, and their sums. Each product of complex
 * numbers takes three of reals; processors have units of their own for the additions.
 */
@inline
function multiplyRowBy<T>(re: usize, im: usize, bytes: usize, table: usize, cr: f64, ci: f64): void {
  const cv = v128.splat<T>(<T>cr);
  const sum = v128.splat<T>(<T>(cr + ci));
  const difference = v128.splat<T>(<T>(ci - cr));
  for (let i: usize = 0; i < bytes; i += 16) {
    const at = table + i;
    const scaled = v128.mul<T>(cv, v128.load(at + 2 * bytes));
    const a = nmadd<T>(sum, v128.load(at + bytes), scaled);
    const b = madd<T>(difference, v128.load(at), scaled);
    const x = v128.load(re + i);
    const y = v128.load(im + i);
    const both = v128.mul<T>(a, v128.add<T>(x, y));
    v128.store(re + i, nmadd<T>(v128.add<T>(a, b), y, both));
    v128.store(im + i, madd<T>(v128.sub<T>(b, a), x, both));
  }
}

/** Fills a row with the products of the factors of its set bits; those of bits that are not listed are 1. */
function fillRow<T>(re: usize, im: usize, rowBits: i32, factors: usize): void {
  store<T>(re, <T>1);
  store<T>(im, <T>0);
  for (let bit = 0; bit < rowBits; bit++) {
    const size = <usize>sizeof<T>() << bit;
    const wr = load<f64>(factors + 16 * bit);
    const wi = load<f64>(factors + 16 * bit, 8);
    if (wr == 1 && wi == 0) {
      memory.copy(re + size, re, size);
      memory.copy(im + size, im, size);
    } else if (size < 16) {
      for (let i: usize = 0; i < size; i += sizeof<T>()) {
        const x = <f64>load<T>(re + i);
        const y = <f64>load<T>(im + i);
        store<T>(re + size + i, <T>(x * wr - y * wi));
        store<T>(im + size + i, <T>(x * wi + y * wr));
      }
    } else {
      const cv = v128.splat<T>(<T>wr);
      const sv = v128.splat<T>(<T>wi);
      for (let i: usize = 0; i < size; i += 16) {
        const x = v128.load(re + i);
        const y = v128.load(im + i);
        v128.store(re + size + i, nmadd<T>(sv, y, v128.mul<T>(cv, x)));
        v128.store(im + size + i, madd<T>(sv, x, v128.mul<T>(cv, y)));
      }
    }
  }
}

/**
 * Multiplies a tile by phases that its bits select alone and in pairs, and together with the bits of its number.
 * The record has at 8 the number of row bits that are coupled with others, at 12 that of couplings with the tile's
 * number, at 16 the addresses of a table for rows or 0, of a table of the rows' own factors, of the coupled bits with a
 * table for each, and of the couplings with the tile's number; after these tables lie the rows in the order in which
 * they are to be done, so that rows with the same phases follow each other.
 * `scratch` has room for 32 factors, the factors of the rows, and a row. Of real numbers the factors are real.
 */
export function multiplyDiagonal<T>(
  re: usize, im: usize, isReal: bool, bits: i32, rowBits: i32, tile: u32, op: usize, scratch: usize,
): void {
  const numCoupled = load<i32>(op, 8);
  const numOutside = load<i32>(op, 12);
  const table = <usize>load<u32>(op, 16);
  const ownFactors = <usize>load<u32>(op, 20);
  const coupled = <usize>load<u32>(op, 24);
  const outside = <usize>load<u32>(op, 28);
  const rows: u32 = 1 << (bits - rowBits);
  const rowBytes = <usize>sizeof<T>() << rowBits;
  const factors = scratch;
  const current = scratch + 512;
  const rowFactors = scratch + 1024;
  const rowRe = rowFactors + 16 * <usize>rows;

  for (let bit = 0; bit < bits; bit++) {
    store<f64>(factors + 16 * bit, 1);
    store<f64>(factors + 16 * bit, 0, 8);
  }
  let scaleRe: f64 = 1;
  let scaleIm: f64 = 0;
  let turnsRows = false;
  for (let k = 0; k < numOutside; k++) {
    const coupling = outside + 24 * k;
    const mask = load<u32>(coupling);
    if ((tile & mask) != mask) continue;
    const bit = load<i32>(coupling, 4);
    const wr = load<f64>(coupling, 8);
    const wi = load<f64>(coupling, 16);
    if (bit < 0) {
      const x = scaleRe;
      scaleRe = x * wr - scaleIm * wi;
      scaleIm = x * wi + scaleIm * wr;
    } else {
      const x = load<f64>(factors + 16 * bit);
      const y = load<f64>(factors + 16 * bit, 8);
      store<f64>(factors + 16 * bit, x * wr - y * wi);
      store<f64>(factors + 16 * bit, x * wi + y * wr, 8);
      if (bit >= rowBits) turnsRows = true;
    }
  }
  if (turnsRows) {
    store<f64>(rowFactors, scaleRe);
    store<f64>(rowFactors, scaleIm, 8);
    for (let bit = rowBits; bit < bits; bit++) {
      const size = <usize>16 << (bit - rowBits);
      const wr = load<f64>(factors + 16 * bit);
      const wi = load<f64>(factors + 16 * bit, 8);
      for (let i: usize = 0; i < size; i += 16) {
        const x = load<f64>(rowFactors + i);
        const y = load<f64>(rowFactors + i, 8);
        store<f64>(rowFactors + size + i, x * wr - y * wi);
        store<f64>(rowFactors + size + i, x * wi + y * wr, 8);
      }
    }
  }
  for (let bit = 0; bit < rowBits; bit++) {
    store<f64>(current + 16 * bit, 1);
    store<f64>(current + 16 * bit, 0, 8);
  }
  let isFilled = false;
  const order = outside + 24 * numOutside;
  for (let i: u32 = 0; i < rows; i++) {
    const row = numCoupled == 0 ? i : load<u32>(order + 4 * i);
    let cr = load<f64>(ownFactors + 16 * row);
    let ci = load<f64>(ownFactors + 16 * row, 8);
    const fr = turnsRows ? load<f64>(rowFactors + 16 * row) : scaleRe;
    const fi = turnsRows ? load<f64>(rowFactors + 16 * row, 8) : scaleIm;
    const x = cr;
    cr = x * fr - ci * fi;
    ci = x * fi + ci * fr;
    const rowAt = row * rowBytes;
    if (numCoupled == 0) {
      if (!table && cr == 1 && ci == 0) continue;
      if (isReal) scaleReals<T>(re + rowAt, rowBytes, table, cr);
      else if (table) multiplyRowBy<T>(re + rowAt, im + rowAt, rowBytes, table, cr, ci);
      else scaleRow<T>(re + rowAt, im + rowAt, rowBytes, cr, ci);
      continue;
    }
    let changed = !isFilled;
    for (let k = 0; k < numCoupled; k++) {
      const own = coupled + <usize>k * (8 + 16 * <usize>rows);
      const at = 16 * load<i32>(own);
      const hr = load<f64>(own + 8 + 16 * row);
      const hi = load<f64>(own + 16 + 16 * row);
      const gr = load<f64>(factors + at);
      const gi = load<f64>(factors + at, 8);
      const wr = hr * gr - hi * gi;
      const wi = hr * gi + hi * gr;
      if (wr != load<f64>(current + at) || wi != load<f64>(current + at, 8)) {
        changed = true;
        store<f64>(current + at, wr);
        store<f64>(current + at, wi, 8);
      }
    }
    if (changed) {
      fillRow<T>(rowRe, rowRe + rowBytes, rowBits, current);
      finishRow<T>(rowRe, rowBytes, table);
      isFilled = true;
    }
    if (isReal) scaleReals<T>(re + rowAt, rowBytes, rowRe, cr);
    else multiplyRowBy<T>(re + rowAt, im + rowAt, rowBytes, rowRe, cr, ci);
  }
}

/**
 * Multiplies by a phase where a tile's rows and the numbers within a row satisfy the controls.
 * The record has at 12 mask and value for the rows, at 32 those for the numbers, and at 40 the phase.
 */
export function multiplySelected<T>(re: usize, im: usize, isReal: bool, bits: i32, rowBits: i32, op: usize): void {
  const rowMask = load<u32>(op, 12);
  const rowOn = load<u32>(op, 16);
  const mask = load<u32>(op, 32);
  const on = load<u32>(op, 36);
  const cr = load<f64>(op, 40);
  const ci = load<f64>(op, 48);
  const rows: u32 = 1 << (bits - rowBits);
  const rowSize: u32 = 1 << rowBits;
  for (let row: u32 = 0; row < rows; row++) {
    if ((row & rowMask) != rowOn) continue;
    const start = <usize>row * sizeof<T>() << rowBits;
    if (mask == 0) {
      const bytes = <usize>rowSize * sizeof<T>();
      if (isReal) scaleReals<T>(re + start, bytes, 0, cr);
      else scaleRow<T>(re + start, im + start, bytes, cr, ci);
      continue;
    }
    for (let i = on; i < rowSize; i = ((i | mask) + 1) & ~mask | on) {
      const at = start + i * sizeof<T>();
      const x = <f64>load<T>(re + at);
      const y = isReal ? 0 : <f64>load<T>(im + at);
      store<T>(re + at, <T>(x * cr - y * ci));
      if (!isReal) store<T>(im + at, <T>(x * ci + y * cr));
    }
  }
}
