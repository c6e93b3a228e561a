/** The mean of a term at one noise factor: 1 is the program as it is. */
export interface NoisyMean {
  readonly factor: number;
  readonly mean: number;
  readonly error: number;
}

/** The mean of a term without noise. */
export interface Extrapolation {
  readonly value: number;
  /** Derivative of the value by each mean. */
  readonly gradient: readonly number[];
  /** Half of the width of a bound; 0 for a fitted value, whose error follows from the gradient. */
  readonly bound: number;
  /** `fitted` by an exponential, `bounded` by the likelihood, or `misfit`: no decay describes the means. */
  readonly kind: "measured" | "fitted" | "bounded" | "misfit";
  /** Decay of the mean by each factor of noise; null where it is not fitted. */
  readonly rate: number | null;
}

/** Standard errors beyond which a mean tells its sign. */
const RESOLVED = 3;
/** Growth by extrapolation up to which the largest factors may be left out that do not tell the sign. */
const NEAR = 1.5;
/** Deviation of chi-squared, for one value, within which 95 % are. */
const WITHIN_95 = 3.84;
/** Chi-squared per degree of freedom beyond which no decay describes the means. */
const MISFIT = 9;
/** Rates of decay, per factor of noise, that a bound is sought at. */
const RATES = [0, ...Array.from({ length: 140 }, (_, i) => 0.001 * 1.075 ** i)];

/** Extrapolates means to no noise: A·e^(−bx) where all of them tell the same sign, else what the likelihood leaves possible. */
export function extrapolate(means: readonly NoisyMean[]): Extrapolation {
  const [first] = means as [NoisyMean];
  if (means.length === 1) return { value: first.mean, gradient: [1], bound: 0, kind: "measured", rate: null };
  const sign = Math.sign(first.mean);
  const untold = means.findIndex(({ mean, error }) => sign * mean <= RESOLVED * error);
  const used = untold < 0 ? means : means.slice(0, untold);
  const fitted = used.length > 1 ? fitDecay(used) : undefined;
  const isNear = fitted !== undefined && (untold < 0 || Math.exp(fitted.found.rate) <= NEAR);
  if (isNear) {
    const { found, misfit } = fitted;
    const gradient = means.map((_, i) => found.gradient[i] ?? 0);
    if (misfit <= MISFIT * Math.max(1, used.length - 2))
      return { ...found, gradient, bound: 0, kind: "fitted" };
    const nearest = fitDecay(used.slice(0, 2));
    if (nearest) {
      const bound = Math.abs(nearest.found.value - found.value);
      return { ...found, gradient, bound, kind: "misfit" };
    }
  }
  return boundDecay(means);
}

/** Fits A·e^(−bx) by least squares. Undefined where that finds no end. */
function fitDecay(means: readonly NoisyMean[]) {
  const sign = Math.sign(means[0]!.mean);
  let [size, rate] = logarithmicFit(means);
  for (let step = 0; step < 30; step++) {
    const sums = normalEquations(means, sign * size, rate);
    const { determinant, aa, ab, bb, ra, rb } = sums;
    if (!(determinant > 0)) return undefined;
    const [da, db] = [(bb * ra - ab * rb) / determinant, (aa * rb - ab * ra) / determinant];
    size += sign * da;
    rate += db;
    if (Math.abs(da) + Math.abs(db) < 1e-12) break;
  }
  if (!(size > 0) || !Number.isFinite(rate)) return undefined;
  const value = sign * size;
  const { determinant, ab, bb } = normalEquations(means, value, rate);
  const gradient = means.map(({ factor, error }) => {
    const [a, b] = slopes(value, rate, factor);
    return (bb * a - ab * b) / (determinant * error * error);
  });
  const misfit = means.reduce(
    (sum, { factor, mean, error }) => sum + ((mean - value * Math.exp(-rate * factor)) / error) ** 2,
    0,
  );
  return { found: { value, gradient, rate }, misfit };
}

function logarithmicFit(means: readonly NoisyMean[]): [size: number, rate: number] {
  let [w, wx, wxx, wy, wxy] = [0, 0, 0, 0, 0];
  for (const { factor: x, mean, error } of means) {
    const weight = (mean / error) ** 2;
    const y = Math.log(Math.abs(mean));
    w += weight;
    wx += weight * x;
    wxx += weight * x * x;
    wy += weight * y;
    wxy += weight * x * y;
  }
  const slope = (w * wxy - wx * wy) / (w * wxx - wx * wx);
  return [Math.exp((wy - slope * wx) / w), -slope];
}

/** Derivatives of A·e^(−bx) by A and b. */
function slopes(value: number, rate: number, factor: number): [number, number] {
  const decay = Math.exp(-rate * factor);
  return [decay, -value * factor * decay];
}

function normalEquations(means: readonly NoisyMean[], value: number, rate: number) {
  let [aa, ab, bb, ra, rb] = [0, 0, 0, 0, 0];
  for (const { factor, mean, error } of means) {
    const weight = 1 / (error * error);
    const [a, b] = slopes(value, rate, factor);
    const rest = mean - value * a;
    aa += weight * a * a;
    ab += weight * a * b;
    bb += weight * b * b;
    ra += weight * a * rest;
    rb += weight * b * rest;
  }
  return { aa, ab, bb, ra, rb, determinant: aa * bb - ab * ab };
}

/**
 * Bounds A of A·e^(−bx), |A| ≤ 1 and b ≥ 0, by the profile of the likelihood. Means that no such decay describes leave all
 * values possible.
 */
function boundDecay(means: readonly NoisyMean[]): Extrapolation {
  const parabolas = RATES.map(rate => {
    let [aa, ar, rr] = [0, 0, 0];
    for (const { factor, mean, error } of means) {
      const decay = Math.exp(-rate * factor) / error;
      aa += decay * decay;
      ar += (decay * mean) / error;
      rr += (mean / error) ** 2;
    }
    const best = Math.max(-1, Math.min(1, ar / aa));
    return { aa, ar, rr, best, least: rr - 2 * best * ar + best * best * aa };
  });
  const least = Math.min(...parabolas.map(parabola => parabola.least));
  let [low, high] = [1, -1];
  const isMisfit = least > MISFIT * Math.max(1, means.length - 2);
  if (isMisfit) [low, high] = [-1, 1];
  else
    for (const { aa, ar, rr } of parabolas) {
      const middle = ar / aa;
      const room = (least + WITHIN_95 - rr) / aa + middle * middle;
      if (room < 0) continue;
      const from = Math.max(-1, middle - Math.sqrt(room));
      const to = Math.min(1, middle + Math.sqrt(room));
      if (from > to) continue;
      low = Math.min(low, from);
      high = Math.max(high, to);
    }
  return {
    value: (low + high) / 2,
    gradient: means.map(() => 0),
    bound: (high - low) / 2,
    kind: isMisfit ? "misfit" : "bounded",
    rate: null,
  };
}
