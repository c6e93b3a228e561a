import type { Circuit } from "../circuit/circuit.ts";
import type { PauliString } from "../execution/pauli-string.ts";
import { scheduleBranches } from "../execution/scheduler.ts";
import { link } from "../interpreter/link.ts";
import type { Meter } from "../interpreter/meter.ts";
import { AffineBranch } from "./affine-branch.ts";
import { AffineFrames, CONSTANT, isConstant } from "./affine-frames.ts";
import { emptyMemory } from "./clifford-branch.ts";
import { Tableau } from "./tableau.ts";

/** A branch that does no measurements. */
class UnmeasuredBranch extends AffineBranch {
  override measure(): void {}

  expectation(string: PauliString): number {
    const form = this.frames.signOf(string);
    if (!isConstant(form)) return 0;
    return (form[0]! & CONSTANT ? -1 : 1) * this.tableau.expectation(string);
  }
}

/** Returns the expectation values of Pauli strings in the final state of a Clifford program in which nothing depends on a measurement. */
export function stabilizerExpectations(
  { parts }: Circuit,
  observables: readonly PauliString[],
  meter: Meter,
): number[] {
  let values: number[] = [];
  scheduleBranches<UnmeasuredBranch>(link(parts), {
    shots: null,
    meter,
    maxBranches: 1,
    begin: () =>
      new UnmeasuredBranch(
        new Tableau(parts.numQubits),
        AffineFrames.begin(parts.numQubits),
        meter,
        emptyMemory(parts),
        1,
      ),
    split: (branch, bit) => branch.split(bit) as never,
    onEnd(branch) {
      values = observables.map(string => branch.expectation(string));
    },
  });
  return values;
}
