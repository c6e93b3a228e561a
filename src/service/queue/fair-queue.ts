import { tierOf } from "../accounts/caller.ts";

export type FairQueue = ReturnType<typeof createFairQueue>;

/** Users without jobs that are remembered. */
const MAX_IDLE_USERS = 1000;

interface FairQueueOptions {
  /** A monotonic clock. Default: that of the process. */
  now?(): number;
  /** Whether a job may be in it. Default: every one. */
  accepts?(job: WaitingJob): boolean;
  /** Jobs of a user that wait for a device; later ones are left out until there is room. Default: no limit. */
  maxWaiting?: number;
}

/**
 * Makes a queue of the jobs that wait, in the order of weighted fair queueing: each user's next job is tagged with the
 * compute that the user will have used after it, and the lowest tag goes first. So users take turns by compute,
 * short jobs go before long ones, and nobody's jobs wait for all those of another. Times are in milliseconds.
 */
export function createFairQueue({
  now = () => performance.now(),
  accepts = () => true,
  maxWaiting = Number.POSITIVE_INFINITY,
}: FairQueueOptions = {}) {
  const users = new Map<number, UserShare>();
  const jobs = new Map<number, WaitingJob>();
  const runs = new Map<number, Run>();
  const long = new Set<number>();
  /** Start times of jobs that could not start at the last check. */
  const delayed = new Map<number, number>();
  /** Usage of the user served last; returning users start from here. */
  let served = 0;

  function userOf(id: number): UserShare {
    let user = users.get(id);
    if (!user) {
      if (users.size >= MAX_IDLE_USERS)
        for (const each of users.values()) if (isIdle(each)) users.delete(each.id);
      user = { id, used: served, waiting: new Map(), running: new Set(), durations: new Map() };
      users.set(id, user);
    }
    return user;
  }

  function nextOf(
    user: UserShare,
    { busyQpus, isExpress = false, now: time = Number.POSITIVE_INFINITY }: Capacity,
  ): WaitingJob | undefined {
    let first = Number.POSITIVE_INFINITY;
    for (const [device, seqs] of user.waiting) {
      const seq = seqs.find(each => !(isExpress && long.has(each)) && !((delayed.get(each) ?? 0) > time));
      if (seq !== undefined && seq < first && !busyQpus.has(device)) first = seq;
    }
    const job = jobs.get(first);
    return job && (isExpress ? user.running.size === 0 : mayRun(user, job.tier)) ? job : undefined;
  }

  function choose(capacity: Capacity): WaitingJob | undefined {
    let best: { job: WaitingJob; tag: number } | undefined;
    for (const user of users.values()) {
      const isFree = user.waiting.size > 0 && !capacity.busyUsers?.has(user.id);
      const job = isFree ? nextOf(user, capacity) : undefined;
      if (!job) continue;
      const tag = usedBy(user, now()) + expectedDuration(user, job.device);
      if (!best || tag < best.tag || (tag === best.tag && job.seq < best.job.seq)) best = { job, tag };
    }
    return best?.job;
  }

  function remove(seq: number): void {
    const job = jobs.get(seq);
    if (!job) return;
    jobs.delete(seq);
    long.delete(seq);
    delayed.delete(seq);
    const { waiting } = userOf(job.userId);
    const seqs = waiting.get(job.device)!;
    seqs.splice(countUpTo(seqs, seq) - 1, 1);
    if (seqs.length === 0) waiting.delete(job.device);
  }

  function add(job: WaitingJob): void {
    if (jobs.has(job.seq)) return;
    const known = users.get(job.userId)?.waiting.get(job.device)?.length ?? 0;
    if (!accepts(job) || known >= maxWaiting) return;
    const user = userOf(job.userId);
    if (isIdle(user)) user.used = Math.max(user.used, served);
    const seqs = user.waiting.get(job.device) ?? [];
    seqs.splice(countUpTo(seqs, job.seq), 0, job.seq);
    user.waiting.set(job.device, seqs);
    jobs.set(job.seq, job);
    if (job.earliestStart !== undefined) delayed.set(job.seq, job.earliestStart);
  }

  /** Counts a job as running, and no more as one that runs where it was before. Its user is charged its expected time. */
  function start(job: WaitingJob, isElsewhere = false): void {
    end(job.seq);
    const user = userOf(job.userId);
    served = Math.max(served, usedBy(user, now()));
    remove(job.seq);
    const run = { job, user, startedAt: now(), expected: expectedDuration(user, job.device), isElsewhere };
    user.running.add(run);
    user.used += run.expected;
    runs.set(job.seq, run);
  }

  /** Ends a run, charges its user for its time, and returns its job; one that has not started counts for nothing. */
  function end(seq: number, isStarted = true): WaitingJob | undefined {
    const run = runs.get(seq);
    if (!run) return undefined;
    runs.delete(seq);
    const { user, job, startedAt, expected } = run;
    user.running.delete(run);
    user.used -= expected;
    if (!isStarted) return job;
    const took = Math.max(MIN_DURATION_MS, now() - startedAt);
    user.used += took;
    const average = expectedDuration(user, job.device) * (1 - SMOOTHING) + took * SMOOTHING;
    user.durations.set(job.device, average);
    return job;
  }

  return {
    maxWaiting,
    get size() {
      return jobs.size;
    },
    add,
    /** Takes a job out that is no longer to be run. */
    remove,
    /** Returns whether a job waits that could run. */
    hasNext: (capacity: Capacity) => choose(capacity) !== undefined,
    /** Takes out the job that goes first, and counts it as running; `undefined`: none that could run. */
    take(capacity: Capacity) {
      const job = choose(capacity);
      if (job) start(job);
      return job;
    },
    /** Takes a job out that another worker has claimed, and counts it as running. */
    claimedElsewhere(seq: number) {
      const job = jobs.get(seq);
      if (job) start(job, true);
    },
    /** Notes that a job which ran elsewhere runs no more, and charges its user for its time. */
    endedElsewhere(seq: number) {
      if (runs.get(seq)?.isElsewhere) end(seq);
    },
    /** Notes that a job runs no more, and charges its user for its time. */
    ended: (seq: number) => void end(seq),
    /** Notes that a job which was taken is not to be run here, and counts for nothing: another worker has it, or it was cancelled. */
    lost: (seq: number) => void end(seq, false),
    /** Notes that of the jobs which run elsewhere, only these still do. */
    keepElsewhere(seqs: ReadonlySet<number>) {
      for (const [seq, { isElsewhere }] of runs) if (isElsewhere && !seqs.has(seq)) end(seq);
    },
    /**
     * Puts a job back that was taken, and charges its user for its time unless it was not started; one that is long waits
     * until a regular slot is free.
     */
    putBack(seq: number, reason: "unstarted" | "interrupted" | "long") {
      const job = end(seq, reason !== "unstarted");
      if (!job) return;
      add(job);
      if (reason === "long") long.add(seq);
    },
    /** Number of jobs that its device runs or takes before this one; `null` if it is not waiting. */
    position(seq: number) {
      const job = jobs.get(seq);
      if (!job) return null;
      const time = now();
      const tag = tagOf(userOf(job.userId), seq, time);
      let ahead = 0;
      for (const { job: other } of runs.values()) if (other.device === job.device) ahead += 1;
      for (const user of users.values()) {
        const seqs = user.waiting.get(job.device) ?? [];
        ahead += firstIndexWhere(seqs, each => {
          const other = tagOf(user, each, time);
          return other > tag || (other === tag && each >= seq);
        });
      }
      return ahead;
    },
    /** Earliest start of the jobs that may not start yet; `undefined` if all may start. */
    nextStart(now: number) {
      for (const [seq, start] of delayed) if (start <= now) delayed.delete(seq);
      return delayed.size > 0 ? Math.min(...delayed.values()) : undefined;
    },
    depth(device: string) {
      let depth = 0;
      for (const { waiting } of users.values()) depth += waiting.get(device)?.length ?? 0;
      return depth;
    },
  };
}

