import type { PauliString, PauliSum } from "./quantum-state.ts";

/** The expectation value of an observable in the final states of a run. */
export interface ObservableMean {
  readonly value: number;
  /** The variance of the value from shot to shot; 0 where it is exact. */
  readonly variance: number;
  /** Shots of the run; 0 where the value is exact. */
  readonly shots: number;
  /** The final states that are known by their shots only. Missing where the value is exact. */
  readonly drawn?: DrawnStates;
}

/** Values of an observable in final states that were drawn, and may be a sample of many more. */
export interface DrawnStates {
  /** The probability of all such states, seen or not. */
  readonly share: number;
  /** Shots that ended in one. */
  readonly shots: number;
  readonly mean: number;
  readonly variance: number;
}

/** Expected shots from which on a final state of known probability is sure to be seen. */
export const SURE_SHOTS = 10;
/** Probability that is rounding. */
const ROUNDING = 1e-9;

/** Sums of an observable's values and their squares, each value times its weight. */
interface Sums {
  first: number;
  second: number;
}

/**
 * Gathers the expectation values of observables over the final states of a run. States that are sure to be seen count by
 * their probability; only the others depend on the shots. This is stratified sampling (Cochran, Sampling Techniques, 5):
 * the strata of known weight have no variance, and the rest is one stratum.
 */
export class ExpectationTally {
  /** The Pauli strings of all observables, each once. */
  readonly strings: readonly PauliString[];
  readonly #terms: readonly (readonly { coefficient: number; place: number }[])[];
  readonly #shots: number;
  readonly #known = { weight: 0, sums: [] as Sums[] };
  readonly #drawn = { weight: 0, sums: [] as Sums[] };

  /** Begins a run of some shots; 0 for an exact one. */
  constructor(observables: readonly PauliSum[], shots: number) {
    const places = new Map<string, number>();
    const strings: PauliString[] = [];
    this.#terms = observables.map(sum =>
      sum.map(({ coefficient, string }) => {
        const key = string.map(({ qubit, pauli }) => `${pauli}${qubit}`).join();
        if (!places.has(key)) places.set(key, strings.push(string) - 1);
        return { coefficient, place: places.get(key)! };
      }),
    );
    this.strings = strings;
    this.#shots = shots;
    for (const part of [this.#known, this.#drawn])
      part.sums = observables.map(() => ({ first: 0, second: 0 }));
  }

  /**
   * Adds the values of the strings in a final state, which has this share of all shots, and this probability; 0 where it
   * is unknown.
   */
  add(values: readonly number[], share: number, probability: number): void {
    const sure = Math.min(SURE_SHOTS, this.#shots * (1 - ROUNDING));
    const isKnown = probability * this.#shots >= sure;
    const part = isKnown ? this.#known : this.#drawn;
    const weight = isKnown ? probability : share;
    part.weight += weight;
    this.#terms.forEach((terms, i) => {
      let value = 0;
      for (const { coefficient, place } of terms) value += coefficient * values[place]!;
      part.sums[i]!.first += weight * value;
      part.sums[i]!.second += weight * value * value;
    });
  }

  /** Returns the means; those of states that are all known are exact. */
  means(): ObservableMean[] {
    const [known, drawn] = [this.#known, this.#drawn];
    const share = Math.max(0, 1 - known.weight);
    const isExact = this.#shots === 0 || (drawn.weight === 0 && share < ROUNDING);
    return this.#terms.map((terms, i) => {
      const of = known.sums[i]!;
      if (isExact) return { value: of.first / known.weight, variance: 0, shots: 0 };
      const seen = drawn.weight || 1;
      const { first, second } = drawn.sums[i]!;
      const middle = terms.reduce(
        (sum, { coefficient, place }) => sum + (this.strings[place]!.length === 0 ? coefficient : 0),
        0,
      );
      const mean = drawn.weight > 0 ? first / seen : middle;
      const value = of.first + share * mean;
      return {
        value,
        variance: Math.max(0, of.second + (share * second) / seen - value * value),
        shots: this.#shots,
        drawn: {
          share,
          shots: Math.round(drawn.weight * this.#shots),
          mean,
          variance: Math.max(0, second / seen - mean * mean),
        },
      };
    });
  }
}
