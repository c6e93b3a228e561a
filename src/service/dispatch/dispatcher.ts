import { detach, sleep } from "#host/timers";
import { tierOf } from "../accounts/tiers.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { transition } from "../jobs/lifecycle.ts";
import type { Log } from "../log.ts";
import type { Announcement } from "../queue/announcement.ts";
import type { FairQueue } from "../queue/fair-queue.ts";
import { createFill, waitingJob } from "../queue/waiting.ts";
import { isDivisible, storageProblem } from "../storage-errors.ts";
import { type BatchOptions, createBatcher } from "../store/batcher.ts";
import type { JobRow } from "../store/schema.ts";
import { type Store, transact } from "../store/store.ts";
import type { RunOutcome } from "../workers/messages.ts";
import type { WorkerPool } from "../workers/pool.ts";
import { findCancelling, findInterrupted, findRunning, requeueAfterCrash } from "./claim.ts";
import { createClaimer } from "./claimer.ts";
import { createExecutor } from "./executor.ts";
import { createHold } from "./hold.ts";
import { LEASE_MS, renewLeases, type Worker } from "./lease.ts";
import { untilStored } from "./persist.ts";
import { createPoller } from "./poller.ts";
import { type RunningJob, runningJob } from "./running-job.ts";
import { type EndedRun, recordOutcomes } from "./settle.ts";
import { type Allotment, fillSlots } from "./slots.ts";

/** Takes jobs from the store to the workers, and what comes of them back to the store. */
export interface Dispatcher {
  /** Looks for jobs to run, with `isCancelling` for jobs to cancel, and with `isFreed` for those of QPUs and users that were busy, and with `isRequeued` for those that others put back. */
  wake(about?: { isCancelling?: boolean; isFreed?: boolean; isRequeued?: boolean }): void;
  /** Takes no more jobs, lets running ones continue for some milliseconds, and puts the rest back into the queue. */
  stop(grace: number): Promise<void>;
}

/** What a dispatcher is given. */
export interface DispatcherParts {
  store: Store;
  catalogue: Catalogue;
  queue: FairQueue;
  pool: WorkerPool;
  clock: () => number;
  log: Log;
  /** Version of the service, which jobs note. */
  version: string;
  /** Whether no other dispatcher may be at work on the store, as under the lock of a data folder. */
  isAlone: boolean;
  /** Milliseconds for which it is taken to be alive when the store does not hear of it. Default: 30,000. */
  lease?: number | undefined;
  /** Identifies it among those of the store. Default: random. */
  id?: string;
  /** Bytes of amplitudes that a job may take here; those that need more are left to others. Default: no limit. */
  memoryBytes?: number;
  /** Tells other processes what they have to know of. Default: there are none. */
  announce?(announcement: Announcement): void;
  /** Called when the store has another status or progress of a job that runs here, or its end. */
  onChange?(seq: number): void;
}

