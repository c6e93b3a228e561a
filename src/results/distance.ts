import { type Distribution, outcomesOf, totalOf, valueAt } from "./distribution.ts";

/** Distances between two distributions. */
export interface Distances {
  /** Half the sum of all differences of probability: 0 for equal ones, 1 for those that share no outcome. */
  totalVariation: number;
  /** The Hellinger distance, from 0 to 1 in the same way. Its square is 1 − Σ √(pq). */
  hellinger: number;
  /** The classical fidelity (Σ √(pq))²: the Bhattacharyya coefficient squared, from 1 to 0. */
  fidelity: number;
}

/**
 * Measures how far two distributions are apart, each of them given as counts or as probabilities.
 * One without outcomes shares none with any other.
 */
export function distancesOf(a: Distribution, b: Distribution): Distances {
  const [totalA, totalB] = [totalOf(a), totalOf(b)];
  if (totalA === 0 || totalB === 0) {
    const far = totalA === totalB ? 0 : 1;
    return { totalVariation: far, hellinger: far, fidelity: 1 - far };
  }
  let differences = 0;
  let squares = 0;
  let shared = 0;
  for (const outcome of outcomesOf(a)) {
    const p = a[outcome]! / totalA;
    const q = valueAt(b, outcome) / totalB;
    if (p > 0 && q > 0) shared++;
    differences += Math.abs(p - q);
    squares += (Math.sqrt(p) - Math.sqrt(q)) ** 2;
  }
  if (shared < outcomesOf(b).length)
    for (const outcome of outcomesOf(b)) {
      if (Object.hasOwn(a, outcome)) continue;
      const q = b[outcome]! / totalB;
      differences += q;
      squares += q;
    }
  const square = Math.min(1, squares / 2);
  return {
    totalVariation: Math.min(1, differences / 2),
    hellinger: Math.sqrt(square),
    fidelity: (1 - square) ** 2,
  };
}

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
