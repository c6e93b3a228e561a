import type { Philox } from "./philox.ts";

/**
 * Returns `count` independent uniform numbers of [0, 1) in ascending order, without a sort: the partial sums of
 * exponential gaps, divided by the sum of all (Devroye, Non-Uniform Random Variate Generation, 1986, chapter V).
 */
export function orderedUniforms(count: number, random: Philox, b: number, stream: number): Float64Array {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    sum -= Math.log1p(-random.uniform(i, b, stream));
    sums[i] = sum;
  }
  sum -= Math.log1p(-random.uniform(count, b, stream));
  for (let i = 0; i < count; i++) sums[i]! /= sum;
  return sums;
}

/** Returns the numbers 0 to `count` - 1 in random order, by the shuffle of Fisher and Yates (Knuth, volume 2, 3.4.2). */
export function permutation(count: number, random: Philox, b: number, stream: number): Uint32Array {
  const order = new Uint32Array(count);
  const uniform = random.sequence(b, stream);
  for (let i = 0; i < count; i++) {
    const j = Math.floor(uniform() * (i + 1));
    order[i] = order[j]!;
    order[j] = i;
  }
  return order;
}

/** Returns `count` numbers one after the other. */
export function numbersFrom(first: number, count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = first + i;
  return numbers;
}

/** Draws, in total and for each place of a list, from which on counting the draws of each place is faster. */
const MANY_DRAWS = 32_768;
const MANY_EACH = 8;

/**
 * Draws places of a list by their weights, which need not add up to 1; returns them in ascending order. Many draws are
 * counted place by place: each count is binomial, given those before it (Devroye, 1986, chapter XI).
 */
export function drawWeighted(
  weights: Float64Array,
  count: number,
  random: Philox,
  b: number,
  stream: number,
): Uint32Array {
  const places = new Uint32Array(count);
  let total = 0;
  for (const weight of weights) total += weight;
  let last = weights.length - 1;
  while (last > 0 && weights[last]! <= 0) last--;
  if (count < Math.max(MANY_DRAWS, MANY_EACH * weights.length)) {
    let at = 0;
    let cumulative = weights[0]!;
    const uniforms = orderedUniforms(count, random, b, stream);
    for (let i = 0; i < count; i++) {
      while (uniforms[i]! * total >= cumulative && at < last) cumulative += weights[++at]!;
      places[i] = at;
    }
    return places;
  }
  const uniform = random.sequence(b, stream);
  let left = total;
  for (let at = 0, drawn = 0; at <= last && drawn < count; at++) {
    const weight = weights[at]!;
    if (weight <= 0) continue;
    const found = at === last ? count - drawn : binomial(count - drawn, weight / left, uniform);
    places.fill(at, drawn, drawn + found);
    drawn += found;
    left -= weight;
  }
  return places;
}

/** A probability that is less is lost in the rounding of the sum of those before it. */
const ROUNDING = 1e-18;
/** Expected successes from which on a draw by rejection is quicker than a sum. */
const MANY_SUCCESSES = 10;

/**
 * Draws how many of `n` trials succeed that each do with probability `p`, from uniform random numbers: few by inversion
 * of the distribution, many by transformed rejection with squeeze (BTRS, Hörmann 1993).
 */
export function binomial(n: number, p: number, uniform: () => number): number {
  if (n === 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - binomial(n, 1 - p, uniform);
  return n * p < MANY_SUCCESSES ? byInversion(n, p, uniform()) : byRejection(n, p, uniform);
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

/** Part of a random number that must be left for it to decide again. */
const FINE = 2 ** -24;
/** Trials from which on drawing how many of them succeed is quicker than each by itself. */
const MANY_TRIALS = 10;

/**
 * Trials by uniform random numbers of [0, 1), each of which decides as many as it can. This is our own: a number that is
 * known to lie in an interval is uniform there, so its place in the interval decides the next trial.
 */
export class Trials {
  readonly #uniform: () => number;
  #rest = 0;
  /** The width of the interval in which the rest has been found. */
  #left = 0;

  constructor(uniform: () => number) {
    this.#uniform = uniform;
  }

  /** Draws whether a trial of this probability succeeds. */
  succeeds(probability: number): boolean {
    if (this.#left < FINE) {
      this.#rest = this.#uniform();
      this.#left = 1;
    }
    const isBelow = this.#rest < probability;
    const width = isBelow ? probability : 1 - probability;
    this.#rest = Math.min(1 - 2 ** -53, (isBelow ? this.#rest : this.#rest - probability) / width);
    this.#left *= width;
    return isBelow;
  }

  /** Draws how many of some trials of this probability succeed. */
  successes(trials: number, probability: number): number {
    if (trials >= MANY_TRIALS) return binomial(trials, probability, this.#uniform);
    let successes = 0;
    for (let i = 0; i < trials; i++) successes += Number(this.succeeds(probability));
    return successes;
  }
}

/** Returns the cumulative hazard of an event of this probability: `-ln(1 - p)`, which adds up over independent events. */
export function hazardOf(probability: number): number {
  return -Math.log1p(-Math.min(Math.max(0, probability), 1 - Number.EPSILON));
}

/** A smaller hazard never has an error, and can't be divided by. */
const NEGLIGIBLE = 1e-300;

/**
 * Places of errors along rows of equal hazards, one row after the other: each draw gives the distance to the next error,
 * which is exponential in hazard, so only errors cost a draw (as Stim does by geometric gaps: Gidney, 2021).
 */
export class ErrorGaps {
  /** Returns the next random number. */
  readonly uniform: () => number;
  /** The hazards that add up before the next error. */
  #left: number;

  /** Draws from uniform random numbers of [0, 1). */
  constructor(uniform: () => number) {
    this.uniform = uniform;
    this.#left = this.#gap();
  }

  /** Calls back for the places of a row of this hazard that have an error. */
  each(hazard: number, length: number, visit: (place: number) => void): void {
    if (hazard < NEGLIGIBLE) return;
    let at = this.#left / hazard;
    while (at < length) {
      const place = Math.floor(at);
      visit(place);
      at = place + 1 + this.#gap() / hazard;
    }
    this.#left = (at - length) * hazard;
  }

  #gap(): number {
    return -Math.log1p(-this.uniform());
  }
}
