/** A hazard that is less never has an error, and is no number to divide by. */
const NEGLIGIBLE = 1e-300;

/**
 * Places of errors along rows of equal hazards, one row after the other: each draw gives how far it is to the next
 * error, so that an error costs a draw, and none nothing.
 */
export class ErrorGaps {
  readonly #uniform: () => number;
  /** The hazards that add up before the next error. */
  #left: number;

  /** Draws from uniform random numbers of [0, 1). */
  constructor(uniform: () => number) {
    this.#uniform = uniform;
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
    return -Math.log1p(-this.#uniform());
  }
}
