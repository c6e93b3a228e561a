import type { Circuit } from "../circuit/circuit.ts";
import { dryRun } from "../execution/dry-run.ts";
import { UnweightedState } from "../execution/unweighted-state.ts";
import { numbersOfAmplitude, SHARE_OF_PERMUTATION } from "./basis-states.ts";

/** Numbers touched in the time of the handling of a gate. */
const GATE_OVERHEAD = 20;

/** How many amplitudes are not zero at most: each gate that is no permutation doubles them. */
class CountedPairs extends UnweightedState {
  #doublings = 0;
  /** Amplitudes touched so far, in units of those that a superposition takes. */
  touched = 0;

  override apply(...call: Parameters<UnweightedState["apply"]>): void {
    super.apply(...call);
    this.touched += GATE_OVERHEAD + SHARE_OF_PERMUTATION * 2 ** this.#doublings;
  }

  protected superpose(): void {
    this.#doublings = Math.min(this.#doublings + 1, this.numQubits);
    this.touched += 2 ** this.#doublings;
  }

  protected entangle(): void {}

  protected exchange(): void {}
}

/** Returns how many numbers a sparse state of a program touches, if no amplitudes cancel. */
export function estimateSparse(circuit: Circuit): number {
  let pairs: CountedPairs | undefined;
  const isDone = dryRun(circuit, meter => (pairs = new CountedPairs(circuit.numQubits, meter))) !== undefined;
  return pairs && isDone ? pairs.touched * numbersOfAmplitude(circuit.numQubits) : Number.POSITIVE_INFINITY;
}
