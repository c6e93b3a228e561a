import { binomial } from "./binomial.ts";

/** Part of a random number that must be left for it to decide again. */
const FINE = 2 ** -24;
/** Trials from which on drawing how many of them succeed is quicker than each by itself. */
const MANY = 10;

/** Trials by uniform random numbers of [0, 1), each of which decides as many as it can. */
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
    if (trials >= MANY) return binomial(trials, probability, this.#uniform);
    let successes = 0;
    for (let i = 0; i < trials; i++) successes += Number(this.succeeds(probability));
    return successes;
  }
}
