import { type Distribution, outcomesOf, put, totalOf } from "./distribution.ts";

/** The normal quantile of a two-sided 95 % interval. */
const z95 = 1.959963984540054;

/** A range of probability, within 0 to 1. */
export interface Interval {
  /** The lower end. */
  readonly low: number;
  /** The upper end. */
  readonly high: number;
}

/**
 * The 95 % Wilson score interval of the probability of an outcome seen `count` times in `shots` shots.
 * Unlike the interval `p ± 1.96 √(p(1−p)/n)`, it keeps its promise for rare outcomes and few shots
 * (E. B. Wilson, J. Am. Stat. Assoc. 22, 209, 1927). From 0 to 1 when there are no shots.
 */
export function wilsonInterval(count: number, shots: number, z: number = z95): Interval {
  if (!(shots > 0)) return { low: 0, high: 1 };
  const p = count / shots;
  const spread = 1 + (z * z) / shots;
  const centre = (p + (z * z) / (2 * shots)) / spread;
  const reach = (z / spread) * Math.sqrt((p * (1 - p)) / shots + (z * z) / (4 * shots * shots));
  return {
    low: count === 0 ? 0 : Math.max(0, centre - reach),
    high: count === shots ? 1 : Math.min(1, centre + reach),
  };
}

/** Values of shots: their mean and variance, and what they may be: at most `reach` from `middle`. */
export interface Sample {
  mean: number;
  variance: number;
  middle: number;
  reach: number;
  /** How many values there are. */
  size: number;
}

/**
 * The Wilson interval of a mean: with two possible values that of their probability, and wider than 0 wherever values
 * may differ, even where all of them agree.
 */
export function meanInterval({ mean, variance, middle, reach, size }: Sample, z: number = z95): Interval {
  const pull = (z * z) / size;
  const centre = (mean + pull * middle) / (1 + pull);
  const half = (z * Math.sqrt(variance / size + (pull * reach * reach) / size)) / (1 + pull);
  return {
    low: Math.min(mean, Math.max(middle - reach, centre - half)),
    high: Math.max(mean, Math.min(middle + reach, centre + half)),
  };
}

/** The 95 % Wilson interval of every outcome. Outcomes of the same count share one object. */
export function intervalsOf(counts: Distribution): { readonly [outcome: string]: Interval } {
  const shots = totalOf(counts);
  const known = new Map<number, Interval>();
  const intervals: { [outcome: string]: Interval } = {};
  for (const outcome of outcomesOf(counts)) {
    const count = counts[outcome]!;
    let interval = known.get(count);
    if (!interval) {
      interval = Object.freeze(wilsonInterval(count, shots));
      known.set(count, interval);
    }
    put(intervals, outcome, interval);
  }
  return intervals;
}
