import type { LinkedProgram } from "../interpreter/instruction.ts";
import { FINISHED, run } from "../interpreter/run.ts";
import type { SchedulableBranch, SchedulerOptions } from "./scheduler.ts";

/** Branches that run side by side; where there are more, each runs on by itself. */
const MAX_BRANCHES = 64;
/** Bytes of all their states. */
const MAX_BYTES = 2 ** 20;
/** What a step of a branch takes beside its amplitudes, and that of a shot side by side with others, in amplitudes. */
const AMPLITUDES_OF_STEP = 4096;
const AMPLITUDES_OF_SHOT = 64;
const BYTES_OF_AMPLITUDE = 16;

/** A branch, and what it has stopped at; null for one that runs on. `stops` counts how often it has stopped. */
export interface ActiveBranch<C> {
  readonly branch: C;
  readonly stop: number | null;
  readonly stops: number;
}

/**
 * Runs branches side by side, the one that is behind all others first, and joins those that stop at the same place
 * with the same memory and state: what they share from there on runs once. Returns the branches that have not ended
 * where there are too many of them, or so many that shots run faster side by side.
 */
export function runInLockstep<C extends SchedulableBranch>(
  program: LinkedProgram,
  options: SchedulerOptions<C>,
  join: (into: C, from: C) => boolean,
): ActiveBranch<C>[] {
  const { meter } = options;
  const active: ActiveBranch<C>[] = [{ branch: options.begin(options.shots), stop: null, stops: 0 }];
  let isOnly = true;
  let running: C | undefined;
  try {
    while (active.length > 0 && isWorthwhile(active, options)) {
      const next = active.reduce((last, one) => (isBehind(one, last) ? one : last));
      active.splice(active.indexOf(next), 1);
      const { branch, stops } = next;
      running = branch;
      if (next.stop !== null) {
        const ways = options.split(branch, next.stop);
        ways.forEach((way, i) => {
          const isLast = i === ways.length - 1;
          active.push({ branch: way.resume(branch, isLast), stop: null, stops: stops + 1 });
        });
        continue;
      }
      const stop = run(branch, program, meter);
      if (stop === FINISHED) {
        options.onEnd(branch, isOnly && active.length === 0);
        isOnly = false;
        branch[Symbol.dispose]();
      } else if (
        active.some(
          other => other.stop === stop && standsAt(other.branch, branch) && join(other.branch, branch),
        )
      )
        branch[Symbol.dispose]();
      else active.push({ branch, stop, stops });
    }
  } catch (error) {
    for (const branch of new Set([running, ...active.map(one => one.branch)])) branch?.[Symbol.dispose]();
    throw error;
  }
  return active;
}

/** Whether branches are to go on one by one, and not all of their shots side by side. */
function isWorthwhile<C extends SchedulableBranch>(
  active: readonly ActiveBranch<C>[],
  { shots, batches }: SchedulerOptions<C>,
): boolean {
  if (active.length === 1) return true;
  const bytes = bytesOf(active);
  if (active.length > MAX_BRANCHES || bytes > MAX_BYTES) return false;
  const amplitudes = bytes / BYTES_OF_AMPLITUDE;
  const ofShot = AMPLITUDES_OF_SHOT + amplitudes / active.length;
  return !batches || active.length * AMPLITUDES_OF_STEP + amplitudes <= shots!.length * ofShot;
}

/** Whether a branch is to run before another: it stands earlier in the program, runs on still, or has stopped less often. */
function isBehind(one: ActiveBranch<SchedulableBranch>, other: ActiveBranch<SchedulableBranch>): boolean {
  const [a, b] = [one.branch, other.branch];
  if (a.instruction !== b.instruction) return a.instruction < b.instruction;
  if (a.operation !== b.operation) return a.operation < b.operation;
  if ((one.stop === null) !== (other.stop === null)) return one.stop === null;
  return one.stops < other.stops;
}

const standsAt = (a: SchedulableBranch, b: SchedulableBranch): boolean =>
  a.instruction === b.instruction && a.operation === b.operation;

const bytesOf = (active: readonly ActiveBranch<SchedulableBranch>[]): number =>
  active.reduce((sum, { branch }) => sum + branch.bytes, 0);
