import { binomial } from "./binomial.ts";
import { orderedUniforms } from "./ordered.ts";
import type { Philox } from "./philox.ts";

/** Draws, of them all and for each place of a list, from which on drawing how many find each place is quicker. */
const MANY = 32_768;
const MANY_EACH = 8;

/** Draws so many places of a list by their weights, which need not add up to 1; returns them in ascending order. */
export function drawWeighted(
  weights: Float64Array,
  count: number,
  random: Philox,
  b: number,
  stream: number,
): Uint32Array {
  const places = new Uint32Array(count);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let last = weights.length - 1;
  while (last > 0 && weights[last]! <= 0) last--;
  if (count < Math.max(MANY, MANY_EACH * weights.length)) {
    let at = 0;
    let cumulative = weights[0]!;
    orderedUniforms(count, random, b, stream).forEach((uniform, i) => {
      while (uniform * total >= cumulative && at < last) cumulative += weights[++at]!;
      places[i] = at;
    });
    return places;
  }
  const uniform = random.sequence(b, stream);
  let left = total;
  for (let at = 0, drawn = 0; at <= last && drawn < count; at++) {
    const weight = weights[at]!;
    if (weight <= 0) continue;
    const found = at === last ? count - drawn : binomial(count - drawn, weight / left, uniform);
    places.fill(at, drawn, drawn + found);
    drawn += found;
    left -= weight;
  }
  return places;
}