interface Capacity {
  /** QPUs that run a job: each runs one at a time. */
  busyQpus: ReadonlySet<string>;
  /** Users of whom no more jobs may run. Default: none. */
  busyUsers?: ReadonlySet<number>;
  /** Whether only a user's first job is wanted, and none that was put back for being long. Default: false. */
  isExpress?: boolean;
  /** Milliseconds since 1970: jobs that may only start later are left. Default: every job may start. */
  now?: number;
}

/** Counts the members of a list in ascending order that are at most `value`. */
const countUpTo = (ascending: readonly number[], value: number): number =>
  firstIndexWhere(ascending, each => each > value);

/** Returns the index of the first member for which a condition holds that also holds for all after it; without one, the length. */
function firstIndexWhere(values: readonly number[], condition: (value: number) => boolean): number {
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
interface UserShare {
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

const isIdle = ({ waiting, running }: UserShare): boolean => waiting.size === 0 && running.size === 0;

const expectedDuration = ({ durations }: UserShare, device: string): number =>
  durations.get(device) ?? FIRST_DURATION_MS;

const mayRun = ({ running }: UserShare, tier: string): boolean =>
  running.size < (tierOf(tier).runningJobs ?? Number.POSITIVE_INFINITY);

/** Returns a user's usage, including the excess of running jobs over their expected time. */
function usedBy({ used, running }: UserShare, now: number): number {
  let sum = used;
  for (const { startedAt, expected } of running) sum += Math.max(0, now - startedAt - expected);
  return sum;
}

/** Returns a user's usage once all jobs up to this one have ended. */
function tagOf(user: UserShare, seq: number, now: number): number {
  let tag = usedBy(user, now);
  for (const [device, seqs] of user.waiting) tag += countUpTo(seqs, seq) * expectedDuration(user, device);
  return tag;
}
