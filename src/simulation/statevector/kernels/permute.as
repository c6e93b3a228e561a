/**
 * Moves the vectors of a plane of so many bytes to another place, each to where its index is mapped by exclusive ors.
 * The record has at 8 the number of bits of the tile's number that count, at 12 the source of the first vector in bytes,
 * at 16 the bits of the lower table, at 20 its address, at 24 that of the upper table, and at 28 that of the tile's
 * bits, each a mask and what it adds to the sources.
 */
export function permute(re: usize, im: usize, toRe: usize, toIm: usize, bytes: usize, tile: u32, op: usize): void {
  const numOutside = load<i32>(op, 8);
  let first = load<u32>(op, 12);
  const lowBits = load<i32>(op, 16);
  const low = <usize>load<u32>(op, 20);
  let high = <usize>load<u32>(op, 24);
  const outside = <usize>load<u32>(op, 28);
  for (let k = 0; k < numOutside; k++) {
    const at = outside + 8 * <usize>k;
    if (tile & load<u32>(at)) first ^= load<u32>(at, 4);
  }
  const lowEnd = low + (<usize>4 << lowBits);
  const end = toRe + bytes;
  while (toRe < end) {
    const above = first ^ load<u32>(high);
    high += 4;
    for (let entry = low; entry < lowEnd; entry += 4) {
      const source = <usize>(above ^ load<u32>(entry));
      v128.store(toRe, v128.load(re + source));
      v128.store(toIm, v128.load(im + source));
      toRe += 16;
      toIm += 16;
    }
  }
}
