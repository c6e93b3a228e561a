import { type Distribution, outcomesOf, totalOf, valueAt } from "./distribution.ts";
import { mapOutcomes } from "./layout.ts";
import { reverseSymbols } from "./outcome.ts";

/**
 * Measures how far two distributions are apart, each of them given as counts or as probabilities.
 * One without outcomes shares none with any other.
 *
 * @returns Half the sum of all differences of probability, and the Hellinger distance √(1 − Σ √(pq)): 0 for equal ones, 1 for
 *   those that share no outcome. The classical fidelity (Σ √(pq))², the Bhattacharyya coefficient squared, from 1 to 0.
 */
export function distancesOf(a: Distribution, b: Distribution) {
  const [totalA, totalB] = [totalOf(a), totalOf(b)];
  if (totalA === 0 || totalB === 0) {
    const far = totalA === totalB ? 0 : 1;
    return { totalVariation: far, hellinger: far, fidelity: 1 - far };
  }
  let differences = 0;
  let squares = 0;
  for (const outcome of outcomesOf(a)) {
    const p = a[outcome]! / totalA;
    const q = valueAt(b, outcome) / totalB;
    differences += Math.abs(p - q);
    squares += (Math.sqrt(p) - Math.sqrt(q)) ** 2;
  }
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

/** Share of shots that a device may spread over all outcomes alike before a likelihood suffers much. */
const noise = 0.2;
/** Minimum log-likelihood ratio of one order: ln 10^6. */
const minLogRatio = Math.log(1e6);
/** Minimum total variation distance between both orders; less may be a bias of the device. */
const minApart = 0.1;
/** Minimum ratio of the distance between both orders to the distance of the counts from the nearer one. */
const minNearness = 3;
const minFidelity = 0.5;

/**
 * Decides by the exact distribution of a program whether counts are written in its order, or mirrored.
 * `undefined` when the counts fit both, or neither. Decided is only what is 10^6 times likelier, with a fidelity of
 * 0.5 at least and a total variation of at most a third of that between the two orders, which is 0.1 at least.
 *
 * @param weight - Shots that a count of 1 stands for, where the counts are probabilities.
 */
export function areReversedCounts(
  counts: Distribution,
  exact: Distribution,
  weight = 1,
): boolean | undefined {
  const turned = mapOutcomes(exact, reverseSymbols);
  const apart = distancesOf(exact, turned).totalVariation;
  if (apart < minApart) return undefined;
  const ratio = weight * (logLikelihood(counts, turned) - logLikelihood(counts, exact));
  if (Math.abs(ratio) < minLogRatio) return undefined;
  const { totalVariation, fidelity } = distancesOf(counts, ratio > 0 ? turned : exact);
  if (fidelity < minFidelity || totalVariation * minNearness > apart) return undefined;
  return ratio > 0;
}

/** The logarithm of the likelihood of counts, of which a share is noise that is spread over all outcomes. */
function logLikelihood(counts: Distribution, exact: Distribution): number {
  const outcomes = outcomesOf(counts);
  const total = totalOf(exact);
  const background = noise / 2 ** (outcomes[0]?.length ?? 0);
  let sum = 0;
  for (const outcome of outcomes)
    sum += counts[outcome]! * Math.log(((1 - noise) * valueAt(exact, outcome)) / total + background);
  return sum;
}
