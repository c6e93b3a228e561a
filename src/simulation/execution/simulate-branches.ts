import type { CircuitParts } from "../circuit/circuit.ts";
import { SimulationError } from "../errors.ts";
import { link } from "../interpreter/link.ts";
import type { Meter } from "../interpreter/meter.ts";
import { FINISHED, run } from "../interpreter/run.ts";
import type { Philox } from "../sampling/philox.ts";
import { Branch, type Path } from "./branch.ts";
import type { QuantumState } from "./quantum-state.ts";
import type { Tally } from "./tally.ts";

const MAX_EXACT_BRANCHES = 2 ** 16;
/** A branch of an exact run that is less likely than this is left out. */
const NEGLIGIBLE = 1e-12;
/** Stream of the draws that decide measurements within a program. */
const DECISIONS = 1;

/** What a run of branches works with. */
export interface BranchRun {
  /** How many shots there are; 0 for exact probabilities. */
  readonly shots: number;
  /** Most bytes of the states that wait. */
  readonly maxBytes: number;
  readonly random: Philox;
  readonly meter: Meter;
  readonly tally: Tally;
  /** Whether the final amplitudes are wanted. */
  readonly wantsState: boolean;
  /** Makes the state that the program begins with. */
  begin(): QuantumState;
  /** Is called at the end of each branch. */
  onCourse(): void;
}

/** A branch that waits; without a state it has to be run again from the start along its path. */
interface Waiting {
  readonly branch: Branch | null;
  readonly path: Path | null;
  readonly shots: Uint32Array | null;
}

/**
 * Runs a program with the whole state at hand: one run for all shots, which part at the first measurement that
 * matters and in which they differ. Gives the final amplitudes where they are wanted.
 */
export function simulateBranches(parts: CircuitParts, options: BranchRun): number[] | undefined {
  const { shots, maxBytes, random, meter, tally } = options;
  const program = link(parts);
  const everyShot = shots > 0 ? Uint32Array.from({ length: shots }, (_, i) => i) : null;
  const waiting: Waiting[] = [{ branch: null, path: null, shots: everyShot }];
  using _leftovers = {
    [Symbol.dispose]() {
      for (const { branch } of waiting) branch?.[Symbol.dispose]();
    },
  };
  let waitingBytes = 0;
  let leaves = 0;
  let statevector: number[] | undefined;

  courses: for (let next = waiting.pop(); next; next = waiting.pop()) {
    using branch =
      next.branch ??
      new Branch(options.begin(), parts.numBits, new Array(parts.numSlots).fill(0n), next.shots);
    if (next.branch) waitingBytes -= next.branch.state.bytes;
    const replay = next.branch ? [] : outcomesOf(next.path);
    for (let qubit = run(branch, program, meter); qubit !== FINISHED; qubit = run(branch, program, meter)) {
      const one = branch.state.probabilityOfOne(qubit);
      if (branch.draws < replay.length) {
        const outcome = replay[branch.draws]!;
        branch.weight *= outcome ? one : 1 - one;
        branch.decide(qubit, outcome);
        continue;
      }
      const split = branch.shots
        ? splitShots(branch.shots, one, random, branch.draws)
        : splitWeight(branch.weight, one);
      if (split.zero && split.one) {
        const fits = waitingBytes + branch.state.bytes <= maxBytes;
        const path = { outcome: 1, before: branch.path };
        if (fits) {
          const sibling = branch.fork();
          sibling.shots = split.one.shots;
          sibling.weight *= one;
          sibling.decide(qubit, 1);
          waitingBytes += sibling.state.bytes;
          waiting.push({ branch: sibling, path, shots: sibling.shots });
        } else waiting.push({ branch: null, path, shots: split.one.shots });
        if (!branch.shots && waiting.length + leaves > MAX_EXACT_BRANCHES)
          throw new SimulationError(
            `The program takes more than ${MAX_EXACT_BRANCHES.toLocaleString("en-US")} different courses, too many for an exact run; ask for shots instead.`,
          );
      }
      const taken = split.zero ?? split.one;
      if (!taken) continue courses;
      branch.shots = taken.shots;
      branch.weight *= split.zero ? 1 - one : one;
      branch.decide(qubit, split.zero ? 0 : 1);
    }
    if (options.wantsState) {
      if (leaves > 0 || waiting.length > 0 || branch.cleared.some(Boolean))
        throw new SimulationError(
          "The program ends in more than one state, as what it does depends on measurements or resets; it has no single state vector.",
        );
      statevector = branch.state.amplitudes();
    }
    tally.add(branch, random);
    leaves++;
    options.onCourse();
  }
  return statevector;
}

function outcomesOf(path: Path | null): number[] {
  const outcomes: number[] = [];
  for (let link = path; link; link = link.before) outcomes.push(link.outcome);
  return outcomes.reverse();
}

interface Split {
  zero: { shots: Uint32Array | null } | null;
  one: { shots: Uint32Array | null } | null;
}

function splitShots(shots: Uint32Array, one: number, random: Philox, draw: number): Split {
  if (one < 1e-14) return { zero: { shots }, one: null };
  if (one > 1 - 1e-14) return { zero: null, one: { shots } };
  const isOne = (shot: number) => random.uniform(shot, draw, DECISIONS) < one;
  const ones = shots.filter(isOne);
  const zeros = shots.filter(shot => !isOne(shot));
  return { zero: zeros.length > 0 ? { shots: zeros } : null, one: ones.length > 0 ? { shots: ones } : null };
}

function splitWeight(weight: number, one: number): Split {
  const kept = { shots: null };
  return {
    zero: weight * (1 - one) > NEGLIGIBLE ? kept : null,
    one: weight * one > NEGLIGIBLE ? kept : null,
  };
}
