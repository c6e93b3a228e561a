import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { formatBytes, MemoryLimitError, SimulationError } from "../errors.ts";
import { scheduleBranches } from "../execution/scheduler.ts";
import { link } from "../interpreter/link.ts";
import type { Meter } from "../interpreter/meter.ts";
import { numbersFrom } from "../sampling/draws.ts";
import type { Philox } from "../sampling/philox.ts";
import { AffineBranch } from "./affine-branch.ts";
import { AffineFrames } from "./affine-frames.ts";
import { visitOutcomes } from "./affine-outcomes.ts";
import { type CliffordMemory, emptyMemory } from "./clifford-branch.ts";
import { type CliffordNoise, type DrawCounter, ShotFrames } from "./shot-frames.ts";
import { StabilizerBranch } from "./stabilizer-branch.ts";
import { Tableau } from "./tableau.ts";

/** Bytes of frames that are worked on at a time. */
const FRAME_BYTES = 2 ** 26;
const MAX_EXACT_BRANCHES = 2 ** 12;

/** What a run of the stabilizer works with. */
export interface StabilizerOptions {
  readonly maxBytes: number;
  readonly meter: Meter;
  readonly tally: StabilizerTally;
  /** Is called at the end of each branch. */
  onBranchEnd(): void;
}

/** Gathers outcomes. */
export interface StabilizerTally {
  addValues(shots: Uint32Array, values: (bit: number) => Uint32Array, slots: CliffordMemory["slots"]): void;
  addProbabilities(shares: ReadonlyMap<string, number>, weight: number): void;
}

/**
 * Runs a Clifford program: a reference by a tableau, and all shots by the Pauli frames in which they differ from it.
 * Shots part where what the program does depends on an outcome in which they differ.
 */
export function simulateStabilizer(
  { parts }: Circuit,
  options: StabilizerOptions & { shots: number; random: Philox; noise?: CliffordNoise | undefined },
): void {
  const { shots, maxBytes, random, meter, tally, onBranchEnd, noise } = options;
  const { numQubits } = parts;
  const program = link(parts);
  checkTableau(numQubits, maxBytes);
  const draws: DrawCounter = { next: 0 };
  for (const batch of shotBatches(parts, shots)) {
    scheduleBranches<StabilizerBranch>(program, {
      shots: batch,
      meter,
      maxBranches: Number.POSITIVE_INFINITY,
      begin: which =>
        new StabilizerBranch(
          { meter, noise },
          new Tableau(numQubits),
          ShotFrames.begin(numQubits, batch.length, random, draws),
          emptyMemory(parts),
          which!,
        ),
      split: (branch, bit) => branch.split(bit),
      onEnd(branch) {
        tally.addValues(branch.shots, bit => branch.values(bit), branch.slots);
        onBranchEnd();
      },
    });
  }
}

/** Splits the numbers of shots into those whose frames are worked on at a time. */
export function* shotBatches({ numQubits, numBits }: CircuitParts, shots: number): Generator<Uint32Array> {
  const size = Math.max(32, 32 * Math.floor(FRAME_BYTES / (8 * Math.max(1, numQubits + numBits))));
  for (let first = 0; first < shots; first += size) yield numbersFrom(first, Math.min(size, shots - first));
}

/**
 * Finds the exact distribution of a Clifford program: its outcomes are sums of random bits, and therefore equally
 * likely on each branch. Throws a {@link SimulationError} where they are too many to list.
 */
export function simulateStabilizerExactly(
  { parts, registers }: Circuit,
  { maxBytes, meter, tally, onBranchEnd }: StabilizerOptions,
): void {
  const { numQubits } = parts;
  const program = link(parts);
  checkTableau(numQubits, maxBytes);
  scheduleBranches<AffineBranch>(program, {
    shots: null,
    meter,
    maxBranches: MAX_EXACT_BRANCHES,
    begin: () =>
      new AffineBranch(new Tableau(numQubits), AffineFrames.begin(numQubits), meter, emptyMemory(parts), 1),
    split: (branch, bit) => branch.split(bit),
    onEnd(branch) {
      const bits = registers.classical
        .toReversed()
        .flatMap(({ offset, width }, i) => [
          ...(i > 0 ? [null] : []),
          ...Array.from({ length: width }, (_, place) => branch.form(offset + width - 1 - place)),
        ]);
      const shares = new Map<string, number>();
      visitOutcomes(bits, (outcome, probability) => shares.set(outcome, probability));
      tally.addProbabilities(shares, branch.weight);
      onBranchEnd();
    },
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
