import type { Circuit } from "../circuit/circuit.ts";
import { dryRun } from "../execution/scheduler.ts";
import { memoized } from "../memoized.ts";
import type { Amplitudes } from "./amplitudes.ts";
import { StateVector } from "./state-vector.ts";

/** Counts amplitudes, and those that gates touch, without computing them. */
class CountedAmplitudes implements Amplitudes {
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

/** Positions that a dry run can number; what needs more fits into no memory. */
const MAX_POSITIONS = 30;

/** Cost of a state-vector simulation. */
interface DenseEstimate {
  /** Qubits that are in superposition at a time, not counting copies and parities of others. */
  readonly qubits: number;
  /** Amplitudes touched by all gates. */
  readonly touched: number;
  /** Elementary gates. */
  readonly operations: number;
}

/** Returns the cost of a state vector, or null if it depends on outcomes, or exceeds all memory. */
export const estimateDense = memoized((circuit: Circuit): DenseEstimate | null => {
  const counted = new CountedAmplitudes();
  const limits = { maxQubits: MAX_POSITIONS, maxBytes: Number.POSITIVE_INFINITY };
  const run = dryRun(circuit, meter => new StateVector(circuit.numQubits, limits, meter, counted));
  const { maxPositions, touched } = counted;
  return run?.isCertain ? { qubits: maxPositions, touched, operations: run.operations } : null;
});
