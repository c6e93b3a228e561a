import type { PauliString, PauliSum } from "./pauli-string.ts";

/** The expectation value of an observable in the final states of a run. */
export interface ObservableMean {
  readonly value: number;
  /** The variance of the value from shot to shot; 0 where all shots end in one state. */
  readonly variance: number;
  /** Shots whose final states were drawn at random, and of which the value is the mean; 0 where it is exact. */
  readonly shots: number;
}

/** Gathers the expectation values of observables over the final states of a run. */
export class ExpectationTally {
  /** The Pauli strings of all observables, each once. */
  readonly strings: readonly PauliString[];
  readonly #terms: readonly (readonly { coefficient: number; place: number }[])[];
  readonly #means: Float64Array;
  readonly #squares: Float64Array;
  #weight = 0;
  #maxShare = 0;

  constructor(observables: readonly PauliSum[]) {
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
    this.#means = new Float64Array(observables.length);
    this.#squares = new Float64Array(observables.length);
  }

  /** Adds the values of the strings in a final state, which has this share of all shots or probability. */
  add(values: readonly number[], share: number): void {
    this.#weight += share;
    this.#maxShare = Math.max(this.#maxShare, share);
    this.#terms.forEach((terms, i) => {
      let value = 0;
      for (const { coefficient, place } of terms) value += coefficient * values[place]!;
      const difference = value - this.#means[i]!;
      this.#means[i]! += (share / this.#weight) * difference;
      this.#squares[i]! += share * difference * (value - this.#means[i]!);
    });
  }

  /** Returns the means; those of states in which all shots end alike are exact, unless errors were drawn for them. */
  means(shots: number, drawsErrors: boolean): ObservableMean[] {
    const isDrawn = drawsErrors || this.#maxShare < this.#weight;
    return Array.from(this.#means, (value, i) => ({
      value,
      variance: shots > 0 && isDrawn ? this.#squares[i]! / this.#weight : 0,
      shots: isDrawn ? shots : 0,
    }));
  }
}
