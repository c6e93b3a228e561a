import type { Circuit } from "../circuit/circuit.ts";
import { dryRun } from "../execution/dry-run.ts";
import { UnweightedState } from "../execution/unweighted-state.ts";

/** How many amplitudes are not zero at most: each gate that is no permutation doubles them. */
class CountedPairs extends UnweightedState {
  #doublings = 0;
  /** Amplitudes touched so far. */
  touched = 0;

  override apply(...call: Parameters<UnweightedState["apply"]>): void {
    super.apply(...call);
    this.touched += 2 ** this.#doublings;
  }

  protected superpose(): void {
    this.#doublings = Math.min(this.#doublings + 1, this.numQubits);
  }

  protected entangle(): void {}

  protected exchange(): void {}
}

/** Returns how many numbers a sparse state of a program touches, if no amplitudes cancel. */
export function estimateSparse(circuit: Circuit): number {
  let pairs: CountedPairs | undefined;
  const isDone = dryRun(circuit, meter => (pairs = new CountedPairs(circuit.numQubits, meter))) !== undefined;
  return pairs && isDone ? pairs.touched * (1 + circuit.numQubits / 32) : Number.POSITIVE_INFINITY;
}
