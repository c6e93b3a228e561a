import { tierOf } from "../accounts/caller.ts";

/** Counts the members of a list in ascending order that are at most `value`. */
const countUpTo = (ascending: readonly number[], value: number): number =>
  firstIndexWhere(ascending, each => each > value);

/** Returns the index of the first member for which a condition holds that also holds for all after it; without one, the length. */
export function firstIndexWhere(values: readonly number[], condition: (value: number) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (condition(values[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export interface WaitingJob {
  /** Order of submission. */
  seq: number;
  userId: number;
  tier: string;
  device: string;
  isQpu: boolean;
  /** Bytes of amplitudes that it was found to need. Default: not found yet. */
  bytes?: number;
  /** Earliest start, in milliseconds since 1970. Default: immediately. */
  earliestStart?: number;
}

/** A job of a user that runs. */
export interface Run {
  job: WaitingJob;
  user: UserShare;
  /** By the monotonic clock. */
  startedAt: number;
  /** Milliseconds that it was expected to take, which its user was charged for. */
  expected: number;
  isElsewhere: boolean;
}

/** Usage, waiting and running jobs of a user. Times are in milliseconds. */
export interface UserShare {
  id: number;
  /** Compute used, by weight; where it is less than all others', it is lifted when the user comes back. */
  used: number;
  /** Jobs that wait for each device, in order. */
  waiting: Map<string, number[]>;
  running: Set<Run>;
  /** Moving average of how long the user's jobs take on each device. */
  durations: Map<string, number>;
}

/** Expected of the first job of a user on a device. */
const FIRST_DURATION_MS = 50;
const MIN_DURATION_MS = 1;
/** Weight of the newest duration in the average. */
const SMOOTHING = 0.3;

export const createUserShare = (id: number, used: number): UserShare => ({
  id,
  used,
  waiting: new Map(),
  running: new Set(),
  durations: new Map(),
});

export const isIdle = ({ waiting, running }: UserShare): boolean => waiting.size === 0 && running.size === 0;

export const expectedDuration = ({ durations }: UserShare, device: string): number =>
  durations.get(device) ?? FIRST_DURATION_MS;

export const mayRun = ({ running }: UserShare, tier: string): boolean =>
  running.size < (tierOf(tier).runningJobs ?? Number.POSITIVE_INFINITY);

/** Returns a user's usage, including the excess of running jobs over their expected time. */
export function usedBy({ used, running }: UserShare, now: number): number {
  let sum = used;
  for (const { startedAt, expected } of running) sum += Math.max(0, now - startedAt - expected);
  return sum;
}

/** Returns a user's usage once all jobs up to this one have ended. */
export function tagOf(user: UserShare, seq: number, now: number): number {
  let tag = usedBy(user, now);
  for (const [device, seqs] of user.waiting) tag += countUpTo(seqs, seq) * expectedDuration(user, device);
  return tag;
}

export function addWaiting({ waiting }: UserShare, { seq, device }: WaitingJob): void {
  const seqs = waiting.get(device) ?? [];
  seqs.splice(countUpTo(seqs, seq), 0, seq);
  waiting.set(device, seqs);
}

/** Removes a job from those of its user that wait for its device. */
export function removeWaiting({ waiting }: UserShare, { seq, device }: WaitingJob): void {
  const seqs = waiting.get(device)!;
  seqs.splice(countUpTo(seqs, seq) - 1, 1);
  if (seqs.length === 0) waiting.delete(device);
}

/** Counts a job as running, and charges its user its expected time. */
export function startRun(
  user: UserShare,
  job: WaitingJob,
  { startedAt, isElsewhere }: Pick<Run, "startedAt" | "isElsewhere">,
): Run {
  const run = { job, user, startedAt, expected: expectedDuration(user, job.device), isElsewhere };
  user.running.add(run);
  user.used += run.expected;
  return run;
}

/** Ends a run, and charges its user for its time; for one that was not started, for nothing. */
export function endRun(run: Run, isStarted: boolean, now: number): void {
  const { user, job, startedAt, expected } = run;
  user.running.delete(run);
  if (!isStarted) {
    user.used -= expected;
    return;
  }
  const took = Math.max(MIN_DURATION_MS, now - startedAt);
  user.used += took - expected;
  const average = expectedDuration(user, job.device) * (1 - SMOOTHING) + took * SMOOTHING;
  user.durations.set(job.device, average);
}
