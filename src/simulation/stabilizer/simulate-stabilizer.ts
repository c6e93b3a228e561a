import type { Circuit } from "../circuit/circuit.ts";
import { formatBytes, MemoryLimitError } from "../errors.ts";
import { keyLayout } from "../execution/classical-bits.ts";
import { scheduleBranches } from "../execution/scheduler.ts";
import type { SimulationRun } from "../execution/simulator.ts";
import { link } from "../interpreter/link.ts";
import { hasMidCircuitDependence } from "../plan/profile.ts";
import { numbersFrom } from "../sampling/draws.ts";
import { AffineFrames, CONSTANT, isConstant, visitOutcomes } from "./affine.ts";
import type { PauliErrors } from "./shot-frames.ts";
import { type DrawCounter, ShotFrames } from "./shot-frames.ts";
import { StabilizerBranch } from "./stabilizer-branch.ts";
import { Tableau } from "./tableau.ts";

/** Bytes of frames that are worked on at a time. */
const FRAME_BYTES = 2 ** 26;

/**
 * Runs a Clifford program: reports the expectation values in its final states, before the measurements that end it, and
 * adds its outcomes to the tally, those of shots, or exact ones, which are equally likely on each branch.
 */
export function simulateStabilizer(circuit: Circuit, run: SimulationRun, noise?: PauliErrors): void {
  const { tally, observables, shots, onExpectations } = run;
  if (shots === 0) {
    const layout = keyLayout(circuit.registers.classical);
    runExactly(circuit, run, branch => {
      reportExactly(branch, run);
      branch.measureAll();
      const shares = new Map<string, number>();
      const forms = layout.map(bit => (bit === null ? null : branch.values(bit)));
      visitOutcomes(forms, (outcome, probability) => shares.set(outcome, probability));
      tally.addProbabilities(shares, branch.weight);
    });
    return;
  }
  const endsInOneState = !noise && !hasMidCircuitDependence(circuit);
  if (endsInOneState && observables.length > 0)
    runExactly(circuit, run, branch => reportExactly(branch, run));
  runShots(circuit, run, noise, branch => {
    const values = endsInOneState ? [] : observables.map(string => branch.expectation(string));
    const of = (shot: number) =>
      values.map(({ reference, flips }) =>
        (flips[shot >> 5]! >>> (shot & 31)) & 1 ? -reference : reference,
      );
    if (values.length > 0)
      for (let shot = 0; shot < branch.shots!.length; shot++) onExpectations(of(shot), 1 / shots, 0);
    branch.measureAll();
    tally.addValues(branch.shots!, bit => branch.values(bit), branch.slots);
  });
}

/** Reports the expectation values in the final states of a branch of an exact run. */
function reportExactly(branch: StabilizerBranch, { observables, onExpectations }: SimulationRun): void {
  if (observables.length === 0) return;
  const values = observables.map(string => {
    const { reference, flips } = branch.expectation(string);
    return isConstant(flips) ? (flips[0]! & CONSTANT ? -reference : reference) : 0;
  });
  onExpectations(values, branch.weight, branch.weight);
}

/**
 * Runs shots: a reference by a tableau, and the Pauli frames in which shots differ from it. Shots part if what the program
 * does depends on an outcome in which they differ.
 */
function runShots(
  { parts }: Circuit,
  { shots, maxBytes, random, meter }: SimulationRun,
  noise: PauliErrors | undefined,
  onEnd: (branch: StabilizerBranch) => void,
): void {
  const { numQubits, numBits } = parts;
  checkTableau(numQubits, maxBytes);
  const draws: DrawCounter = { next: 0 };
  const size = Math.max(32, 32 * Math.floor(FRAME_BYTES / (8 * Math.max(1, numQubits + numBits))));
  for (let first = 0; first < shots; first += size) {
    const count = Math.min(size, shots - first);
    scheduleBranches<StabilizerBranch>(link(parts), {
      shots: numbersFrom(first, count),
      meter,
      begin: own => {
        const frames = ShotFrames.begin(numQubits, count, random, draws);
        return StabilizerBranch.begin(
          parts,
          { meter, noise },
          { tableau: new Tableau(numQubits), frames },
          own,
        );
      },
      onEnd,
    });
  }
}

/** Runs all branches, whose outcomes are sums of random bits. */
function runExactly(
  { parts }: Circuit,
  { maxBytes, meter }: SimulationRun,
  onEnd: (branch: StabilizerBranch) => void,
): void {
  const { numQubits } = parts;
  checkTableau(numQubits, maxBytes);
  scheduleBranches<StabilizerBranch>(link(parts), {
    shots: null,
    meter,
    begin: () => {
      const frames = AffineFrames.begin(numQubits);
      return StabilizerBranch.begin(parts, { meter }, { tableau: new Tableau(numQubits), frames }, null);
    },
    onEnd,
  });
}

function checkTableau(numQubits: number, maxBytes: number): void {
  const bytes = Tableau.bytes(numQubits);
  if (bytes > maxBytes)
    throw new MemoryLimitError(
      `The program needs a tableau of ${numQubits} qubits, which takes ${formatBytes(bytes)}; at most ${formatBytes(maxBytes)} may be used here.`,
      bytes,
    );
}
