/** A probability that is less is lost in the rounding of the sum of those before it. */
const ROUNDING = 1e-18;
/** Expected successes from which on a draw by rejection is quicker than a sum. */
const MANY = 10;

/**
 * Draws how many of `n` trials succeed that each do with probability `p`, from uniform random numbers: few by inversion
 * of the distribution, many by transformed rejection with squeeze (BTRS, Hörmann 1993).
 */
export function binomial(n: number, p: number, uniform: () => number): number {
  if (n === 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - binomial(n, 1 - p, uniform);
  return n * p < MANY ? byInversion(n, p, uniform()) : byRejection(n, p, uniform);
}

function byInversion(n: number, p: number, uniform: number): number {
  const odds = p / (1 - p);
  let share = Math.exp(n * Math.log1p(-p));
  let left = uniform - share;
  let k = 0;
  while (left >= 0 && k < n && share > ROUNDING) {
    k++;
    share *= (odds * (n - k + 1)) / k;
    left -= share;
  }
  return k;
}

function byRejection(n: number, p: number, uniform: () => number): number {
  const deviation = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const center = n * p + 0.5;
  const squeeze = 0.92 - 4.2 / b;
  const alpha = (2.83 + 5.1 / b) * deviation;
  const odds = p / (1 - p);
  const mode = Math.floor((n + 1) * p);
  for (;;) {
    const u = uniform() - 0.5;
    const v = uniform();
    const distance = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / distance + b) * u + center);
    if (distance >= 0.07 && v <= squeeze) return k;
    if (k < 0 || k > n) continue;
    const bound =
      (mode + 0.5) * Math.log((mode + 1) / (odds * (n - mode + 1))) +
      (n + 1) * Math.log((n - mode + 1) / (n - k + 1)) +
      (k + 0.5) * Math.log((odds * (n - k + 1)) / (k + 1)) +
      stirlingTail(mode) +
      stirlingTail(n - mode) -
      stirlingTail(k) -
      stirlingTail(n - k);
    if (Math.log((v * alpha) / (a / (distance * distance) + b)) <= bound) return k;
  }
}

/** Returns the remainder of Stirling's approximation of log k!. */
function stirlingTail(k: number): number {
  let over = 0;
  let x = k + 1;
  // ln x! recurs exactly up to where the series is exact to rounding.
  for (; x < 10; x++) over += (x + 0.5) * Math.log1p(1 / x) - 1;
  const square = x * x;
  return over + (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / x;
}
