import type { Amplitudes } from "./amplitudes.ts";

/** Amplitudes that nobody computes: how many there would be, and how many of them gates would touch. */
export class CountedAmplitudes implements Amplitudes {
  numPositions = 0;
  /** The largest number of positions that there has been. */
  maxPositions = 0;
  /** Amplitudes touched by all gates so far. */
  touched = 0;
  readonly bytes = 0;

  addQubit(): void {
    this.numPositions++;
    this.maxPositions = Math.max(this.maxPositions, this.numPositions);
  }

  matrix(): void {
    this.touched += 2 ** this.numPositions;
  }

  phase(): void {
    this.touched += 2 ** this.numPositions;
  }

  controlledX(): void {
    this.touched += 2 ** this.numPositions;
  }

  weights(): { zero: number; one: number } {
    return { zero: 1, one: 1 };
  }

  project(): Amplitudes {
    this.numPositions--;
    return this;
  }

  copy(): Amplitudes {
    return this;
  }

  release(): void {}

  marginal(): never {
    throw notComputed();
  }

  draw(): never {
    throw notComputed();
  }

  overlaps(): never {
    throw notComputed();
  }

  planes(): never {
    throw notComputed();
  }
}

const notComputed = () => new Error("These amplitudes are counted, not computed.");
