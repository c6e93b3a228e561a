export const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** The mean of a term at one noise factor: 1 is the program as it is. */
export interface NoisyMean {
  readonly factor: number;
  readonly mean: number;
  readonly error: number;
}

export interface Extrapolation {
  readonly value: number;
  /** Change of the value with each mean, as far as its error may move it. */
  readonly gradient: readonly number[];
  /** The same for small changes, once the value is resolved. */
  readonly slopes: readonly number[];
  /** Half of the width of a bound; 0 for a fitted value. */
  readonly bound: number;
  /** `fitted` by an exponential, `bounded` by the likelihood, or `misfit`: no decay describes the means. */
  readonly kind: "measured" | "fitted" | "bounded" | "misfit";
}

/** Rate of decay of most terms of a program, and how far from it that of one may be, as a standard error. */
interface UsualRate {
  readonly rate: number;
  readonly spread: number;
}

/** Spread of rates, to the usual one, and by the largest factor. */
const SPREAD = 2;
const LEAST_SPREAD = 0.3;
/** Standard errors by which an extrapolated value exceeds 0; of others there is only a bound. */
const RESOLVED = 5;
/** Deviation of chi-squared, for one value, within which 95 % are. */
const WITHIN_95 = 3.84;
/** Chi-squared per degree of freedom beyond which no decay describes the means. */
const MISFIT = 9;
/** Steps of a fit at most, and the distance of rates that its derivatives are taken over. */
const STEPS = 50;
const NEAR = 1e-4;
/** Standard errors that a mean is moved by to see how the value follows. */
const STEP = 1.3;
/** Slope over a standard error, to that of small changes, that is planned with at most. */
const MOST_BENT = 2;
/** Rates of decay, per factor of noise, that a bound is sought at. */
const RATES = [0, ...Array.from({ length: 140 }, (_, i) => 0.001 * 1.075 ** i)];

/**
 * Extrapolates means to no noise: to A of A·e^(−bx) where that is resolved, else to what the likelihood leaves possible. The
 * gradient is that over a standard error on both sides, as a mean on the verge of being resolved may change the value much.
 */
export function extrapolate(means: readonly NoisyMean[], usual?: UsualRate): Extrapolation {
  const [first] = means as [NoisyMean];
  if (means.length === 1)
    return { value: first.mean, gradient: [1], slopes: [1], bound: 0, kind: "measured" };
  const found = decayOf(means, usual);
  const gradient = gradientOf(means, STEP, usual);
  if (found.kind === "bounded") return { ...found, gradient, slopes: usualSlopes(means) };
  const near = gradientOf(means, 0.01, usual);
  const slopes = gradient.map(
    (slope, i) => Math.min(Math.abs(slope), MOST_BENT * Math.abs(near[i]!)) * Math.sign(near[i]!),
  );
  return { ...found, gradient, slopes };
}

/** Returns the change of the value with each mean, over the given standard errors on both sides. */
const gradientOf = (means: readonly NoisyMean[], step: number, usual?: UsualRate): number[] =>
  means.map((own, place) => {
    const by = step * own.error;
    const valueAt = (mean: number) => decayOf(means.with(place, { ...own, mean }), usual).value;
    return (valueAt(own.mean + by) - valueAt(own.mean - by)) / (2 * by);
  });

/** Returns the slopes of an extrapolation from means that are well known, and decay as far as is best for it. */
export function usualSlopes(factors: readonly { readonly factor: number }[]): readonly number[] {
  const reach = Math.max(1, factors.at(-1)!.factor - 1);
  const means = factors.map(({ factor }) => ({ factor, mean: Math.exp(-factor / reach), error: 0.01 }));
  return means.length === 1 ? [1] : gradientOf(means, 1);
}

/**
 * Returns the usual rate of decay: that of a sum of means which have the same sign at the first factor. Where their decay is not
 * resolved, as of means near 0, it is the one of the calibration.
 */
export function usualRate(
  lists: readonly (readonly NoisyMean[])[],
  calibrated?: number,
): UsualRate | undefined {
  const summed = lists[0]!.map(({ factor }, i) => ({
    factor,
    mean: total(lists.map(means => Math.sign(means[0]!.mean) * means[i]!.mean)),
    error: Math.hypot(...lists.map(means => means[i]!.error)),
  }));
  const fitted = summed.length > 1 ? fitDecay(summed, profileOf(summed)) : undefined;
  const isResolved = fitted && fitted.value > RESOLVED * fitted.error;
  const rate = isResolved ? Math.max(0, fitted.rate) : calibrated;
  if (rate === undefined) return undefined;
  return { rate, spread: Math.max(SPREAD * rate, LEAST_SPREAD / summed.at(-1)!.factor) };
}

