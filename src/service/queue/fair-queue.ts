import { tierOf } from "../accounts/tiers.ts";
import { countUpTo, firstIndexWhere } from "./ascending.ts";

/** A job that waits for its device. */
export interface WaitingJob {
  /** Order of submission. */
  seq: number;
  userId: number;
  tier: string;
  device: string;
  isQpu: boolean;
  /** Bytes of amplitudes that it was found to need. Default: not found yet. */
  bytes?: number;
  /** When it may start, in milliseconds since 1970. Default: at once. */
  earliestStart?: number;
  /** Whether the service has broken down while it ran. Default: false. */
  hasCrashed?: boolean;
}

/** What a device can take at the moment. */
export interface Capacity {
  /** QPUs that run a job: each runs one at a time. */
  busyQpus: ReadonlySet<string>;
  /** Users of whom no more jobs may run. Default: none. */
  busyUsers?: ReadonlySet<number>;
  /** Whether only a user's first job is wanted, and none that was put back for being long. Default: false. */
  isExpress?: boolean;
  /** Milliseconds since 1970: jobs that may only start later are left. Default: every job may start. */
  now?: number;
  /**
   * Whether the job is wanted only if it runs on a simulator, is expected to be short, and has not crashed; it is taken
   * ahead, and its time counts for nothing until it has `started`. Default: false.
   */
  isShort?: boolean;
}

/**
 * The jobs that wait, in the order of weighted fair queueing: each user's next job is tagged with the compute that the
 * user will have used after it, and the lowest tag goes first. So users take turns by what they use, short jobs go
 * before long ones, and nobody's jobs wait for all those of another. Times are in milliseconds.
 */
export interface FairQueue {
  /** How many jobs were ever added, those that were left out included. */
  readonly additions: number;
  /** How many jobs wait. */
  readonly size: number;
  /** Jobs of a user that wait for a device in it, at most. */
  readonly maxWaiting: number;
  /** Whether jobs were left out: those that only others can run, and those that are too many. */
  readonly hasLeftOut: boolean;
  add(job: WaitingJob): void;
  /** Takes a job out that is no longer to be run. */
  remove(seq: number): void;
  /** Takes out the job that goes first, and counts it as running; `undefined`: none that could run. */
  take(capacity: Capacity): WaitingJob | undefined;
  /** Notes that a job which was taken ahead runs from now on. */
  started(seq: number): void;
  /** Whether a job that was taken was expected to be short, and may be still. */
  isShort(seq: number): boolean;
  /** Whether a job waits that could run. */
  hasNext(capacity: Capacity): boolean;
  /** Takes a job out that another worker has claimed, and counts it as running. */
  claimedElsewhere(seq: number): void;
  /** Notes that a job which ran elsewhere runs no more, and charges its user for its time. */
  endedElsewhere(seq: number): void;
  /** Notes that a job runs no more, and charges its user for its time. */
  ended(seq: number): void;
  /** Notes that of the jobs which run elsewhere, only these still do. */
  keepElsewhere(seqs: ReadonlySet<number>): void;
  /**
   * Puts a job back that was taken, and charges its user for its time unless it was not started; one that is long waits
   * until a regular slot is free.
   */
  putBack(seq: number, reason: "unstarted" | "interrupted" | "long"): void;
  /** How many jobs its device takes before this one, or runs; `null` when it does not wait. */
  position(seq: number): number | null;
  /** When the first of the jobs that may not start yet may start; `undefined`: all may. */
  nextStart(now: number): number | undefined;
  /** How many jobs wait for a device. */
  depth(device: string): number;
}

interface User {
  id: number;
  /** Compute used, by weight; where it is less than all others', it is lifted when the user comes back. */
  used: number;
  /** Jobs that wait for each device, in order. */
  waiting: Map<string, number[]>;
  /** Jobs that run, and those that were taken ahead, which start at infinity. */
  running: Map<number, { startedAt: number; expected: number; job: WaitingJob; isElsewhere: boolean }>;
  /** Moving average of how long the user's jobs take on each device. */
  durations: Map<string, number>;
}

