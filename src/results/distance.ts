import type { Distribution } from "./outcome.ts";

/** Calls back with both probabilities of every outcome of either distribution. */
function forBoth(a: Distribution, b: Distribution, visit: (p: number, q: number) => void): void {
  for (const outcome of Object.keys(a)) visit(a[outcome]!, Object.hasOwn(b, outcome) ? b[outcome]! : 0);
  for (const outcome of Object.keys(b)) if (!Object.hasOwn(a, outcome)) visit(0, b[outcome]!);
}

/** Half the sum of all differences of probability: 0 for equal distributions, 1 for those that share no outcome. */
export function totalVariation(a: Distribution, b: Distribution): number {
  let sum = 0;
  forBoth(a, b, (p, q) => {
    sum += Math.abs(p - q);
  });
  return Math.min(1, sum / 2);
}

/** The Hellinger distance of two distributions, from 0 to 1. Its square is 1 − Σ √(pq). */
export function hellingerDistance(a: Distribution, b: Distribution): number {
  let sum = 0;
  forBoth(a, b, (p, q) => {
    sum += (Math.sqrt(p) - Math.sqrt(q)) ** 2;
  });
  return Math.min(1, Math.sqrt(sum / 2));
}
