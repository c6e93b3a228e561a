import type { Circuit } from "../circuit/circuit.ts";
import { formatBytes, MemoryLimitError } from "../errors.ts";
import { keyLayout } from "../execution/classical-bits.ts";
import { MAX_EXACT_BRANCHES, scheduleBranches } from "../execution/scheduler.ts";
import type { SimulationRun } from "../execution/simulator.ts";
import { link } from "../interpreter/link.ts";
import { hasMidCircuitDependence } from "../plan/profile.ts";
import { numbersFrom } from "../sampling/draws.ts";
import { AffineBranch, AffineFrames, visitOutcomes } from "./affine.ts";
import { emptyMemory, type Measurements } from "./clifford-branch.ts";
import type { PauliErrors } from "./shot-frames.ts";
import { type DrawCounter, ShotFrames } from "./shot-frames.ts";
import { StabilizerBranch } from "./stabilizer-branch.ts";
import { Tableau } from "./tableau.ts";

/** Bytes of frames that are worked on at a time. */
const FRAME_BYTES = 2 ** 26;

/** Runs a Clifford program, and adds its outcomes to the tally: those of shots, or exact ones, equally likely on each branch. */
export function simulateStabilizer(circuit: Circuit, run: SimulationRun, noise?: PauliErrors): void {
  const { tally } = run;
  if (run.shots > 0) {
    runShots(circuit, run, "at once", noise, branch =>
      tally.addValues(branch.shots, bit => branch.values(bit), branch.slots),
    );
    return;
  }
  const bits = keyLayout(circuit.registers.classical);
  runExactly(circuit, run, "at once", branch => {
    const shares = new Map<string, number>();
    const forms = bits.map(bit => (bit === null ? null : branch.form(bit)));
    visitOutcomes(forms, (outcome, probability) => shares.set(outcome, probability));
    tally.addProbabilities(shares, branch.weight);
  });
}

/**
 * Reports the expectation values in the final states of a Clifford program, before the measurements that end it: those of
 * each shot if the program depends on measurements or has noise, else exact ones.
 */
export function reportStabilizerExpectations(
  circuit: Circuit,
  run: SimulationRun,
  noise: PauliErrors | undefined,
): void {
  const { observables, shots, onExpectations } = run;
  const isAdaptive = hasMidCircuitDependence(circuit);
  const measurements = isAdaptive ? new Map() : "never";
  if (!noise && (!isAdaptive || shots === 0)) {
    runExactly(circuit, run, measurements, branch => {
      const values = observables.map(string => branch.expectation(string));
      onExpectations(values, branch.weight, branch.weight);
    });
    return;
  }
  runShots(circuit, run, measurements, noise, branch => {
    const values = observables.map(string => branch.expectations(string));
    branch.shots.forEach((_, i) => {
      const own = values.map(each => each[i]!);
      onExpectations(own, 1 / shots, 0);
    });
  });
}

/**
 * Runs shots: a reference by a tableau, and the Pauli frames in which shots differ from it. Shots part if what the program
 * does depends on an outcome in which they differ.
 */
function runShots(
  { parts }: Circuit,
  { shots, maxBytes, random, meter }: SimulationRun,
  measurements: Measurements,
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
      maxBranches: Number.POSITIVE_INFINITY,
      begin: own =>
        new StabilizerBranch(
          { meter, noise },
          new Tableau(numQubits),
          ShotFrames.begin(numQubits, count, random, draws),
          emptyMemory(parts, measurements),
          own!,
        ),
      joins: false,
      onEnd,
    });
  }
}

/** Runs all branches, whose outcomes are sums of random bits. */
function runExactly(
  { parts }: Circuit,
  { maxBytes, meter }: SimulationRun,
  measurements: Measurements,
  onEnd: (branch: AffineBranch) => void,
): void {
  const { numQubits } = parts;
  checkTableau(numQubits, maxBytes);
  scheduleBranches<AffineBranch>(link(parts), {
    shots: null,
    meter,
    maxBranches: MAX_EXACT_BRANCHES,
    begin: () => {
      const memory = emptyMemory(parts, measurements);
      return new AffineBranch(new Tableau(numQubits), AffineFrames.begin(numQubits), meter, memory, 1);
    },
    joins: false,
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
