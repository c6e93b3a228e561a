import { setTimeout as sleep } from "node:timers/promises";
import { tierOf } from "../accounts/tiers.ts";
import { readCalibration } from "../catalogue/calibrations.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { transition } from "../jobs/lifecycle.ts";
import { readPrograms } from "../jobs/programs.ts";
import type { Log } from "../log.ts";
import type { FairQueue } from "../queue/fair-queue.ts";
import { countWaiting, findWaiting } from "../queue/waiting.ts";
import { storageProblem } from "../storage-errors.ts";
import type { JobRow } from "../store/schema.ts";
import { type Store, transact } from "../store/store.ts";
import { unchargedLeft, unchargedUsedUp } from "../usage/uncharged.ts";
import type { RunOutcome } from "../workers/messages.ts";
import type { Run, WorkerPool } from "../workers/pool.ts";
import { idealSimulators, noiseOf } from "../workers/run-task.ts";
import { claimJobs, findCancelling, findInterrupted, requeueAfterCrash } from "./claim.ts";
import { untilStored } from "./persist.ts";
import { writeProgress } from "./progress.ts";
import { withProvenance } from "./provenance.ts";
import { recordOutcome } from "./settle.ts";
import { type Allotment, allotSlots } from "./slots.ts";

/** Takes jobs from the store to the workers, and what comes of them back to the store. */
export interface Dispatcher {
  /** Looks for jobs to run, and with `isCancelling` for jobs to cancel. */
  wake(about?: { isCancelling: boolean }): void;
  /** Takes no more jobs, lets running ones go on for some milliseconds, and puts the rest back into the queue. */
  stop(grace: number): Promise<void>;
}

interface Running extends Allotment {
  job: JobRow;
  run: Run | undefined;
  cancelled: boolean;
  isPutBack: boolean;
  /** Whether the store has the job RUNNING. */
  started: boolean;
  /** Looks again whether it has to be put back. */
  limiting: NodeJS.Timeout | undefined;
}

/** What a dispatcher works with. */
export interface DispatcherParts {
  store: Store;
  catalogue: Catalogue;
  queue: FairQueue;
  pool: WorkerPool;
  clock: () => number;
  log: Log;
  /** Version of the service, which jobs note. */
  version: string;
}

/** After a poll of the store that failed. */
const RETRY_DELAY_MS = 1000;
/** After which a job is said to be RUNNING; one that has ended by then needs no write for that. */
const RUNNING_DELAY_MS = 25;
/** For which a job keeps the express slot while others wait for it. */
const EXPRESS_MS = 250;
/** Outcomes that wait to be written, beyond which no job is claimed. */
const MAX_UNWRITTEN = 100;
/** How often jobs are looked for that the store has running or waiting, and this service does not. */
const SWEEP_INTERVAL_MS = 5000;

