import { sleep, type Timer } from "#host";
import type { DeviceCalibration } from "../../contract/index.ts";
import { type Tier, tierOf } from "../accounts/caller.ts";
import { readCalibration } from "../catalogue/calibrations.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Log } from "../context.ts";
import { type EmulatedQueue, occupation, queuedBehind } from "../emulation.ts";
import { type JobChange, transition } from "../jobs/lifecycle.ts";
import { compileOptionsOf, readPrograms } from "../jobs/results.ts";
import type { WorkerPool } from "../pool.ts";
import { noiseOf, simulatorsOf, targetTaskOf } from "../programs.ts";
import type { FairQueue } from "../queue/fair-queue.ts";
import { type Announcement, waitingJob } from "../queue/job-queue.ts";
import { storageProblem } from "../storage-errors.ts";
import type { JobRow } from "../store/schema.ts";
import { type Store, type StoreTransaction, transact } from "../store/store.ts";
import { unchargedLeft, unchargedUsedUp } from "../usage/quota.ts";
import { type Engine, type LimitName, methodsOf, type RunOutcome } from "../workers/messages.ts";
import type { Worker } from "./claim.ts";
import type { RunningJob } from "./claimer.ts";
import type { OutcomeWriter } from "./settle.ts";

/** Context shared by the parts of a dispatcher. */
export interface Dispatching {
  store: Store;
  catalogue: Catalogue;
  queue: FairQueue;
  pool: WorkerPool;
  clock: () => number;
  log: Log;
  /** Version of the service, which jobs note. */
  version: string;
  worker: Worker;
  /** Bytes of amplitudes that a job may take here; those that need more are left to others. */
  memoryBytes: number;
  outcomes: OutcomeWriter;
  /** The jobs that run here, by their numbers. */
  running: Map<number, RunningJob>;
  /** Aborts when the service stops. */
  stopping: AbortSignal;
  announce(announcement: Announcement): void;
  /** Called when the store has another status or progress of a job. */
  onChange(seq: number): void;
  /** Looks for jobs to run. */
  wake(): void;
}

const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 4000;
/** Time after which a job is said to be RUNNING; one that has ended by then needs no write for that. */
const RUNNING_DELAY_MS = 25;
/** Delay before the store has another progress, by when it may have grown. */
const REPORT_DELAY_MS = 100;
/** Time after which the clock, which may have jumped, and the job are looked at again. */
const CHECK_INTERVAL_MS = 50;

