/** Returns a vector of which each lane comes from a place of its own: its bits add `one` and `two` to the source. */
@inline
function gatherLanes<T>(plane: usize, source: u32, one: u32, two: u32): v128 {
  const a = v128.load(plane + <usize>source);
  const b = v128.load(plane + <usize>(source ^ one));
  if (sizeof<T>() == 8) return v128.shuffle<f64>(a, b, 0, 3);
  const low = v128.shuffle<f32>(a, b, 0, 5, 2, 7);
  if (two == 0) return low;
  const c = v128.load(plane + <usize>(source ^ two));
  const d = v128.load(plane + <usize>(source ^ one ^ two));
  return v128.shuffle<f32>(low, v128.shuffle<f32>(c, d, 0, 5, 2, 7), 0, 1, 6, 7);
}

/**
 * Moves the numbers of a plane of so many bytes to another place, each to where its index is mapped by exclusive ors,
 * which may depend on its lane but do not change it. The record has at 8 how many bits of the tile's number count, at 12
 * the source of the first number in bytes, at 16 the bits of the lower table, at 20 its address, at 24 that of the upper
 * table, at 28 that of the tile's bits, each a mask and what it adds to the sources, and at 32 what the lane's bits add.
 */
export function permute<T>(plane: usize, to: usize, bytes: usize, tile: u32, op: usize): void {
  const numOutside = load<i32>(op, 8);
  let first = load<u32>(op, 12);
  const lowBits = load<i32>(op, 16);
  const low = <usize>load<u32>(op, 20);
  let high = <usize>load<u32>(op, 24);
  const outside = <usize>load<u32>(op, 28);
  const one = load<u32>(op, 32);
  const two = load<u32>(op, 36);
  for (let k = 0; k < numOutside; k++) {
    const at = outside + 8 * <usize>k;
    if (tile & load<u32>(at)) first ^= load<u32>(at, 4);
  }
  const lowEnd = low + (<usize>4 << lowBits);
  const end = to + bytes;
  while (to < end) {
    const above = first ^ load<u32>(high);
    high += 4;
    if ((one | two) == 0) {
      for (let entry = low; entry < lowEnd; entry += 4) {
        v128.store(to, v128.load(plane + <usize>(above ^ load<u32>(entry))));
        to += 16;
      }
    } else {
      for (let entry = low; entry < lowEnd; entry += 4) {
        v128.store(to, gatherLanes<T>(plane, above ^ load<u32>(entry), one, two));
        to += 16;
      }
    }
  }
}
