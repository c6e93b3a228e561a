/** The real and the imaginary parts of amplitudes, and how many of them are in use. */
export interface Planes {
  re: Float64Array;
  im: Float64Array;
  size: number;
}

/** Gathers the bits of an index at the given positions, the first of them lowest. */
function gatherBits(index: number, positions: readonly number[]): number {
  let gathered = 0;
  for (let i = 0; i < positions.length; i++) gathered |= ((index >> positions[i]!) & 1) << i;
  return gathered;
}

/** Returns the probability of each value of the bits at the given positions. */
export function marginal(planes: Readonly<Planes>, positions: readonly number[]): Float64Array {
  const { re, im, size } = planes;
  const out = new Float64Array(2 ** positions.length);
  let total = 0;
  for (let i = 0; i < size; i++) {
    const weight = re[i]! * re[i]! + im[i]! * im[i]!;
    out[gatherBits(i, positions)]! += weight;
    total += weight;
  }
  return out.map(weight => weight / total);
}
