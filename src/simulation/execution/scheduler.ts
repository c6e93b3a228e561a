import type { Circuit } from "../circuit/circuit.ts";
import { formatBytes, MemoryLimitError, SimulationError } from "../errors.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import { type LinkedProgram, link } from "../interpreter/link.ts";
import { FINISHED, run } from "../interpreter/run.ts";
import { numbersFrom } from "../sampling/draws.ts";
import { Branch, type Continuation, type SchedulableBranch } from "./branch.ts";
import { expectationsOf, type PauliString, type QuantumState } from "./quantum-state.ts";
import type { SimulationRun } from "./simulator.ts";

/** Settings of a run of branches. */
export interface SchedulerOptions<C> {
  /** The shots that run; null for exact probabilities. */
  readonly shots: Uint32Array | null;
  readonly meter: Meter;
  /** Maximum number of bytes of the states that wait. Default: no limit. */
  readonly maxBytes?: number;
  /** Makes the branch with which the program begins for some shots. Called again for them, it leads to the same outcomes. */
  begin(shots: Uint32Array | null): C;
  /** Whether branches that meet may be joined. Default: false. */
  readonly joins?: boolean;
  /** Called at the end of each branch; `isOnly` says that there is no other. */
  onEnd(branch: C, isOnly: boolean): void;
}

/** Maximum number of branches of an exact run. */
export const MAX_EXACT_BRANCHES = 2 ** 16;
/** Maximum number of branches that run side by side, and of bytes of their states. */
const SIDE_BY_SIDE = {
  shots: { branches: 64, bytes: 2 ** 20 },
  exact: { branches: 1024, bytes: 2 ** 26 },
} as const;

/** A branch that waits at a stop, or shots that restart. */
interface Waiting<C> {
  readonly branch: C | null;
  readonly shots: Uint32Array | null;
  /** Reason for which the branch has stopped, and its number of stops so far. */
  readonly stop: number;
  readonly stops: number;
  /** The continuations that have not run yet; null before the branch is split. */
  ways: Continuation<C>[] | null;
}

/**
 * Runs a program: one branch for all shots, which splits where their outcomes differ, so shared work runs once.
 *
 * While branches are few and small they run breadth first, the one furthest behind next: branches that reach the same
 * instruction with equal memory and state are joined. Larger sets run depth first, to keep few states in memory. If
 * there is no memory for the state of waiting shots, these restart from the beginning later; they reach the same place,
 * as random numbers depend only on the shot and the draw. The method is our own. Its results are right
 * because a branch stands for the set of its shots, and every split and join keeps the sets disjoint and complete.
 */
export function scheduleBranches<C extends SchedulableBranch>(
  program: LinkedProgram,
  { shots, meter, maxBytes = Number.POSITIVE_INFINITY, joins = false, ...options }: SchedulerOptions<C>,
): void {
  const few = SIDE_BY_SIDE[shots ? "shots" : "exact"];
  const room = shots ? maxBytes : Math.max(maxBytes, few.bytes);
  const waiting: Waiting<C>[] = [{ branch: null, shots, stop: 0, stops: 0, ways: null }];
  const alive = new Set<C>();
  using _alive = {
    [Symbol.dispose]() {
      for (const branch of alive) branch[Symbol.dispose]();
    },
  };
  const release = (branch: C) => {
    alive.delete(branch);
    branch[Symbol.dispose]();
  };
  const remove = (one: Waiting<C>) => waiting.splice(waiting.lastIndexOf(one), 1);
  const bytesWaiting = () => {
    let bytes = 0;
    for (const { branch } of waiting) if (branch) bytes += branch.bytes;
    return bytes;
  };
  let isSideBySide = joins;
  let numBranches = 1;
  let numEnded = 0;

  /** Takes the next continuation of a branch that waits; undefined if it has none. */
  const resume = (next: Waiting<C>, from: C): C | undefined => {
    if (!next.ways) {
      next.ways = from.split(next.stop);
      if (!isSideBySide) numBranches += next.ways.length - 1;
      if (!shots && numBranches > MAX_EXACT_BRANCHES) throw tooMany();
    }
    const others = next.ways;
    const way = others.shift();
    if (others.length > 0 && bytesWaiting() > room) {
      if (!shots) throw tooLarge(bytesWaiting() + from.bytes, room);
      isSideBySide = false;
      next.ways = [];
      for (const { shots: own } of others.reverse())
        waiting.splice(waiting.lastIndexOf(next), 0, { ...next, branch: null, shots: own, ways: null });
    }
    const isLast = next.ways.length === 0;
    if (isLast) remove(next);
    const branch = way?.resume(isLast);
    if (branch) alive.add(branch);
    if (isLast && branch !== from) release(from);
    return branch;
  };

  for (let next = waiting.at(-1); next; next = waiting.at(-1)) {
    isSideBySide &&= waiting.length === 1 || (waiting.length <= few.branches && bytesWaiting() <= few.bytes);
    if (isSideBySide) next = waiting.reduce((last, one) => (isBehind(one, last) ? one : last));
    let branch: C | undefined;
    if (next.branch) branch = resume(next, next.branch);
    else {
      remove(next);
      branch = options.begin(next.shots);
      alive.add(branch);
    }
    if (!branch) continue;
    const stop = run(branch, program, meter);
    if (stop === FINISHED) {
      options.onEnd(branch, numEnded === 0 && waiting.length === 0);
      numEnded++;
      release(branch);
    } else if (
      isSideBySide &&
      waiting.some(other => meets(other, branch, stop) && other.branch!.join!(branch))
    )
      release(branch);
    else waiting.push({ branch, shots: null, stop, stops: next.stops + 1, ways: null });
  }
}

