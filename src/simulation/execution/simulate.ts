import type { Circuit, OutputValue } from "../circuit/circuit.ts";
import { visitOperations } from "../circuit/metrics.ts";
import { CancelledError, SimulationError } from "../errors.ts";
import { type Philox, philox } from "../sampling/philox.ts";
import { checkMemory, StateVector } from "../statevector/state-vector.ts";
import { Branch, type Path } from "./branch.ts";
import { startBudget } from "./budget.ts";
import { FINISHED, run } from "./interpreter.ts";
import { Tally } from "./tally.ts";

/** How a circuit is to be simulated. */
export interface SimulateOptions {
  /** How often the program is run; 0 computes its exact distribution. */
  shots: number;
  /** A whole number; the same program, shots and seed give the same counts. Default: drawn at random. */
  seed?: number;
  /** Whether to give the outcome of each shot, in order. Default: false. */
  memory?: boolean;
  /** Whether to give the final amplitudes, of at most 12 qubits, before the measurements that end the program. Default: false. */
  statevector?: boolean;
  /** Most qubits that are simulated. Default: 24. */
  maxQubits?: number;
  /** Most bytes that amplitudes may take up. Default: 2^31. */
  maxBytes?: number;
  /** Most operations, over all branches. Default: 10^8. */
  maxOperations?: number;
  /** Most milliseconds. Default: 60,000. */
  maxMilliseconds?: number;
  /** Is told now and then which part of the work is done, from 0 to 1. */
  onProgress?(fraction: number): void;
  /** Looked at every few milliseconds; once it says so, a {@link CancelledError} is thrown. */
  signal?: { readonly aborted: boolean };
}

/** What a simulation gives. Keys are bit strings with the last bit on the left and the last register leftmost. */
export interface SimulationResult {
  /** How often each outcome was seen; empty in an exact run. */
  measurementCounts: Record<string, number>;
  /** The outcome of each shot, in order. */
  measurements?: string[];
  /** The values of the output variables after each shot, in order: of those declared `output`, or of all where none is. Given with the memory. */
  outputs?: Record<string, OutputValue>[];
  /** The probability of each outcome, in an exact run. */
  measurementProbabilities?: Record<string, number>;
  /** The final amplitudes, real and imaginary parts in turn; qubit 0 is the lowest bit of the index. */
  statevector?: number[];
}

const MOST_SHOTS = 10_000_000;
const MAX_STATEVECTOR_QUBITS = 12;
const MAX_EXACT_BRANCHES = 2 ** 16;
/** A branch of an exact run that is less likely than this is left out. */
const NEGLIGIBLE = 1e-12;
/** Stream of the draws that decide measurements within a program. */
const DECISIONS = 1;

/** A branch that waits; without a state it has to be run again from the start along its path. */
interface Waiting {
  readonly branch: Branch | null;
  readonly path: Path | null;
  readonly shots: Uint32Array | null;
}

/**
 * Simulates a circuit. Where nothing depends on a measurement one simulation serves all shots; elsewhere the shots
 * share a simulation up to the first measurement in which they differ.
 * Throws a {@link SimulationError} where the circuit is too large or over a limit, and a {@link CancelledError} once the signal is raised.
 */
export function simulate(circuit: Circuit, options: SimulateOptions): SimulationResult {
  const {
    shots,
    maxQubits = 24,
    maxBytes = 2 ** 31,
    maxOperations = 1e8,
    maxMilliseconds = 60_000,
  } = options;
  const { parts } = circuit;
  const limits = { maxQubits, maxBytes };
  check(circuit, options, limits);
  if (options.signal?.aborted) throw new CancelledError();
  const random = philox(options.seed ?? Math.floor(Math.random() * Number.MAX_SAFE_INTEGER));
  let progress = 0;
  let leaves = 0;
  const report = (fraction: number) => {
    if (fraction <= progress) return;
    progress = fraction;
    options.onProgress?.(fraction);
  };
  const budget = startBudget({
    maxOperations,
    maxMilliseconds,
    signal: options.signal,
    onLook: operations => {
      if (leaves === 0) report(Math.min(0.99, operations / (parts.operations.length + 1)));
    },
  });
  const everyShot = shots > 0 ? Uint32Array.from({ length: shots }, (_, i) => i) : null;
  const start = (which: Uint32Array | null) =>
    new Branch(
      new StateVector(parts.numQubits, limits, budget.spend),
      parts.numBits,
      new Array(parts.numSlots).fill(0n),
      which,
    );

  const tally = new Tally(circuit.registers.classical, shots, options.memory ?? false, parts.outputs);
  const waiting: Waiting[] = [{ branch: null, path: null, shots: everyShot }];
  let waitingBytes = 0;
  let statevector: number[] | undefined;

  courses: for (let next = waiting.pop(); next; next = waiting.pop()) {
    const branch = next.branch ?? start(next.shots);
    if (next.branch) waitingBytes -= next.branch.state.bytes;
    const replay = next.branch ? [] : outcomesOf(next.path);
    for (let qubit = run(branch, parts, budget); qubit !== FINISHED; qubit = run(branch, parts, budget)) {
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
    leaves++;
    if (options.statevector) {
      if (leaves > 1 || waiting.length > 0 || branch.cleared.some(Boolean))
        throw new SimulationError(
          "The program ends in more than one state, as what it does depends on measurements or resets; it has no single state vector.",
        );
      statevector = branch.state.amplitudes();
    }
    tally.add(branch, random);
    report(Math.min(1, shots > 0 ? tally.shotsDone / shots : tally.weightDone));
  }
  return tally.result(statevector);
}

/** Throws a {@link SimulationError} where a circuit cannot be simulated in the way that is asked for. */
export function check(
  circuit: Circuit,
  options: SimulateOptions,
  limits: { maxQubits: number; maxBytes: number },
): void {
  const { shots, seed, statevector } = options;
  if (!Number.isInteger(shots) || shots < 0 || shots > MOST_SHOTS)
    throw new SimulationError(
      `The number of shots must be a whole number from 0 to ${MOST_SHOTS.toLocaleString("en-US")}, not ${shots}.`,
    );
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new SimulationError(`The seed must be a whole number, not ${seed}.`);
  if (shots > 0 && circuit.registers.classical.length === 0)
    throw new SimulationError(
      "The program has no classical bits, so that there is nothing to count; declare some, as in `bit[2] c;`, and measure into them.",
    );
  if (statevector && circuit.numQubits > MAX_STATEVECTOR_QUBITS)
    throw new SimulationError(
      `A state vector is given for at most ${MAX_STATEVECTOR_QUBITS} qubits; the program has ${circuit.numQubits}.`,
    );
  const used = new Uint8Array(circuit.numQubits);
  visitOperations(circuit.parts, (name, qubits) => {
    if (name !== "barrier") for (let i = 0; i < qubits.length; i++) used[qubits[i]!] = 1;
  });
  checkMemory(
    used.reduce((sum, flag) => sum + flag, 0),
    limits,
  );
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