type Decay = Omit<Extrapolation, "gradient" | "slopes">;

function decayOf(means: readonly NoisyMean[], usual?: UsualRate): Decay {
  const profile = profileOf(means, usual);
  const fitted = fitDecay(means, profile, usual);
  if (!fitted || fitted.error * RESOLVED > Math.abs(fitted.value)) return boundDecay(means, profile);
  const { value, misfit } = fitted;
  if (misfit <= MISFIT * Math.max(1, means.length - 2)) return { value, bound: 0, kind: "fitted" };
  const nearest = fitDecay(means.slice(0, 2), profile, usual);
  return nearest
    ? { value, bound: Math.abs(nearest.value - value), kind: "misfit" }
    : boundDecay(means, profile);
}

const unusual = (rate: number, usual?: UsualRate): number =>
  usual ? ((rate - usual.rate) / usual.spread) ** 2 : 0;

type Parabola = ReturnType<typeof parabolaAt>;

/** Returns the deviation of A·e^(−bx) from the means, a parabola in A: its lowest value, and the least for |A| ≤ 1. */
function parabolaAt(rate: number, means: readonly NoisyMean[], usual?: UsualRate) {
  let [aa, ar, rr] = [0, 0, unusual(rate, usual)];
  for (const { factor, mean, error } of means) {
    const decay = Math.exp(-rate * factor) / error;
    aa += decay * decay;
    ar += (decay * mean) / error;
    rr += (mean / error) ** 2;
  }
  const middle = ar / aa;
  const lowest = rr - ar * middle;
  return { rate, curvature: aa, middle, lowest, least: lowest + aa * Math.max(0, Math.abs(middle) - 1) ** 2 };
}

const profileOf = (means: readonly NoisyMean[], usual?: UsualRate): Parabola[] =>
  RATES.map(rate => parabolaAt(rate, means, usual));

const lowestOf = (profile: readonly Parabola[]): Parabola =>
  profile.reduce((best, parabola) => (parabola.least < best.least ? parabola : best));

/** Fits A·e^(−bx) by Newton's method in b, whose parabola has the best A. Undefined where that finds no end. */
function fitDecay(means: readonly NoisyMean[], profile: readonly Parabola[], usual?: UsualRate) {
  let { rate } = lowestOf(profile);
  for (let step = 0; step < STEPS; step++) {
    const here = parabolaAt(rate, means, usual);
    const below = parabolaAt(rate - NEAR, means, usual);
    const above = parabolaAt(rate + NEAR, means, usual);
    const bend = (above.lowest - 2 * here.lowest + below.lowest) / NEAR ** 2;
    if (!(bend > 0)) return undefined;
    const move = (above.lowest - below.lowest) / (2 * NEAR * bend);
    if (Math.abs(move) < NEAR ** 2) {
      const slope = (above.middle - below.middle) / (2 * NEAR);
      const error = Math.sqrt(1 / here.curvature + (2 * slope ** 2) / bend);
      return { value: here.middle, rate, error, misfit: here.lowest - unusual(rate, usual) };
    }
    rate -= move;
  }
  return undefined;
}

/** Bounds A by the profile of the likelihood. Means that no decay describes leave all values possible. */
function boundDecay(means: readonly NoisyMean[], profile: readonly Parabola[]): Decay {
  const { least } = lowestOf(profile);
  const isMisfit = least > MISFIT * Math.max(1, means.length - 2);
  let [low, high] = isMisfit ? [-1, 1] : [1, -1];
  for (const { curvature, middle, lowest } of profile) {
    const room = (least + WITHIN_95 - lowest) / curvature;
    if (!(room >= 0)) continue;
    const [from, to] = [Math.max(-1, middle - Math.sqrt(room)), Math.min(1, middle + Math.sqrt(room))];
    if (from <= to) [low, high] = [Math.min(low, from), Math.max(high, to)];
  }
  return { value: (low + high) / 2, bound: (high - low) / 2, kind: isMisfit ? "misfit" : "bounded" };
}
