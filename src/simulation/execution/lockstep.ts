import type { LinkedProgram } from "../interpreter/instruction.ts";
import { FINISHED, run } from "../interpreter/run.ts";
import type { SchedulableBranch, SchedulerOptions } from "./scheduler.ts";

/** Maximum branches in lockstep, and bytes of their states. With more, each continues by itself. */
const LIMITS = {
  shots: { branches: 64, bytes: 2 ** 20 },
  exact: { branches: 1024, bytes: 2 ** 26 },
} as const;

/** A branch, and what it has stopped at; null for one that runs on. `stops` counts how often it has stopped. */
export interface ActiveBranch<C> {
  readonly branch: C;
  readonly stop: number | null;
  readonly stops: number;
}

/**
 * Runs branches side by side, the one that is behind all others first, and joins those that stop at the same place
 * with the same memory and state: what they share from there on runs once. Returns the branches that have not ended
 * once there are too many of them.
 */
export function runInLockstep<C extends SchedulableBranch>(
  program: LinkedProgram,
  options: SchedulerOptions<C>,
  join: (into: C, from: C) => boolean,
): ActiveBranch<C>[] {
  const { meter } = options;
  const limits = LIMITS[options.shots ? "shots" : "exact"];
  const active: ActiveBranch<C>[] = [{ branch: options.begin(options.shots), stop: null, stops: 0 }];
  let isOnly = true;
  let running: C | undefined;
  try {
    while (active.length > 0 && fits(active, limits)) {
      const next = active.reduce((last, one) => (isBehind(one, last) ? one : last));
      active.splice(active.indexOf(next), 1);
      const { branch, stops } = next;
      running = branch;
      if (next.stop !== null) {
        const ways = options.split(branch, next.stop);
        if (ways.length === 0) branch[Symbol.dispose]();
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

/** Whether branches are few and small enough for lockstep; one always is. */
const fits = (
  active: readonly ActiveBranch<SchedulableBranch>[],
  limits: (typeof LIMITS)[keyof typeof LIMITS],
): boolean =>
  active.length === 1 ||
  (active.length <= limits.branches &&
    active.reduce((sum, { branch }) => sum + branch.bytes, 0) <= limits.bytes);

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
