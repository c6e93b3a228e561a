import { multiplyDiagonal, multiplySelected } from "./diagonal";
import { permute } from "./permute";
import { rotate } from "./rotate";
import { transform } from "./transform";

/** Copies the rows of a tile between the state and the tile's own place. */
@inline
function copyRows(from: usize, to: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 64) {
    v128.store(to + i, v128.load(from + i));
    v128.store(to + i, v128.load(from + i, 16), 16);
    v128.store(to + i, v128.load(from + i, 32), 32);
    v128.store(to + i, v128.load(from + i, 48), 48);
  }
}

/** Bytes of a rotation's record. */
const ROTATION: usize = 72;
/** By how many bits the rows of diagonal operations are longer than others. */
const EXTRA_ROW_BITS: i32 = 1;
/** Bytes of a part of a plane that stays in the innermost cache. */
const PART: usize = 16384;

/** Returns the end of the rotations from `op` on, at most `count`, that stay within a part. */
@inline
function endOfRotations<T>(op: usize, count: i32): usize {
  let end = op;
  for (let i = 0; i < count && load<i32>(end) == 0; i++, end += ROTATION) {
    const others = load<i32>(end, 8);
    if (others > 0 && <usize>(2 * sizeof<T>()) << load<i32>(end + 8 + 4 * others) > PART) break;
  }
  return end;
}

/** Does rotations on one part of a plane after the other. */
@inline
function rotateInParts<T>(plane: usize, bits: i32, op: usize, end: usize): void {
  const partBits = min(bits, 31 - clz<i32>(<i32>(PART / sizeof<T>())));
  const planeEnd = plane + (<usize>sizeof<T>() << bits);
  for (let part = plane; part < planeEnd; part += PART)
    for (let rotation = op; rotation < end; rotation += ROTATION) rotate<T>(part, partBits, rotation);
}

/**
 * Takes one tile through all operations of a pass. The pass has at 0 the addresses of the planes, at 8 the bits of a
 * tile and of a row, at 16 whether the tile lies in one piece, at 20 the number of operations, at 24 their address, at
 * 28 that of the rows' places, at 32 whether the numbers are complex (0), become so (1) or stay real (2), of which no
 * imaginary parts are kept, and at 36 the number of bits outside of the tile and, from 40 on, their positions.
 */
export function runTile<T>(pass: usize, tile: u32, buffer: usize): void {
  const planeRe = <usize>load<u32>(pass);
  const planeIm = <usize>load<u32>(pass, 4);
  const bits = load<i32>(pass, 8);
  const rowBits = load<i32>(pass, 12);
  const isWhole = load<i32>(pass, 16) != 0;
  const count = load<i32>(pass, 20);
  let op = <usize>load<u32>(pass, 24);
  const places = <usize>load<u32>(pass, 28);
  const startsReal = load<i32>(pass, 32) != 0;
  const isReal = load<i32>(pass, 32) == 2;
  const numOutside = load<i32>(pass, 36);
  const tileBytes = <usize>sizeof<T>() << bits;
  const rowBytes = <usize>sizeof<T>() << rowBits;
  const rows: u32 = 1 << (bits - rowBits);
  let base: usize = 0;
  for (let i = 0; i < numOutside; i++)
    if ((tile >> i) & 1) base |= <usize>sizeof<T>() << load<i32>(pass + 40 + 4 * i);
  let re = planeRe + base;
  let im = planeIm + base;
  let spare = buffer + 2 * tileBytes;
  if (!isWhole) {
    re = buffer;
    im = buffer + tileBytes;
    for (let row: u32 = 0; row < rows; row++) {
      const place = base + <usize>load<u32>(places + 4 * row) * sizeof<T>();
      copyRows(planeRe + place, re + row * rowBytes, rowBytes);
      if (!startsReal) copyRows(planeIm + place, im + row * rowBytes, rowBytes);
    }
  }
  if (startsReal && !isReal) memory.fill(im, 0, tileBytes);
  for (let i = 0; i < count; i++, op += load<i32>(op, 4)) {
    const kind = load<i32>(op);
    if (kind == 0) {
      const end = endOfRotations<T>(op, count - i);
      if (end > op) {
        rotateInParts<T>(re, bits, op, end);
        if (!isReal) rotateInParts<T>(im, bits, op, end);
        i += <i32>((end - op) / ROTATION) - 1;
        op = end - ROTATION;
      } else {
        rotate<T>(re, bits, op);
        if (!isReal) rotate<T>(im, bits, op);
      }
    } else if (kind == 1) multiplyDiagonal<T>(re, im, isReal, bits, rowBits + EXTRA_ROW_BITS, tile, op, buffer + 3 * tileBytes);
    else if (kind == 4) {
      const from = re;
      permute<T>(from, spare, tileBytes, tile, op);
      re = spare;
      spare = from;
      if (!isReal) {
        permute<T>(im, from, tileBytes, tile, op);
        spare = im;
        im = from;
      }
    } else if ((tile & load<u32>(op, 24)) == load<u32>(op, 28)) {
      if (kind == 2) {
        transform<T>(re, bits, rowBits, op);
        if (!isReal) transform<T>(im, bits, rowBits, op);
      } else multiplySelected<T>(re, im, isReal, bits, rowBits, op);
    }
  }
  if (isWhole) return;
  for (let row: u32 = 0; row < rows; row++) {
    const place = base + <usize>load<u32>(places + 4 * row) * sizeof<T>();
    copyRows(re + row * rowBytes, planeRe + place, rowBytes);
    if (!isReal) copyRows(im + row * rowBytes, planeIm + place, rowBytes);
  }
}