/** Starts the dispatcher of an embedded service: jobs that an earlier one left half-way are queued again. */
export async function startDispatcher({
  store,
  catalogue,
  queue,
  pool,
  clock,
  log,
  version,
}: DispatcherParts): Promise<Dispatcher> {
  const simulators = idealSimulators(catalogue);
  const running = new Map<number, Running>();
  /** Runs whose outcome is not written yet, those that run included, by job. */
  const unended = new Map<number, Promise<void>>();
  let polling: Promise<void> | undefined;
  let again = false;
  /** The newest job that was waiting at the last claim: all up to it are QUEUED. */
  let claimedUpTo = 0;
  let hasCancelling = false;
  let isSweepDue = false;
  const stopping = new AbortController();
  const logRun = (job: JobRow) => (error: unknown) =>
    log("error", "run", { job: job.qrn, error: String((error as Error)?.stack ?? error) });
  const persist = <T>(job: JobRow, write: () => Promise<T>) =>
    untilStored(write, stopping.signal, logRun(job));

  await sweep();
  const sweeper = setInterval(() => {
    isSweepDue = true;
    wake({ isCancelling: true });
  }, SWEEP_INTERVAL_MS).unref();
  wake({ isCancelling: true });
  return { wake, stop };

  function wake({ isCancelling = false } = {}): void {
    again = true;
    hasCancelling ||= isCancelling;
    polling ??= poll()
      .catch(error => {
        log("error", "dispatch", { error: String(error?.stack ?? error) });
        if (stopping.signal.aborted) return;
        setTimeout(() => wake({ isCancelling: true }), RETRY_DELAY_MS).unref();
      })
      .finally(() => {
        polling = undefined;
        if (again) wake();
      });
  }

  async function poll(): Promise<void> {
    while (again) {
      again = false;
      if (isSweepDue && !stopping.signal.aborted) await sweep();
      if (!stopping.signal.aborted) await claim();
      if (!hasCancelling) continue;
      hasCancelling = false;
      for (const job of await findCancelling(store)) await cancel(job);
    }
  }

  /** Queues again what the store has running or waiting, and this service does not. */
  async function sweep(): Promise<void> {
    for (const job of await findInterrupted(store)) if (!unended.has(job.seq)) await recover(job);
    if ((await countWaiting(store)) > queue.size) {
      for (const { seq, user_id, tier, device_qrn, device_type } of await findWaiting(store)) {
        if (unended.has(seq)) continue;
        queue.add({ seq, userId: user_id, tier, device: device_qrn, isQpu: device_type === "QPU" });
      }
    }
    isSweepDue = false;
  }

  async function claim(): Promise<void> {
    if (unended.size > MAX_UNWRITTEN) return;
    const { taken, crowded } = allotSlots(queue, running.values(), pool.slots);
    if (crowded) limitExpress(crowded);
    const hasNew = queue.newest > claimedUpTo;
    if (taken.size === 0 && !hasNew) return;
    claimedUpTo = queue.newest;
    try {
      for (const job of await claimJobs(store, { seqs: [...taken.keys()], hasNew }, clock())) {
        start(job, taken.get(job.seq)!);
        taken.delete(job.seq);
      }
    } catch (error) {
      for (const seq of taken.keys()) queue.putBack(seq, "unstarted");
      claimedUpTo = 0;
      throw error;
    }
    for (const seq of taken.keys()) queue.ended(seq);
  }

  /** Puts the job of the express slot back once it has had its time. */
  function limitExpress(entry: Running): void {
    const left = (entry.run?.startedAt ?? performance.now()) + EXPRESS_MS - performance.now();
    if (left > 0) {
      clearTimeout(entry.limiting);
      entry.limiting = setTimeout(() => wake(), left);
    } else if (!entry.cancelled && !entry.isPutBack) {
      entry.isPutBack = true;
      entry.run?.cancel();
    }
  }

  function start(job: JobRow, allotment: Allotment): void {
    const entry: Running = {
      ...allotment,
      job,
      run: undefined,
      cancelled: false,
      isPutBack: false,
      started: false,
      limiting: undefined,
    };
    running.set(job.seq, entry);
    if (entry.isExpress) again = true;
    const ended = runJob(entry).finally(() => {
      unended.delete(job.seq);
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
    entry.cancelled = true;
    entry.run?.cancel();
  }

  async function runJob(entry: Running): Promise<void> {
    const { seq } = entry.job;
    try {
      const outcome = await execute(entry).finally(() => {
        running.delete(seq);
        clearTimeout(entry.limiting);
      });
      const isToGoOn = stopping.signal.aborted || entry.isPutBack;
      const isInterrupted = outcome.kind === "cancelled" && isToGoOn && !entry.cancelled;
      if (
        isInterrupted &&
        (await persist(entry.job, () => transition(store, entry.job, "QUEUED", clock())))
      ) {
        queue.putBack(seq, entry.isPutBack ? "long" : "interrupted");
        return;
      }
      queue.ended(seq);
      wake();
      const computed = performance.now() - (entry.run?.startedAt ?? performance.now());
      const hasEnded = await persist(entry.job, () => record(entry.job, outcome, computed));
      if (!hasEnded) wake({ isCancelling: true });
    } catch (error) {
      queue.ended(seq);
      logRun(entry.job)(error);
      if (storageProblem(error)) return;
      const message = "The service failed while it ran this job.";
      await persist(entry.job, () => fail(entry.job, message)).catch(logRun(entry.job));
    }
  }

  function record(job: JobRow, outcome: RunOutcome, computed?: number): Promise<boolean> {
    return recordOutcome(store, job, catalogue.get(job.device_qrn), outcome, clock(), computed);
  }

  async function execute(entry: Running): Promise<RunOutcome> {
    const device = catalogue.get(entry.job.device_qrn);
    if (!device?.engine) {
      return {
        kind: "failed",
        message: `The device ${entry.job.device_qrn} is no longer there.`,
        microseconds: null,
      };
    }
    const calibration = device.engine === "emulator" ? await readCalibration(device.qrn) : undefined;
    const job = withProvenance(entry.job, { version, calibration });
    entry.job = job;
    const tier = tierOf(entry.tier);
    const owner = { userId: job.user_id, tier };
    if ((await persist(job, () => unchargedLeft(store, owner, clock()))) <= 0) {
      return {
        kind: "failed",
        message: unchargedUsedUp(tier),
        microseconds: null,
        limit: "uncharged",
      };
    }
    const programs = await persist(job, () => readPrograms(store, job));
    const options = JSON.parse(job.options_json);
    let startedRunning: NodeJS.Timeout | undefined;
    const reports: Promise<void>[] = [];
    const { qrn, engine, numberQubits } = device;
    entry.run = pool.run(
      {
        device: { qrn, engine, numberQubits },
        others: simulators.filter(other => other.qrn !== qrn),
        noise: noiseOf(device, calibration, options.noiseModel),
        programs,
        inputs: options.inputs ?? {},
        shots: job.shots,
        seed: JSON.parse(job.metadata_json).seed,
        memory: options.memory === true,
        statevector: options.statevector === true,
        precision: options.precision,
        limits: tier.job,
      },
      fraction => {
        const write = () => reports.push(report(entry, fraction));
        if (fraction > 0) write();
        else startedRunning = setTimeout(write, RUNNING_DELAY_MS);
      },
    );
    if (entry.cancelled) entry.run.cancel();
    const outcome = await entry.run.outcome.finally(() => clearTimeout(startedRunning));
    await Promise.all(reports);
    return outcome;
  }

  /** Writes how far a run is; where that fails, the next report or the outcome does better. */
  async function report(entry: Running, fraction: number): Promise<void> {
    try {
      if (!entry.started) await markRunning(entry);
      if (fraction > 0) await writeProgress(store, entry.job, fraction, clock());
    } catch (error) {
      logRun(entry.job)(error);
    }
  }

  async function markRunning(entry: Running): Promise<void> {
    const write = (transaction: Store) => transition(transaction, entry.job, "RUNNING", clock());
    await transact(store, write, { isUrgent: true, isDurable: false });
    entry.started = true;
  }

  async function recover(job: JobRow): Promise<void> {
    if (await requeueAfterCrash(store, job, clock())) return;
    await fail(job, "The service broke down twenty times while it ran this job.");
  }

  function fail(job: JobRow, message: string): Promise<boolean> {
    return record(job, { kind: "failed", message, microseconds: null });
  }

  async function stop(grace: number): Promise<void> {
    clearInterval(sweeper);
    stopping.abort();
    await polling;
    const ends = () => Promise.all(unended.values());
    await Promise.race([ends(), sleep(grace, undefined, { ref: false })]);
    for (const entry of running.values()) entry.run?.cancel();
    await ends();
    await polling;
  }
}