/** Makes the function that runs a job which was claimed, until its outcome is written or it waits again. */
export function createJobRunner(parts: Dispatching): (entry: RunningJob) => Promise<void> {
  const { store, catalogue, queue, pool, clock, log, version, worker, memoryBytes, outcomes } = parts;
  const { running, stopping, announce, onChange, wake } = parts;
  const simulators = simulatorsOf(catalogue);
  const labelsOf = ({ request_id, qrn, attempt }: JobRow) => ({
    requestId: request_id ?? undefined,
    job: qrn,
    attempt,
    worker: worker.id,
  });
  const onError = (job: JobRow, error: unknown) =>
    log("error", "run", { ...labelsOf(job), error: String((error as Error)?.stack ?? error) });

  /**
   * Repeats a write or read of a job's until the storage takes it, so a disk that is full for a while, or a lock, loses
   * nothing. Throws every error that is not of the storage, and, once the service stops, that of a last attempt.
   */
  async function untilStored<T>(job: JobRow, action: () => Promise<T>): Promise<T> {
    for (let pause = MIN_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      const isLast = stopping.aborted;
      try {
        return await action();
      } catch (error) {
        if (isLast || !storageProblem(error)) throw error;
        onError(job, error);
      }
      await sleep(pause, { ref: false, signal: stopping }).catch(() => {});
    }
  }

  async function run(entry: RunningJob): Promise<void> {
    const { seq } = entry.job;
    const outcome = await execute(entry).finally(() => {
      running.delete(seq);
      clearTimeout(entry.putBackTimer);
    });
    const isToContinue = stopping.aborted || entry.isPutBack;
    const isInterrupted = outcome.kind === "cancelled" && isToContinue && !entry.isCancelled;
    if (isInterrupted && (await requeue(entry.job))) {
      queue.putBack(seq, entry.isPutBack ? "long" : "interrupted");
      log("info", "run", { ...labelsOf(entry.job), outcome: "queued again" });
      if (stopping.aborted) announce({ added: waitingJob(catalogue, entry.job, entry.tier) });
      return;
    }
    const endedAt = clock();
    queue.ended(seq);
    wake();
    if (await leaveToOthers(entry, outcome)) return;
    const { computed } = entry;
    const end = (by: RunOutcome) =>
      untilStored(entry.job, () => outcomes.write(entry.job, by, { endedAt, computed }));
    const ms = Math.round(computed ?? 0);
    const cancelled: RunOutcome = { kind: "cancelled" };
    const ended = (await end(outcome)) ? outcome : (await end(cancelled)) ? cancelled : { kind: "dropped" };
    log("info", "run", { ...labelsOf(entry.job), outcome: ended.kind, ms });
  }

  /** Puts a job back into the queue of the store; whether it did. */
  const requeue = (job: JobRow, change?: JobChange) =>
    untilStored(job, () => transition(store, job, "QUEUED", clock(), change));

  /** Puts a job back that needs more memory than there is here, and no more than its tier allows; whether it did. */
  async function leaveToOthers({ job, tier }: RunningJob, outcome: RunOutcome): Promise<boolean> {
    const bytes = outcome.kind === "failed" ? (outcome.requiredBytes ?? 0) : 0;
    if (bytes <= memoryBytes || bytes > tierOf(tier).job.bytes) return false;
    const change = { required_bytes: bytes };
    const put = await requeue(job, change);
    if (put) announce({ added: waitingJob(catalogue, { ...job, ...change }, tier) });
    return put;
  }

  /** Runs a job's programs in a worker thread, and reports to the store how far they are. */
  async function execute(entry: RunningJob): Promise<RunOutcome> {
    const { device_qrn, user_id } = entry.job;
    const device = catalogue.get(device_qrn);
    if (!device?.engine) return failure(`The device ${device_qrn} is no longer there.`);
    const calibration = device.engine === "emulator" ? await readCalibration(device, clock()) : undefined;
    const emulation = device.execution && queuedBehind(device, entry.job);
    const options = JSON.parse(entry.job.options_json);
    const ignored = ignoredOptions(device.engine, options);
    const job = { ...entry.job, provenance_json: provenanceOf(version, calibration, emulation, ignored) };
    entry.job = job;
    const tier: Tier = tierOf(entry.tier);
    const left = await untilStored(job, () => unchargedLeft(store, { userId: user_id, tier }, clock()));
    if (left <= 0) return failure(unchargedUsedUp(tier), "uncharged");
    const programs = await untilStored(job, () => readPrograms(store, job));
    let reporting: Timer | undefined;
    let latest = 0;
    const reports: Promise<void>[] = [];
    const { qrn, engine, numberQubits } = device;
    entry.run = pool.run(
      {
        device: { qrn, engine, numberQubits },
        others: simulators.filter(other => other.qrn !== qrn),
        noise: noiseOf(device, calibration, options),
        overhead: device.execution ?? { perTask: 0, perShot: 0 },
        target: targetTaskOf(device, calibration, options),
        programs,
        compileOptions: compileOptionsOf(job),
        shots: job.shots,
        seed: job.seed ?? 0,
        memory: options.memory === true,
        statevector: options.statevector,
        observables: options.observables ?? [],
        precision: options.precision,
        maxBondDimension: options.maxBondDimension,
        limits: { ...tier.job, bytes: Math.min(tier.job.bytes, memoryBytes) },
      },
      fraction => {
        latest = fraction;
        const write = () => {
          reporting = undefined;
          reports.push(report(entry, latest));
        };
        reporting ??= setTimeout(write, fraction > 0 ? REPORT_DELAY_MS : RUNNING_DELAY_MS);
      },
    );
    if (entry.isCancelled) entry.run.cancel();
    const begun = clock();
    const outcome = await entry.run.outcome.finally(() => clearTimeout(reporting));
    await Promise.all(reports);
    entry.computed = performance.now() - (entry.run.startedAt ?? performance.now());
    if (outcome.kind !== "completed" || !emulation) return outcome;
    const microseconds = outcome.durations.reduce((sum, each) => sum + each, 0);
    const until = begun + occupation(emulation.timing, microseconds);
    if (clock() < until && !entry.isMarkedRunning) await report(entry, 0);
    return (await occupyDevice(entry, until)) ? outcome : { kind: "cancelled" };
  }

  /** Writes how far a run is; where that fails, the next report or the outcome makes up for it. */
  async function report(entry: RunningJob, fraction: number): Promise<void> {
    const { job } = entry;
    try {
      if (!entry.isMarkedRunning) {
        const { provenance_json } = job;
        const mark = (transaction: StoreTransaction) =>
          transition(transaction, job, "RUNNING", clock(), { provenance_json });
        await transact(store, mark, { isUrgent: true, isDurable: false });
        entry.isMarkedRunning = true;
      }
      const write = (transaction: StoreTransaction) =>
        transaction
          .updateTable("jobs")
          .set({ progress: Math.round(fraction * 1000), updated_at: clock() })
          .where("seq", "=", job.seq)
          .where("attempt", "=", job.attempt)
          .where("status", "=", "RUNNING")
          .execute();
      if (fraction > 0) await transact(store, write, { isDurable: false });
      onChange(job.seq);
    } catch (error) {
      onError(job, error);
    }
  }

  /**
   * Lets a job, once it is simulated, keep its emulated QPU busy until a time; its slot is free. Resolves to whether that
   * has come; it has not where the job is cancelled, or the service stops.
   */
  async function occupyDevice(entry: RunningJob, until: number): Promise<boolean> {
    if (clock() >= until) return true;
    entry.isOccupying = true;
    wake();
    while (clock() < until) {
      if (entry.isCancelled || stopping.aborted) return false;
      await sleep(Math.min(until - clock(), CHECK_INTERVAL_MS), { signal: stopping }).catch(() => {});
    }
    return true;
  }

  return async entry => {
    try {
      await run(entry);
    } catch (error) {
      queue.ended(entry.job.seq);
      onError(entry.job, error);
      if (storageProblem(error)) return;
      const message = "The service failed while it ran this job.";
      await untilStored(entry.job, () => outcomes.fail(entry.job, message)).catch(failure =>
        onError(entry.job, failure),
      );
    }
  };
}

