import { type Distribution, outcomesOf, put, totalOf } from "./distribution.ts";

/** Probability that a value is beyond one end of an interval, at most. */
const TAIL = 0.025;
const PROBABILITIES = { middle: 0.5, reach: 0.5 };

export const intervalWords = "intervals of at least 95%";
export const intervalLabel = "Interval (at least 95%)";

/** A range of probability, within 0 to 1. */
export interface Interval {
  /** The lower end. */
  readonly low: number;
  /** The upper end. */
  readonly high: number;
}

/** Source of a distribution: counts, or probabilities, of a state that may be approximate. */
export interface Accuracy {
  /** Whether the values are probabilities. */
  readonly exact: boolean;
  /** Estimated fidelity of the state. Default: 1. */
  readonly fidelity?: number | null | undefined;
  /** Share of the outcomes that is shown, the likeliest. Default: 1. */
  readonly chosen?: number;
}

/** Range of values: at most `reach` from `middle`. */
export interface Bounds {
  middle: number;
  reach: number;
}

/** Values of shots: their mean and variance, and what they may be. */
export interface Sample extends Bounds {
  mean: number;
  variance: number;
  size: number;
}

/**
 * The upper limit of a mean whose values are at most `most`, in 97.5 % of all samples at least. The variance is taken for
 * that of two values, of which the larger is `most`; where it is, the limit is that of Clopper and Pearson.
 */
function upperLimit(mean: number, variance: number, most: number, size: number): number {
  const room = most - mean;
  if (!(room > 0 && size > 0)) return most;
  const odds = variance / (room * room);
  const below = size / (1 + odds);
  return most - room * (1 + odds) * betaQuantile(TAIL, below, size - below + 1);
}

/**
 * The interval of a mean of bounded values, which contains the true mean in at least 95 % of all samples. With two
 * possible values it is the one of Clopper and Pearson; it is wider than 0 even where all values agree.
 */
export function meanInterval({ mean, variance, middle, reach, size }: Sample): Interval {
  return {
    low: Math.min(mean, -upperLimit(-mean, variance, reach - middle, size)),
    high: Math.max(mean, upperLimit(mean, variance, middle + reach, size)),
  };
}

/**
 * The interval of the probability of an outcome seen `count` times in `shots` shots: at least 95 % of those shown contain
 * it. It is the one of Clopper and Pearson, whose lower end allows for the fact that only outcomes that were seen are
 * shown, and of these perhaps a share that was `chosen` for its counts (Y. Benjamini and D. Yekutieli, J. Am. Stat. Assoc.
 * 100, 71, 2005). From 0 to 1 when there are no shots.
 */
export function countInterval(count: number, shots: number, chosen = 1): Interval {
  if (!(shots > 0)) return { low: 0, high: 1 };
  const share = Math.min(1, count / shots);
  const sample = { mean: share, variance: share * (1 - share), ...PROBABILITIES, size: shots };
  let { low, high } = meanInterval(sample);
  if (count <= 1) low = 0;
  for (let before = 1; low > 0 && before - low > 1e-9 * low; ) {
    before = low;
    const seen = -Math.expm1(shots * Math.log1p(-low));
    low = betaQuantile(TAIL * seen * chosen, count, shots - count + 1);
  }
  return { low, high };
}

/** Widens the interval of a mean in an approximate state by the error that its fidelity allows. */
export function widened(interval: Interval, { middle, reach }: Bounds, fidelity: number): Interval {
  if (fidelity === 1 || reach === 0) return interval;
  const angle = 2 * Math.asin(Math.sqrt(1 - fidelity));
  const turned = (value: number, by: number) => {
    const from = Math.acos(Math.max(-1, Math.min(1, (value - middle) / reach)));
    return middle + reach * Math.cos(Math.max(0, Math.min(Math.PI, from + by)));
  };
  return { low: turned(interval.low, angle), high: turned(interval.high, -angle) };
}

/** Whether values are exact: probabilities of a state that is not approximate. */
export const isExactly = ({ exact, fidelity }: Accuracy): boolean => exact && (fidelity ?? 1) === 1;

/** Returns the interval of each value of a distribution; null where they are exact. Equal values share one object. */
export function intervalRule(total: number, accuracy: Accuracy): ((value: number) => Interval) | null {
  if (isExactly(accuracy)) return null;
  const known = new Map<number, Interval>();
  return value => {
    let interval = known.get(value);
    if (!interval) {
      const sampled = accuracy.exact
        ? { low: value, high: value }
        : countInterval(value, total, accuracy.chosen);
      interval = Object.freeze(widened(sampled, PROBABILITIES, accuracy.fidelity ?? 1));
      known.set(value, interval);
    }
    return interval;
  };
}

/** The interval of every outcome; empty where values are exact. */
export function intervalsOf(
  values: Distribution,
  accuracy: Accuracy,
): { readonly [outcome: string]: Interval } {
  const intervals: { [outcome: string]: Interval } = {};
  const rule = intervalRule(totalOf(values), accuracy);
  if (rule) for (const outcome of outcomesOf(values)) put(intervals, outcome, rule(values[outcome]!));
  return intervals;
}

/** Accuracy of quantiles, relative to their size. */
const TOLERANCE = 1e-11;
const MAX_STEPS = 200;
const MAX_FRACTIONS = 1e6;

/** ln Γ(x) for x > 0, by Stirling's series. */
function lnGamma(x: number): number {
  let shift = 0;
  for (; x < 10; x++) shift += Math.log(x);
  const y = 1 / (x * x);
  const series = (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y / 1680))) / x;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series - shift;
}

/** Continued fraction of the incomplete beta function, by Lentz's method; converges quickly for x < (a + 1) / (a + b + 2). */
function fraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let product = d;
  for (let m = 1; m < MAX_FRACTIONS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    product *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    product *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return product;
}

/** The value that a beta-distributed number is below with a probability; a and b are positive. */
function betaQuantile(probability: number, a: number, b: number): number {
  const scale = lnGamma(a + b) - lnGamma(a) - lnGamma(b);
  let [least, most] = [0, 1];
  let x = a / (a + b);
  for (let step = 0; step < MAX_STEPS; step++) {
    const power = Math.exp(scale + a * Math.log(x) + b * Math.log1p(-x));
    const below =
      x < (a + 1) / (a + b + 2) ? (power * fraction(x, a, b)) / a : 1 - (power * fraction(1 - x, b, a)) / b;
    if (below < probability) least = x;
    else most = x;
    const newton = x - ((below - probability) * x * (1 - x)) / power;
    const next = newton > least && newton < most ? newton : (least + most) / 2;
    if (Math.abs(next - x) <= TOLERANCE * next) return next;
    x = next;
  }
  return x;
}
