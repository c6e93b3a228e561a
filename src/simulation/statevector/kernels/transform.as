import { byLaneBit, laneBits, madd, partner } from "./vector";

/**
 * Multiplies the pairs of one bit by a real matrix where a tile's rows and the numbers within a row satisfy the controls.
 * The record has at 8 the bit, at 12 mask and value of the row's controls, at 20 the address of a row of masks or 0,
 * at 24 mask and value of the tile's own controls, and at 32 the matrix.
 */
export function transform<T>(plane: usize, bits: i32, rowBits: i32, op: usize): void {
  const bit = load<i32>(op, 8);
  const rowMask = load<u32>(op, 12);
  const rowOn = load<u32>(op, 16);
  const masks = <usize>load<u32>(op, 20);
  const a = load<f64>(op, 32);
  const b = load<f64>(op, 40);
  const c = load<f64>(op, 48);
  const d = load<f64>(op, 56);
  const rows: u32 = 1 << (bits - rowBits);
  const rowBytes = <usize>sizeof<T>() << rowBits;
  if (bit < laneBits<T>()) {
    const same = byLaneBit<T>(bit, a, d);
    const other = byLaneBit<T>(bit, b, c);
    for (let row: u32 = 0; row < rows; row++) {
      if ((row & rowMask) != rowOn) continue;
      const start = plane + row * rowBytes;
      for (let i: usize = 0; i < rowBytes; i += 16) {
        const x = v128.load(start + i);
        const turned = madd<T>(same, x, v128.mul<T>(other, bit == 0 ? partner<T>(x, 0) : partner<T>(x, 1)));
        v128.store(start + i, masks ? v128.bitselect(turned, x, v128.load(masks + i)) : turned);
      }
    }
    return;
  }
  const av = v128.splat<T>(<T>a);
  const bv = v128.splat<T>(<T>b);
  const cv = v128.splat<T>(<T>c);
  const dv = v128.splat<T>(<T>d);
  const isWithin = bit < rowBits;
  const rowBit: u32 = isWithin ? 0 : 1 << (bit - rowBits);
  const stride = <usize>sizeof<T>() << bit;
  const step = isWithin ? stride : rowBytes;
  for (let row: u32 = 0; row < rows; row++) {
    if (row & rowBit || (row & rowMask) != rowOn) continue;
    const start = plane + row * rowBytes;
    for (let from: usize = 0; from < rowBytes; from += isWithin ? 2 * step : step)
      for (let i = from; i < from + step; i += 16) {
        const at = start + i;
        const x = v128.load(at);
        const y = v128.load(at + stride);
        const u = madd<T>(av, x, v128.mul<T>(bv, y));
        const v = madd<T>(cv, x, v128.mul<T>(dv, y));
        if (masks) {
          const mask = v128.load(masks + i);
          v128.store(at, v128.bitselect(u, x, mask));
          v128.store(at + stride, v128.bitselect(v, y, mask));
        } else {
          v128.store(at, u);
          v128.store(at + stride, v);
        }
      }
  }
}
