import { DiagnosticError } from "../diagnostics/diagnostic.ts";

/**
 * Counts what a short text stands for and has no operation of its own: the steps of a gate's definition, the members
 * of slices, the calls of subroutines.
 */
export class Expansion {
  readonly #max: number;
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts so many; ends the lowering where all are too many, and says `what` stands for them. */
  add(count: number, at: number, what: () => string): void {
    this.check(count, at, what);
    this.#count += count;
  }

  /** Ends the lowering where so many more would be too many. */
  check(count: number, at: number, what: () => string): void {
    if (this.#count + count > this.#max)
      throw new DiagnosticError(
        at,
        `${what()}; that is beyond what a program may expand to, ${this.#max.toLocaleString("en-US")} steps in all.`,
        { isFatal: true, hint: "Repeat with a loop, or define less within each other." },
      );
  }

  /** Lowers what is only checked, which counts for nothing. */
  uncounted(lower: () => void): void {
    const before = this.#count;
    lower();
    this.#count = before;
  }
}
