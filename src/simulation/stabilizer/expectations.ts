import type { Circuit } from "../circuit/circuit.ts";
import { MAX_EXACT_BRANCHES } from "../execution/run-program.ts";
import { scheduleBranches } from "../execution/scheduler.ts";
import type { SimulationRun } from "../execution/simulator.ts";
import { link } from "../interpreter/link.ts";
import { profileOf } from "../plan/profile.ts";
import { AffineBranch } from "./affine-branch.ts";
import { AffineFrames } from "./affine-frames.ts";
import { emptyMemory } from "./clifford-branch.ts";
import { type CliffordNoise, type DrawCounter, ShotFrames } from "./shot-frames.ts";
import { shotBatches } from "./simulate-stabilizer.ts";
import { StabilizerBranch } from "./stabilizer-branch.ts";
import { Tableau } from "./tableau.ts";

/**
 * Reports the expectation values in the final states of a Clifford program, before the measurements that end it: those of
 * each shot where the program depends on measurements or has noise, and else exact ones.
 */
export function reportStabilizerExpectations(
  circuit: Circuit,
  run: SimulationRun,
  noise: CliffordNoise | undefined,
): void {
  const isAdaptive = profileOf(circuit).hasMidCircuitDependence;
  const memory = () => emptyMemory(circuit.parts, isAdaptive ? new Map() : "never");
  if (noise || (isAdaptive && run.shots > 0)) reportDrawn(circuit, run, noise, memory);
  else reportExact(circuit, run, memory);
}

function reportExact(
  { parts }: Circuit,
  { meter, observables, onExpectations }: SimulationRun,
  memory: () => ReturnType<typeof emptyMemory>,
): void {
  const { numQubits } = parts;
  scheduleBranches<AffineBranch>(link(parts), {
    shots: null,
    meter,
    maxBranches: MAX_EXACT_BRANCHES,
    begin: () => new AffineBranch(new Tableau(numQubits), AffineFrames.begin(numQubits), meter, memory(), 1),
    split: (branch, bit) => branch.split(bit),
    onEnd(branch) {
      const values = observables.map(string => branch.expectation(string));
      onExpectations(values, branch.weight, branch.weight);
    },
  });
}

function reportDrawn(
  { parts }: Circuit,
  { meter, observables, random, shots, onExpectations }: SimulationRun,
  noise: CliffordNoise | undefined,
  memory: () => ReturnType<typeof emptyMemory>,
): void {
  const { numQubits } = parts;
  const draws: DrawCounter = { next: 0 };
  for (const batch of shotBatches(parts, shots))
    scheduleBranches<StabilizerBranch>(link(parts), {
      shots: batch,
      meter,
      maxBranches: Number.POSITIVE_INFINITY,
      begin: which =>
        new StabilizerBranch(
          { meter, noise },
          new Tableau(numQubits),
          ShotFrames.begin(numQubits, batch.length, random, draws),
          memory(),
          which!,
        ),
      split: (branch, bit) => branch.split(bit),
      onEnd(branch) {
        const values = observables.map(string => branch.expectations(string));
        branch.shots.forEach((_, i) => {
          onExpectations(
            values.map(each => each[i]!),
            1 / shots,
            0,
          );
        });
      },
    });
}