/** Outcomes that wait to be written, beyond which no job is claimed. */
const MAX_UNWRITTEN = 100;
/** Jobs that wait and are cancelled together, before more are claimed. */
const MAX_CANCELS = 50;
/** Runs that have ended are written together: while one transaction is under way, the next ones wait. */
const ENDS: BatchOptions<EndedRun> = {
  maxItems: 32,
  maxRunning: 1,
  sizeOf: ({ outcome }) => (outcome.kind === "completed" ? outcome.results.length : 0),
  isDivisible,
};
/** How often the store is asked for jobs that other processes have cancelled, while any runs here. */
const CANCEL_POLL_MS = 500;
/** How often jobs are looked for that the store has running or waiting, and this service does not. */
const SWEEP_INTERVAL_MS = 5000;
/** Starts a dispatcher: jobs that a dead one has left half-way are queued again. */
export async function startDispatcher({
  store,
  catalogue,
  queue,
  pool,
  clock,
  log,
  version,
  isAlone,
  lease = LEASE_MS,
  id = crypto.randomUUID(),
  memoryBytes = Number.POSITIVE_INFINITY,
  announce = () => {},
  onChange = () => {},
}: DispatcherParts): Promise<Dispatcher> {
  const worker: Worker = { id, isAlone, lease };
  const running = new Map<number, RunningJob>();
  /** Runs whose outcome is not written yet, those that run included, by job. */
  const unended = new Map<number, Promise<void>>();
  let hasCancelling = false;
  let isSweepDue = false;
  const stopping = new AbortController();
  const poller = createPoller(poll, {
    signal: stopping.signal,
    onError(error) {
      log("error", "dispatch", { error: String((error as Error)?.stack ?? error) });
      hasCancelling = true;
    },
  });
  const onError = (job: JobRow, error: unknown) =>
    log("error", "run", { ...labelsOf(job), error: String((error as Error)?.stack ?? error) });
  const labelsOf = ({ request_id, qrn, attempt }: JobRow) => ({
    requestId: request_id ?? undefined,
    job: qrn,
    attempt,
    worker: worker.id,
  });
  const persist = <T>(job: JobRow, action: () => Promise<T>) =>
    untilStored(action, stopping.signal, error => onError(job, error));
  const recordTogether = createBatcher(
    (runs: readonly EndedRun[]) =>
      transact(store, transaction => recordOutcomes(transaction, runs), { isUrgent: true }),
    ENDS,
  );
  const fill = createFill({ store, queue, catalogue });
  const hold = createHold({ clock, stopping: stopping.signal, onHeld: () => wake() });
  const execute = createExecutor({
    store,
    catalogue,
    pool,
    clock,
    version,
    persist,
    onError,
    onChange,
    hold,
    queue,
    memoryBytes,
  });

  const claimer = createClaimer({
    store,
    catalogue,
    queue,
    clock,
    worker,
    running,
    slots: pool.slots,
    announce,
    wake,
    onClaim: start,
  });

  await sweep();
  const sweeper = detach(
    setInterval(() => {
      wake({ isCancelling: true, isFreed: true, isRequeued: true });
    }, SWEEP_INTERVAL_MS),
  );
  const canceller = detach(
    setInterval(() => {
      if (running.size > 0) wake({ isCancelling: true });
    }, CANCEL_POLL_MS),
  );
  const renewer = detach(
    setInterval(() => {
      if (unended.size === 0) return;
      renewLeases(store, worker, clock()).catch(error => log("error", "lease", { error: String(error) }));
    }, lease / 3),
  );
  wake({ isCancelling: true });
  return { wake, stop };

  function wake({ isCancelling = false, isFreed = false, isRequeued = false } = {}): void {
    isSweepDue ||= isRequeued;
    if (isFreed) claimer.freeAll();
    hasCancelling ||= isCancelling;
    poller.request();
  }

  async function poll(): Promise<void> {
    if (isSweepDue && !stopping.signal.aborted) await sweep();
    const unwritten = unended.size - running.size;
    if (!stopping.signal.aborted && unwritten <= MAX_UNWRITTEN) await claimer.claim();
    if (!hasCancelling) return;
    hasCancelling = false;
    const limit = running.size + MAX_CANCELS;
    const found = await findCancelling(store, worker, clock(), limit);
    await Promise.all(found.map(cancel));
    if (found.length === limit) wake({ isCancelling: true });
  }

  /** Queues again what the store has running or waiting, and no dispatcher does. */
  async function sweep(): Promise<void> {
    if (!isAlone) queue.keepElsewhere(await findRunning(store));
    let isRequeued = false;
    for (const job of await findInterrupted(store, worker, clock())) {
      if (!unended.has(job.seq)) isRequeued = (await recover(job)) || isRequeued;
    }
    if (isRequeued) announce("requeued");
    await fill(seq => unended.has(seq));
    isSweepDue = false;
  }

  function start(job: JobRow, allotment: Allotment): void {
    const entry = runningJob(job, allotment);
    running.set(job.seq, entry);
    if (entry.isExpress) poller.request();
    const ended = runJob(entry).finally(() => {
      unended.delete(job.seq);
      announce({ ended: job.seq });
      claimer.freeUser(allotment.userId);
      wake();
    });
    unended.set(job.seq, ended);
  }

  async function cancel(job: JobRow): Promise<void> {
    queue.remove(job.seq);
    const entry = running.get(job.seq);
    if (!entry) {
      await record(job, { kind: "cancelled" });
      return;
    }
    if (entry.isCancelled) return;
    entry.isCancelled = true;
    entry.endWait(false);
    entry.run?.cancel();
  }

  async function runJob(entry: RunningJob): Promise<void> {
    const { seq } = entry.job;
    try {
      const outcome = await execute(entry).finally(() => {
        running.delete(seq);
        clearTimeout(entry.putBackTimer);
        fillSlots([...running.values()], pool.slots);
      });
      const isToContinue = stopping.signal.aborted || entry.isPutBack;
      const isInterrupted = outcome.kind === "cancelled" && isToContinue && !entry.isCancelled;
      const isStarted = entry.run !== undefined;
      const change = isStarted ? {} : { started_at: null };
      if (
        isInterrupted &&
        (await persist(entry.job, () => transition(store, entry.job, "QUEUED", clock(), change)))
      ) {
        queue.putBack(seq, !isStarted ? "unstarted" : entry.isPutBack ? "long" : "interrupted");
        log("info", "run", { ...labelsOf(entry.job), outcome: "queued again" });
        if (stopping.signal.aborted || !isStarted)
          announce({ added: waitingJob(catalogue, entry.job, entry.tier) });
        return;
      }
      const endedAt = clock();
      queue.ended(seq);
      wake();
      if (await leaveToOthers(entry, outcome)) return;
      const hasEnded = await persist(entry.job, () =>
        record(entry.job, outcome, { endedAt, computed: entry.computed }),
      );
      const outcomeName = hasEnded ? outcome.kind : "dropped";
      log("info", "run", {
        ...labelsOf(entry.job),
        outcome: outcomeName,
        ms: Math.round(entry.computed ?? 0),
      });
      if (!hasEnded) wake({ isCancelling: true });
    } catch (error) {
      queue.ended(seq);
      onError(entry.job, error);
      if (storageProblem(error)) return;
      const message = "The service failed while it ran this job.";
      await persist(entry.job, () => fail(entry.job, message)).catch(failure => onError(entry.job, failure));
    }
  }

  /** Puts a job back that needs more memory than there is here, and no more than its tier allows; whether it did. */
  async function leaveToOthers({ job, tier }: RunningJob, outcome: RunOutcome): Promise<boolean> {
    const bytes = outcome.kind === "failed" ? (outcome.requiredBytes ?? 0) : 0;
    if (bytes <= memoryBytes || bytes > tierOf(tier).job.bytes) return false;
    const change = { required_bytes: bytes };
    const put = await persist(job, () => transition(store, job, "QUEUED", clock(), change));
    if (put) announce({ added: waitingJob(catalogue, { ...job, ...change }, tier) });
    return put;
  }

  async function record(
    job: JobRow,
    outcome: RunOutcome,
    { endedAt = clock(), computed }: Partial<Pick<EndedRun, "endedAt" | "computed">> = {},
  ): Promise<boolean> {
    const device = catalogue.get(job.device_qrn);
    const hasEnded = await recordTogether({ job, device, outcome, endedAt, computed });
    onChange(job.seq);
    return hasEnded;
  }

  /** Returns whether the job is queued again. */
  async function recover(job: JobRow): Promise<boolean> {
    if (await requeueAfterCrash(store, job, clock())) return true;
    await fail(job, "The service broke down twenty times while it ran this job.");
    return false;
  }

  function fail(job: JobRow, message: string): Promise<boolean> {
    return record(job, { kind: "failed", message, microseconds: null });
  }

  async function stop(grace: number): Promise<void> {
    for (const timer of [sweeper, canceller]) clearTimeout(timer);
    claimer.stop();
    stopping.abort();
    await poller.idle();
    for (const entry of running.values()) if (entry.isWaiting) entry.endWait(false);
    const ends = () => Promise.all(unended.values());
    await Promise.race([ends(), sleep(grace, { ref: false })]);
    for (const entry of running.values()) entry.run?.cancel();
    await ends();
    clearInterval(renewer);
    await poller.idle();
  }
}
