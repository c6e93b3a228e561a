import { SimulationError } from "../errors.ts";
import type { ExecutionState } from "../interpreter/execution-state.ts";
import type { LinkedProgram } from "../interpreter/instruction.ts";
import type { Meter } from "../interpreter/meter.ts";
import { FINISHED, run } from "../interpreter/run.ts";
import { type ActiveBranch, runInLockstep } from "./lockstep.ts";

/** A branch that can wait while others run. */
export interface SchedulableBranch extends ExecutionState, Disposable {
  /** Bytes of its state. */
  readonly bytes: number;
}

/** What comes next for some of the shots of a branch that has stopped, or for a share of its probability. */
export interface Continuation<C> {
  /** Null in an exact run. */
  readonly shots: Uint32Array | null;
  /** Returns the branch that continues so: the one that has stopped where nothing else continues from it, or a copy. */
  resume(from: C, isLast: boolean): C;
}

/** What a run of branches works with. */
export interface SchedulerOptions<C> {
  /** The shots that run; null for exact probabilities. */
  readonly shots: Uint32Array | null;
  readonly meter: Meter;
  /** Maximum number of bytes of the states that wait; branches beyond that are run again from the start. Default: no limit. */
  readonly maxBytes?: number;
  /** Maximum number of branches of an exact run. */
  readonly maxBranches: number;
  /** Makes the branch with which the program begins for some shots; again for the same shots, it takes the same way. */
  begin(shots: Uint32Array | null): C;
  /** Returns the continuations of a branch that has stopped at what {@link run} has returned; none where it is all but impossible. */
  split(branch: C, stop: number): Continuation<C>[];
  /**
   * Joins a branch into another that has stopped at the same place, where both have the same memory and state; returns
   * whether it did. Default: branches are never joined.
   */
  join?(into: C, from: C): boolean;
  /** Is called at the end of each branch; `isOnly` says that there is no other. */
  onEnd(branch: C, isOnly: boolean): void;
}

/** The ways that a branch has taken where there were several, the latest first. */
interface Path {
  readonly taken: number;
  readonly before: Path | null;
}

/** Branches that wait, continuations of one, or such without one from the start of the program along a path. */
type Waiting<C> =
  | (ActiveBranch<C> & { readonly from: null; readonly path: null })
  | { readonly from: C; readonly path: Path | null; readonly ways: { place: number; way: Continuation<C> }[] }
  | { readonly from: null; readonly path: Path | null; readonly shots: Uint32Array | null };

/**
 * Runs a program: one branch for all shots, which part where they differ, so that each distinct branch runs once from
 * there on. Branches that wait are kept for as long as there is room; the others begin anew when it is their turn.
 */
export function scheduleBranches<C extends SchedulableBranch>(
  program: LinkedProgram,
  options: SchedulerOptions<C>,
): void {
  const { shots, meter, maxBytes = Number.POSITIVE_INFINITY, maxBranches } = options;
  const waiting: Waiting<C>[] = options.join
    ? runInLockstep(program, options, options.join).map(active => ({ ...active, from: null, path: null }))
    : [{ from: null, path: null, shots }];
  using _leftovers = {
    [Symbol.dispose]() {
      for (const one of waiting) ("branch" in one ? one.branch : one.from)?.[Symbol.dispose]();
    },
  };
  let waitingBytes = 0;
  let numBranches = waiting.length;
  let ended = 0;
  for (let next = waiting.at(-1); next; next = waiting.at(-1)) {
    let branch: C;
    let known: number | null = null;
    let path = next.path;
    let replay: number[] = [];
    if ("ways" in next) {
      const { place, way } = next.ways.pop()!;
      const isLast = next.ways.length === 0;
      const { bytes } = next.from;
      branch = way.resume(next.from, isLast);
      if (isLast) {
        waiting.pop();
        waitingBytes -= bytes;
      }
      path = { taken: place, before: path };
    } else if ("branch" in next) {
      waiting.pop();
      ({ branch, stop: known } = next);
    } else {
      waiting.pop();
      branch = options.begin(next.shots);
      if (!next.shots) replay = placesOf(path);
      path = null;
    }
    using _branch = { [Symbol.dispose]: () => branch[Symbol.dispose]() };
    let isGone = false;
    for (
      let stop = known ?? run(branch, program, meter);
      stop !== FINISHED;
      stop = run(branch, program, meter)
    ) {
      const ways = options.split(branch, stop);
      isGone = ways.length === 0;
      if (isGone) break;
      if (ways.length === 1) {
        branch = ways[0]!.resume(branch, true);
        continue;
      }
      const replayed = replay.shift();
      if (replayed !== undefined) branch = ways[replayed]!.resume(branch, true);
      else {
        numBranches += ways.length - 1;
        if (!shots && numBranches > maxBranches) throw tooMany(maxBranches);
        const others = ways.map((way, place) => ({ place, way })).slice(1);
        const fits = waitingBytes + branch.bytes <= maxBytes;
        const from = branch;
        branch = ways[0]!.resume(from, !fits);
        if (fits) {
          waitingBytes += from.bytes;
          waiting.push({ from, path, ways: others.reverse() });
        } else
          for (const { place, way } of others.reverse())
            waiting.push({ from: null, path: { taken: place, before: path }, shots: way.shots });
      }
      path = { taken: replayed ?? 0, before: path };
    }
    if (isGone) continue;
    options.onEnd(branch, ended === 0 && waiting.length === 0);
    ended++;
  }
}

function placesOf(path: Path | null): number[] {
  const places: number[] = [];
  for (let link = path; link; link = link.before) places.push(link.taken);
  return places.reverse();
}

const tooMany = (maxBranches: number): SimulationError =>
  new SimulationError(
    `The program takes more than ${maxBranches.toLocaleString("en-US")} different courses, too many for an exact run; ask for shots instead.`,
  );
