import { type Distribution, outcomesOf, totalOf } from "./distribution.ts";

/** The Shannon entropy of counts or probabilities in bits: −Σ p log₂ p. 0 when there is nothing. */
export function entropyOf(values: Distribution): number {
  const total = totalOf(values);
  let entropy = 0;
  for (const outcome of outcomesOf(values)) {
    const p = values[outcome]! / total;
    if (p > 0) entropy -= p * Math.log2(p);
  }
  return Math.max(0, entropy);
}
