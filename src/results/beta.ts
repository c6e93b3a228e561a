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
export function betaQuantile(probability: number, a: number, b: number): number {
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
