import type { Timer } from "#host/timers";
import { type Tier, tierOf } from "../accounts/tiers.ts";
import { readCalibration } from "../catalogue/calibrations.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { queuedBehind } from "../emulation/queue.ts";
import { occupation } from "../emulation/timing.ts";
import { transition } from "../jobs/lifecycle.ts";
import { compileOptionsOf, readPrograms } from "../jobs/programs.ts";
import type { FairQueue } from "../queue/fair-queue.ts";
import type { JobRow } from "../store/schema.ts";
import { type Store, type StoreTransaction, transact } from "../store/store.ts";
import { unchargedLeft, unchargedUsedUp } from "../usage/uncharged.ts";
import type { LimitName, RunOutcome } from "../workers/messages.ts";
import type { WorkerPool } from "../workers/pool.ts";
import { noiseOf, simulatorsOf, targetTaskOf } from "../workers/run-task.ts";
import type { Hold } from "./hold.ts";
import { ignoredOptions } from "./ignored-options.ts";
import { writeProgress } from "./progress.ts";
import { provenanceOf } from "./provenance.ts";
import type { RunningJob } from "./running-job.ts";

/** Dependencies of an executor. */
export interface ExecutorParts {
  store: Store;
  catalogue: Catalogue;
  pool: WorkerPool;
  clock: () => number;
  /** Version of the service, which jobs note. */
  version: string;
  /** Repeats a write or read of a job's until the storage takes it. */
  persist<T>(job: JobRow, action: () => Promise<T>): Promise<T>;
  onError(job: JobRow, error: unknown): void;
  /** Called when the store has another status or progress of a job. */
  onChange(seq: number): void;
  hold: Hold;
  queue: FairQueue;
  /** Bytes of amplitudes that a job may take here, whatever its tier. */
  memoryBytes: number;
}

/** Time after which a job is said to be RUNNING; one that has ended by then needs no write for that. */
const RUNNING_DELAY_MS = 25;

/** Makes the function that runs a job's programs in a worker thread, and reports to the store how far they are. */
export function createExecutor({
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
}: ExecutorParts): (entry: RunningJob) => Promise<RunOutcome> {
  const simulators = simulatorsOf(catalogue);

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
    const left = await persist(job, () => unchargedLeft(store, { userId: user_id, tier }, clock()));
    if (left <= 0) return failure(unchargedUsedUp(tier), "uncharged");
    const programs = await persist(job, () => readPrograms(store, job));
    if (!(await entry.turn)) return { kind: "cancelled" };
    queue.started(job.seq);
    let startedRunning: Timer | undefined;
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
        const write = () => reports.push(report(entry, fraction));
        if (fraction > 0) write();
        else startedRunning = setTimeout(write, RUNNING_DELAY_MS);
      },
    );
    if (entry.isCancelled) entry.run.cancel();
    const begun = clock();
    const outcome = await entry.run.outcome.finally(() => clearTimeout(startedRunning));
    await Promise.all(reports);
    entry.computed = performance.now() - (entry.run.startedAt ?? performance.now());
    if (outcome.kind !== "completed" || !emulation) return outcome;
    const microseconds = outcome.durations.reduce((sum, each) => sum + each, 0);
    const until = begun + occupation(emulation.timing, microseconds);
    if (clock() < until && !entry.isMarkedRunning) await report(entry, 0);
    return (await hold(entry, until)) ? outcome : { kind: "cancelled" };
  }

  /** Writes how far a run is; where that fails, the next report or the outcome makes up for it. */
  async function report(entry: RunningJob, fraction: number): Promise<void> {
    try {
      if (!entry.isMarkedRunning) await markRunning(entry);
      if (fraction > 0) await writeProgress(store, entry.job, fraction, clock());
      onChange(entry.job.seq);
    } catch (error) {
      onError(entry.job, error);
    }
  }

  async function markRunning(entry: RunningJob): Promise<void> {
    const { provenance_json } = entry.job;
    const write = (transaction: StoreTransaction) =>
      transition(transaction, entry.job, "RUNNING", clock(), { provenance_json });
    await transact(store, write, { isUrgent: true, isDurable: false });
    entry.isMarkedRunning = true;
  }

  return execute;
}

const failure = (message: string, limit?: LimitName): RunOutcome => ({
  kind: "failed",
  message,
  microseconds: null,
  ...(limit ? { limit } : {}),
});
