import { detach, sleep } from "#host";
import { createFill } from "../queue/job-queue.ts";
import type { JobRow } from "../store/schema.ts";
import {
  findCancelling,
  findInterrupted,
  findRunning,
  isLastCrash,
  LEASE_MS,
  RENEWED,
  renewLeases,
  requeueAfterCrash,
  type Worker,
} from "./claim.ts";
import { type Allotment, createClaimer, type RunningJob } from "./claimer.ts";
import { createJobRunner, type Dispatching } from "./job-runner.ts";
import { createOutcomeWriter } from "./settle.ts";

/** Takes jobs from the store to the workers, and what comes of them back to the store. */
export interface Dispatcher {
  /** Looks for jobs to run, and with `isSweep` for those to cancel, and those that others put back or left half-way. */
  wake(isSweep?: boolean): void;
  /** Takes no more jobs, lets running ones continue for some milliseconds, and puts the rest back into the queue. */
  stop(grace: number): Promise<void>;
}

interface DispatcherParts
  extends Pick<Dispatching, "store" | "catalogue" | "queue" | "pool" | "clock" | "log" | "version">,
    Partial<Pick<Dispatching, "memoryBytes" | "announce" | "onChange">>,
    Pick<Worker, "isAlone"> {
  lease?: number | undefined;
  /** Identifies it among those of the store. Default: random. */
  id?: string;
}

/** Outcomes that wait to be written, beyond which no job is claimed. */
const MAX_UNWRITTEN = 100;
/** Jobs that wait and are cancelled together, before more are claimed. */
const MAX_CANCELS = 50;
/** After a poll that failed. */
const RETRY_DELAY_MS = 1000;
/** Interval of sweeps: often while jobs run here that others may cancel. */
const BUSY_SWEEP_MS = 500;
const IDLE_SWEEP_MS = 5000;

/** Starts a dispatcher: jobs that a dead one has left half-way are queued again. */
export async function startDispatcher({
  isAlone,
  lease = LEASE_MS,
  id = crypto.randomUUID(),
  memoryBytes = Number.POSITIVE_INFINITY,
  announce = () => {},
  onChange = () => {},
  ...parts
}: DispatcherParts): Promise<Dispatcher> {
  const { store, queue, pool, clock, log } = parts;
  const worker: Worker = { id, isAlone, lease };
  const running = new Map<number, RunningJob>();
  /** Runs whose outcome is not written yet, those that run included, by job. */
  const unended = new Map<number, Promise<void>>();
  let isSweepDue = false;
  let isPollDue = false;
  let polling: Promise<void> | undefined;
  const stopping = new AbortController();
  const outcomes = createOutcomeWriter({ ...parts, onChange });
  const own = { worker, running, outcomes, memoryBytes, stopping: stopping.signal };
  const shared: Dispatching = { ...parts, ...own, announce, onChange, wake };
  const runJob = createJobRunner(shared);
  const claim = createClaimer({ ...shared, slots: pool.slots, onClaim: start });
  const sweep = createSweep({ ...shared, isHere: seq => unended.has(seq) });

  await sweep();
  const every = (ms: number, action: () => void) => detach(setInterval(action, ms));
  const timers = [
    every(IDLE_SWEEP_MS, () => wake(true)),
    every(BUSY_SWEEP_MS, () => {
      if (running.size > 0) wake(true);
    }),
  ];
  const renewer = every(lease * RENEWED, () => {
    if (unended.size === 0) return;
    renewLeases(store, worker, clock()).catch(error => log("error", "lease", { error: String(error) }));
  });
  wake(true);
  return { wake, stop };

  function wake(isSweep = false): void {
    isSweepDue ||= isSweep;
    isPollDue = true;
    polling ??= pollWhileDue();
  }

  /** Polls one at a time, and again where that is asked for meanwhile, or a second after one that failed. */
  async function pollWhileDue(): Promise<void> {
    while (isPollDue) {
      isPollDue = false;
      await poll().catch(error => {
        log("error", "dispatch", { error: String((error as Error)?.stack ?? error) });
        isSweepDue = true;
        if (!stopping.signal.aborted) detach(setTimeout(wake, RETRY_DELAY_MS));
      });
    }
    polling = undefined;
  }

  async function poll(): Promise<void> {
    const isSweep = isSweepDue;
    isSweepDue = false;
    if (isSweep && !stopping.signal.aborted) await sweep();
    const unwritten = unended.size - running.size;
    if (!stopping.signal.aborted && unwritten <= MAX_UNWRITTEN) await claim();
    if (!isSweep) return;
    const limit = running.size + MAX_CANCELS;
    const found = await findCancelling(store, worker, clock(), limit);
    await Promise.all(found.map(cancel));
    if (found.length === limit) wake(true);
  }

  function start(job: JobRow, allotment: Allotment): void {
    const state = { isCancelled: false, isPutBack: false, isMarkedRunning: false, isOccupying: false };
    const entry: RunningJob = { ...allotment, job, ...state };
    running.set(job.seq, entry);
    if (entry.isExpress) wake();
    const ended = runJob(entry).finally(() => {
      unended.delete(job.seq);
      announce({ ended: job.seq });
      wake();
    });
    unended.set(job.seq, ended);
  }

  async function cancel(job: JobRow): Promise<void> {
    queue.remove(job.seq);
    const entry = running.get(job.seq);
    if (!entry) {
      if (!unended.has(job.seq)) await outcomes.write(job, { kind: "cancelled" });
      return;
    }
    if (entry.isCancelled) return;
    entry.isCancelled = true;
    entry.run?.cancel();
  }

  async function stop(grace: number): Promise<void> {
    for (const timer of timers) clearInterval(timer);
    stopping.abort();
    await polling;
    const ends = () => Promise.all(unended.values());
    await Promise.race([ends(), sleep(grace, { ref: false })]);
    for (const entry of running.values()) entry.run?.cancel();
    await ends();
    clearInterval(renewer);
    await polling;
  }
}

interface SweepParts
  extends Pick<Dispatching, "store" | "catalogue" | "queue" | "clock" | "worker" | "outcomes" | "announce"> {
  /** Whether a job is in this process's hands. */
  isHere(seq: number): boolean;
}

/** Makes the function that queues again what the store has running or waiting, and no dispatcher does. */
export function createSweep(parts: SweepParts): () => Promise<void> {
  const { store, queue, clock, worker, outcomes, announce, isHere } = parts;
  const fill = createFill(parts);
  return async () => {
    if (!worker.isAlone) queue.keepElsewhere(await findRunning(store));
    let isRequeued = false;
    for (const job of await findInterrupted(store, worker, clock())) {
      if (isHere(job.seq)) continue;
      if (isLastCrash(job))
        await outcomes.fail(job, "The service broke down twenty times while it ran this job.");
      else if (await requeueAfterCrash(store, job, clock())) isRequeued = true;
    }
    if (isRequeued) announce("requeued");
    await fill(isHere);
  };
}