/** Whether a branch runs before another: it is earlier in the program, or has stopped less often. */
function isBehind<C extends SchedulableBranch>(one: Waiting<C>, other: Waiting<C>): boolean {
  const [a, b] = [one.branch, other.branch];
  if (!a || !b) return !a;
  if (a.instruction !== b.instruction) return a.instruction < b.instruction;
  if (a.operation !== b.operation) return a.operation < b.operation;
  return one.stops < other.stops;
}

/** Whether a branch that waits has stopped at the same place and has not been split yet. */
const meets = <C extends SchedulableBranch>(
  { branch, stop, ways }: Waiting<C>,
  other: C,
  at: number,
): boolean =>
  stop === at && !ways && branch?.instruction === other.instruction && branch.operation === other.operation;

const tooMany = (): SimulationError =>
  new SimulationError(
    `The program takes more than ${MAX_EXACT_BRANCHES.toLocaleString("en-US")} different courses, too many for an exact run; ask for shots instead.`,
  );

const tooLarge = (bytes: number, room: number): SimulationError =>
  new MemoryLimitError(
    `The courses that the program takes need ${formatBytes(bytes)} at a time in an exact run; at most ${formatBytes(room)} may be used here. Ask for shots instead.`,
    bytes,
  );

const BYTES_OF_NUMBER = 8;

/** Returns the expectation values of Pauli strings in the final state of a branch, before the measurements that end it. */
function finalExpectations(branch: Branch, strings: readonly PauliString[]): number[] {
  const isLost = (string: PauliString) =>
    string.some(({ qubit, pauli }) => pauli !== "Z" && branch.isDephased(qubit));
  const kept = strings.map(string =>
    isLost(string) ? [] : string.filter(({ qubit }) => !branch.cleared[qubit]),
  );
  return expectationsOf(branch.state, kept).map((value, i) => (isLost(strings[i]!) ? 0 : value));
}

/** Reports the expectation values of the observables in the final state of a branch. */
function reportExpectations(branch: Branch, run: SimulationRun): void {
  run.meter.work((run.observables.length * branch.state.bytes) / BYTES_OF_NUMBER, 1);
  const share = branch.shots ? branch.shots.length / run.shots : branch.probability;
  run.onExpectations(finalExpectations(branch, run.observables), share, branch.probability);
}

/** Runs a program with the whole state at hand; `begin` makes the branch with which it begins. */
export function runBranches<B extends Branch>(
  { parts }: Circuit,
  run: SimulationRun,
  begin: (shots: Uint32Array | null) => B,
  { joins = true, onEnd }: { joins?: boolean; onEnd?: (branch: B, isOnly: boolean) => void } = {},
): void {
  const { shots, maxBytes, random, meter, tally } = run;
  scheduleBranches<B>(link(parts), {
    shots: shots > 0 ? numbersFrom(0, shots) : null,
    meter,
    maxBytes,
    begin,
    joins,
    onEnd(branch, isOnly) {
      if (run.observables.length > 0) reportExpectations(branch, run);
      onEnd?.(branch, isOnly);
      tally.add(branch, random);
    },
  });
}

/**
 * Runs a program without noise; `begin` makes the state with which it begins. Returns the final amplitudes where they
 * are wanted. Throws a {@link SimulationError} if there are several final states.
 */
export function runPure(
  circuit: Circuit,
  run: SimulationRun,
  begin: () => QuantumState,
): number[] | undefined {
  const { numBits, numSlots } = circuit.parts;
  let statevector: number[] | undefined;
  const start = (shots: Uint32Array | null) =>
    new Branch(begin(), numBits, new Array(numSlots).fill(0n), shots, run.random);
  const onEnd = (branch: Branch, isOnly: boolean) => {
    run.tally.bytes = Math.max(run.tally.bytes, branch.state.bytes);
    if (!run.statevector) return;
    if (isOnly && !branch.measured.some((_, qubit) => branch.isDephased(qubit)))
      statevector = branch.state.amplitudes();
    else if (run.statevector !== "if single")
      throw new SimulationError(
        "The program ends in more than one state, as what it does depends on measurements or resets; it has no single state vector.",
      );
  };
  runBranches(circuit, run, start, { onEnd });
  return statevector;
}