const failure = (message: string, limit?: LimitName): RunOutcome => ({
  kind: "failed",
  message,
  microseconds: null,
  ...(limit ? { limit } : {}),
});

const everywhere = ["seed", "memory", "inputs", "noiseModel"];
const emulated = ["noise", "optimizationLevel", "initialLayout", "verbatim", "timing"];
const simulated = ["statevector", "observables", "precision"];

/** Returns the names of a job's options that its engine does not read. */
function ignoredOptions(engine: Engine, options: object): string[] {
  const read = new Set([...everywhere, ...(engine === "emulator" ? emulated : simulated)]);
  if (methodsOf(engine).some(method => method === "matrix product state")) read.add("maxBondDimension");
  return Object.keys(options).filter(name => !read.has(name));
}

/**
 * Returns the circumstances of a job as JSON: the service, the calibration (null: none), the queue of an emulated QPU and
 * the names of the options that the device ignores.
 */
function provenanceOf(
  version: string,
  calibration: DeviceCalibration | undefined,
  emulation: EmulatedQueue | undefined,
  ignored: readonly string[],
): string {
  return JSON.stringify({
    service: { name: "ketbook", version },
    calibration: calibration ? { lastCalibrated: calibration.lastCalibrated } : null,
    ...(emulation ? { emulation } : {}),
    ...(ignored.length > 0 ? { ignoredOptions: ignored } : {}),
  });
}
