import { type Distribution, distancesOf } from "../../results/index.ts";

/** The probability with which a right answer fails a test of samples. */
export const FALSE_FAIL_RATE = 1e-6;

export interface DistributionTest {
  readonly passed: boolean;
  /** Half the sum of all differences between the shares found and the probabilities wanted. */
  readonly distance: number;
  /** Bound on the distance of a right answer, except at the stated rate; 0 for exact probabilities. */
  readonly bound: number;
  readonly shots: number;
  readonly shares: Distribution;
}

const FIRST_SHOTS = 2000;
const MAX_SHOTS = 4_000_000;

/**
 * Tests by samples whether a program has a distribution, with more shots until it is decided. A right answer fails with a
 * probability of at most {@link FALSE_FAIL_RATE} over all rounds, and one that is off by more than the tolerance passes with no
 * more: in round `k` the distance of `n` shots from their distribution over `m` outcomes is below
 * √((m ln 2 + ln(1/α)) / 2n) with the probability 1 − α (Weissman et al., 2003), and α is the rate over 2^k.
 *
 * @param sample - Runs the program with so many shots and another seed each time, and returns the counts.
 * @internal
 */
export function testSamples(
  wanted: Distribution,
  tolerance: number,
  sample: (shots: number, round: number) => Distribution,
): DistributionTest {
  const support = Object.keys(wanted);
  for (let round = 1, shots = FIRST_SHOTS; ; round++, shots = Math.min(4 * shots, MAX_SHOTS)) {
    const counts = sample(shots, round);
    const shares = Object.fromEntries(
      Object.entries(counts).map(([outcome, count]) => [outcome, count / shots]),
    );
    const grouped = Object.fromEntries(support.map(outcome => [outcome, shares[outcome] ?? 0]));
    const rest = 1 - Object.values(grouped).reduce((sum, share) => sum + share, 0);
    const distance = distancesOf(wanted, { ...grouped, rest: Math.max(0, rest) }).totalVariation;
    const alpha = FALSE_FAIL_RATE / 2 ** round;
    const bound = Math.sqrt(((support.length + 1) * Math.LN2 - Math.log(alpha)) / (2 * shots));
    const found = { distance, bound, shots, shares };
    if (distance > bound) return { passed: false, ...found };
    if (distance + bound <= tolerance || shots >= MAX_SHOTS)
      return { passed: distance + bound <= tolerance, ...found };
  }
}

/** The least tolerance that samples can decide over so many outcomes. @internal */
export const leastTolerance = (outcomes: number): number =>
  2 * Math.sqrt(((outcomes + 1) * Math.LN2 - Math.log(FALSE_FAIL_RATE / 2 ** 7)) / (2 * MAX_SHOTS));
