import type { Circuit } from "../circuit/circuit.ts";
import { dryRun } from "../execution/run-program.ts";
import { CountedAmplitudes } from "./counted-amplitudes.ts";
import { StateVector } from "./state-vector.ts";

/** Positions that a dry run can number; what needs more fits into no memory. */
const MAX_POSITIONS = 30;

/** What a state vector of a program takes. */
export interface DenseEstimate {
  /** Qubits that are in superposition at a time, not counting copies and parities of others. */
  readonly qubits: number;
  /** Amplitudes touched by all gates. */
  readonly touched: number;
  /** Elementary gates. */
  readonly operations: number;
}

const known = new WeakMap<Circuit, DenseEstimate | null>();

/** Returns what a state vector takes, or null where that depends on outcomes, or is beyond all memory. */
export function estimateDense(circuit: Circuit): DenseEstimate | null {
  let estimate = known.get(circuit);
  if (estimate === undefined) {
    const counted = new CountedAmplitudes();
    const limits = { maxQubits: MAX_POSITIONS, maxBytes: Number.POSITIVE_INFINITY };
    const run = dryRun(circuit, meter => new StateVector(circuit.numQubits, limits, meter, counted));
    const { maxPositions, touched } = counted;
    estimate = run?.isCertain ? { qubits: maxPositions, touched, operations: run.operations } : null;
    known.set(circuit, estimate);
  }
  return estimate;
}
