const MULTIPLIER = 0x5bd1e995;

/** The MurmurHash2 of a string's UTF-8 bytes, by which Jupyter's debuggers name the files of cells. */
export function murmur2(text: string, seed: number): number {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(bytes.buffer);
  const whole = bytes.length & ~3;
  let hash = seed ^ bytes.length;
  for (let at = 0; at < whole; at += 4) {
    const word = Math.imul(view.getUint32(at, true), MULTIPLIER);
    hash = Math.imul(hash, MULTIPLIER) ^ Math.imul(word ^ (word >>> 24), MULTIPLIER);
  }
  if (bytes.length > whole) {
    for (let at = bytes.length - 1; at >= whole; at -= 1) hash ^= bytes[at]! << (8 * (at - whole));
    hash = Math.imul(hash, MULTIPLIER);
  }
  hash = Math.imul(hash ^ (hash >>> 13), MULTIPLIER);
  return (hash ^ (hash >>> 15)) >>> 0;
}
