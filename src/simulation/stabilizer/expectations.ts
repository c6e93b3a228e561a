import type { Circuit } from "../circuit/circuit.ts";
import type { PauliString } from "../execution/pauli-string.ts";
import { scheduleBranches } from "../execution/scheduler.ts";
import type { SimulationRun } from "../execution/simulator.ts";
import { link } from "../interpreter/link.ts";
import { AffineBranch } from "./affine-branch.ts";
import { AffineFrames, CONSTANT, isConstant } from "./affine-frames.ts";
import { emptyMemory } from "./clifford-branch.ts";
import { type CliffordNoise, type DrawCounter, ShotFrames } from "./shot-frames.ts";
import { shotBatches } from "./simulate-stabilizer.ts";
import { StabilizerBranch } from "./stabilizer-branch.ts";
import { Tableau } from "./tableau.ts";

/** A branch of all random bits that does no measurements. */
class UnmeasuredBranch extends AffineBranch {
  override measure(): void {}

  expectation(string: PauliString): number {
    const form = this.frames.signOf(string);
    if (!isConstant(form)) return 0;
    return (form[0]! & CONSTANT ? -1 : 1) * this.tableau.expectation(string);
  }
}

/** A branch of shots that does no measurements. */
class UnmeasuredShots extends StabilizerBranch {
  override measure(): void {}

  /** Returns the expectation value of a Pauli string in each shot's final state. */
  expectations(string: PauliString): number[] {
    const reference = this.tableau.expectation(string);
    const flips = this.frames.signOf(string);
    return Array.from(this.shots, (_, i) => ((flips[i >> 5]! >>> (i & 31)) & 1 ? -reference : reference));
  }
}

/** Reports the expectation values in the final state of a Clifford program in which nothing depends on a measurement. */
export function reportStabilizerExpectations({ parts }: Circuit, run: SimulationRun): void {
  const { meter, observables } = run;
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
      run.onExpectations(
        observables.map(string => branch.expectation(string)),
        1,
        1,
      );
    },
  });
}

/** Reports the expectation values in each shot's final state of such a program under Pauli noise. */
export function reportNoisyExpectations({ parts }: Circuit, run: SimulationRun, noise: CliffordNoise): void {
  const { meter, observables, random, shots } = run;
  const { numQubits } = parts;
  const draws: DrawCounter = { next: 0 };
  for (const batch of shotBatches(parts, shots))
    scheduleBranches<UnmeasuredShots>(link(parts), {
      shots: batch,
      meter,
      maxBranches: 1,
      begin: which =>
        new UnmeasuredShots(
          { meter, noise },
          new Tableau(numQubits),
          ShotFrames.begin(numQubits, batch.length, random, draws),
          emptyMemory(parts),
          which!,
        ),
      split: (branch, bit) => branch.split(bit) as never,
      onEnd(branch) {
        const values = observables.map(string => branch.expectations(string));
        batch.forEach((_, i) => {
          run.onExpectations(
            values.map(each => each[i]!),
            1 / shots,
            0,
          );
        });
      },
    });
}