/** Expected of the first job of a user on a device. */
const FIRST_DURATION_MS = 50;
const MIN_DURATION_MS = 1;
/** Expected of a short job, at most, and after which one is not short that was expected to be. */
const MAX_SHORT_MS = 10;
const MIN_LONG_MS = 100;
/** Weight of the newest duration in the average. */
const SMOOTHING = 0.3;
/** Users without jobs that are remembered. */
const MAX_IDLE_USERS = 1000;

/** How a queue is made. */
export interface FairQueueOptions {
  /** A monotonic clock. Default: that of the process. */
  now?(): number;
  /** Whether a job may be in it. Default: every one. */
  accepts?(job: WaitingJob): boolean;
  /** Jobs of a user that wait for a device; later ones are left out until there is room. Default: no limit. */
  maxWaiting?: number;
}

/** Makes an empty queue. */
export function createFairQueue({
  now = () => performance.now(),
  accepts = () => true,
  maxWaiting = Number.POSITIVE_INFINITY,
}: FairQueueOptions = {}): FairQueue {
  const users = new Map<number, User>();
  const jobs = new Map<number, WaitingJob>();
  const long = new Set<number>();
  const depths = new Map<string, number>();
  /** When jobs may start that could not yet when that was asked for last. */
  const delayed = new Map<number, number>();
  /** What the user who was served last had used: whoever comes back starts from here. */
  let served = 0;
  let additions = 0;
  let hasLeftOut = false;

  function userOf(id: number): User {
    let user = users.get(id);
    if (!user) {
      if (users.size >= MAX_IDLE_USERS)
        for (const each of users.values()) if (isIdle(each)) users.delete(each.id);
      user = { id, used: served, waiting: new Map(), running: new Map(), durations: new Map() };
      users.set(id, user);
    }
    return user;
  }

  const isIdle = ({ waiting, running }: User) => waiting.size === 0 && running.size === 0;

  const expectedOf = (user: User, device: string) => user.durations.get(device) ?? FIRST_DURATION_MS;

  const seemsShort = (user: User, { device, isQpu, seq, hasCrashed }: WaitingJob) =>
    !isQpu && !hasCrashed && !long.has(seq) && expectedOf(user, device) <= MAX_SHORT_MS;

  /** What a user has used, with what the jobs that run have taken beyond expectation. */
  function usedBy({ used, running }: User): number {
    let sum = used;
    for (const { startedAt, expected } of running.values()) sum += Math.max(0, now() - startedAt - expected);
    return sum;
  }

  /** What a user will have used once all jobs up to this one are done. */
  function tagOf(user: User, seq: number): number {
    let tag = usedBy(user);
    for (const [device, seqs] of user.waiting) tag += countUpTo(seqs, seq) * expectedOf(user, device);
    return tag;
  }

  function nextOf(
    user: User,
    { busyQpus, isExpress = false, now: time = Number.POSITIVE_INFINITY }: Capacity,
  ): WaitingJob | undefined {
    let first = Number.POSITIVE_INFINITY;
    for (const [device, seqs] of user.waiting) {
      const seq = seqs.find(each => !(isExpress && long.has(each)) && !((delayed.get(each) ?? 0) > time));
      if (seq !== undefined && seq < first && !busyQpus.has(device)) first = seq;
    }
    const job = jobs.get(first);
    if (!job) return undefined;
    const maxRunning = isExpress ? 1 : (tierOf(job.tier).runningJobs ?? Number.POSITIVE_INFINITY);
    return user.running.size < maxRunning ? job : undefined;
  }

  function choose(capacity: Capacity): { user: User; job: WaitingJob } | undefined {
    let best: { user: User; job: WaitingJob; tag: number } | undefined;
    for (const user of users.values()) {
      const isFree = user.waiting.size > 0 && !capacity.busyUsers?.has(user.id);
      const job = isFree ? nextOf(user, capacity) : undefined;
      if (!job) continue;
      const tag = usedBy(user) + expectedOf(user, job.device);
      if (!best || tag < best.tag || (tag === best.tag && job.seq < best.job.seq)) best = { user, job, tag };
    }
    return best;
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
    depths.set(job.device, depths.get(job.device)! - 1);
  }

  function add(job: WaitingJob): void {
    if (jobs.has(job.seq)) return;
    additions += 1;
    const known = users.get(job.userId)?.waiting.get(job.device)?.length ?? 0;
    if (!accepts(job) || known >= maxWaiting) {
      hasLeftOut = true;
      return;
    }
    const user = userOf(job.userId);
    if (isIdle(user)) user.used = Math.max(user.used, served);
    const seqs = user.waiting.get(job.device) ?? [];
    seqs.splice(countUpTo(seqs, job.seq), 0, job.seq);
    user.waiting.set(job.device, seqs);
    jobs.set(job.seq, job);
    if (job.earliestStart !== undefined) delayed.set(job.seq, job.earliestStart);
    depths.set(job.device, (depths.get(job.device) ?? 0) + 1);
  }

  function start(user: User, job: WaitingJob, { isElsewhere = false, isAhead = false } = {}): void {
    served = Math.max(served, usedBy(user));
    remove(job.seq);
    const expected = expectedOf(user, job.device);
    const startedAt = isAhead ? Number.POSITIVE_INFINITY : now();
    user.running.set(job.seq, { startedAt, expected, job, isElsewhere });
    user.used += expected;
  }

  /** Ends a run, and returns its job; one that has not started counts for nothing. */
  function end(seq: number, isStarted = true): WaitingJob | undefined {
    for (const user of users.values()) {
      const run = user.running.get(seq);
      if (!run) continue;
      user.running.delete(seq);
      if (!isStarted || run.startedAt > now()) {
        user.used -= run.expected;
        return run.job;
      }
      const { device } = run.job;
      const took = Math.max(MIN_DURATION_MS, now() - run.startedAt);
      user.used += took - run.expected;
      user.durations.set(device, expectedOf(user, device) * (1 - SMOOTHING) + took * SMOOTHING);
      return run.job;
    }
    return undefined;
  }

  return {
    maxWaiting,
    get additions() {
      return additions;
    },
    get size() {
      return jobs.size;
    },
    get hasLeftOut() {
      return hasLeftOut;
    },
    add,
    remove,
    hasNext: capacity => choose(capacity) !== undefined,
    take(capacity) {
      const chosen = choose(capacity);
      if (!chosen) return undefined;
      const { user, job } = chosen;
      if (capacity.isShort && !seemsShort(user, job)) return undefined;
      start(user, job, { isAhead: capacity.isShort === true });
      return job;
    },
    started(seq) {
      for (const { running } of users.values()) {
        const run = running.get(seq);
        if (run) run.startedAt = now();
      }
    },
    isShort(seq) {
      for (const { running } of users.values()) {
        const run = running.get(seq);
        if (run) return run.expected <= MAX_SHORT_MS && now() - run.startedAt < MIN_LONG_MS;
      }
      return false;
    },
    claimedElsewhere(seq) {
      const job = jobs.get(seq);
      if (job) start(userOf(job.userId), job, { isElsewhere: true });
    },
    endedElsewhere(seq) {
      for (const { running } of users.values()) if (running.get(seq)?.isElsewhere) end(seq);
    },
    ended: seq => void end(seq),
    keepElsewhere(seqs) {
      for (const { running } of users.values())
        for (const [seq, { isElsewhere }] of running) if (isElsewhere && !seqs.has(seq)) end(seq);
    },
    putBack(seq, reason) {
      const job = end(seq, reason !== "unstarted");
      if (!job) return;
      add(job);
      if (reason === "long") long.add(seq);
    },
    position(seq) {
      const job = jobs.get(seq);
      if (!job) return null;
      const tag = tagOf(userOf(job.userId), seq);
      let ahead = 0;
      for (const user of users.values()) {
        for (const run of user.running.values()) if (run.job.device === job.device) ahead += 1;
        const seqs = user.waiting.get(job.device) ?? [];
        ahead += firstIndexWhere(seqs, each => {
          const other = tagOf(user, each);
          return other > tag || (other === tag && each >= seq);
        });
      }
      return ahead;
    },
    nextStart(now) {
      for (const [seq, start] of delayed) if (start <= now) delayed.delete(seq);
      return delayed.size > 0 ? Math.min(...delayed.values()) : undefined;
    },
    depth: device => depths.get(device) ?? 0,
  };
}
