import { setTimeout as sleep } from "node:timers/promises";
import type { DeviceCalibration } from "../../contract/calibration.ts";
import { noiseFromCalibration } from "../../simulation/noise/model.ts";
import { readCalibration } from "../catalogue/calibrations.ts";
import type { Catalogue, CatalogueDevice } from "../catalogue/catalogue.ts";
import { transition } from "../jobs/lifecycle.ts";
import { readPrograms } from "../jobs/results.ts";
import type { Log } from "../log.ts";
import { storageProblem } from "../store/failure.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { claimJobs, findCancelling, findInterrupted, requeueAfterCrash } from "./claim.ts";
import type { RunOutcome, RunTask, Simulator } from "./messages.ts";
import { untilStored } from "./persist.ts";
import type { Run, WorkerPool } from "./pool.ts";
import { writeProgress } from "./progress.ts";
import { withProvenance } from "./provenance.ts";
import { recordOutcome } from "./settle.ts";

/** Takes jobs from the store to the workers, and what comes of them back to the store. */
export interface Dispatcher {
  /** Looks for jobs to run or to cancel. */
  wake(): void;
  /** Takes no more jobs, lets running ones go on for some milliseconds, and puts the rest back into the queue. */
  stop(grace: number): Promise<void>;
}

interface Running {
  job: JobRow;
  run: Run | undefined;
  cancelled: boolean;
  /** Whether the store has the job RUNNING. */
  started: boolean;
  ended: Promise<void>;
}

/** What a dispatcher works with. */
export interface DispatcherParts {
  store: Store;
  catalogue: Catalogue;
  pool: WorkerPool;
  clock: () => number;
  log: Log;
  /** Version of the service, which jobs note. */
  version: string;
}

/** After a poll of the store that failed. */
const RETRY_DELAY_MS = 1000;

/** How often jobs are looked for that the store has running and nobody runs. */
const SWEEP_INTERVAL_MS = 5000;

/** Starts the dispatcher of an embedded service: jobs that an earlier one left half-way are queued again. */
export async function startDispatcher({
  store,
  catalogue,
  pool,
  clock,
  log,
  version,
}: DispatcherParts): Promise<Dispatcher> {
  const simulators = idealSimulators(catalogue);
  const running = new Map<number, Running>();
  let polling: Promise<void> | undefined;
  let again = false;
  let sweeping = false;
  const stopping = new AbortController();
  const logRun = (job: JobRow) => (error: unknown) =>
    log("error", "run", { job: job.qrn, error: String((error as Error)?.stack ?? error) });
  const persist = <T>(job: JobRow, write: () => Promise<T>) =>
    untilStored(write, stopping.signal, logRun(job));

  for (const job of await findInterrupted(store)) await recover(job);
  const sweeper = setInterval(() => {
    sweeping = true;
    wake();
  }, SWEEP_INTERVAL_MS).unref();
  wake();
  return { wake, stop };

  function wake(): void {
    again = true;
    polling ??= poll()
      .catch(error => {
        log("error", "dispatch", { error: String(error?.stack ?? error) });
        if (!stopping.signal.aborted) setTimeout(wake, RETRY_DELAY_MS).unref();
      })
      .finally(() => {
        polling = undefined;
        if (again) wake();
      });
  }

  async function poll(): Promise<void> {
    while (again) {
      again = false;
      for (const job of await findCancelling(store)) await cancel(job);
      if (stopping.signal.aborted) continue;
      if (sweeping) await sweep();
      for (const job of await claimJobs(store, pool.slots - running.size, busyQpus(), clock())) start(job);
    }
  }

  /** Queues again what the store has running and nobody runs. */
  async function sweep(): Promise<void> {
    for (const job of await findInterrupted(store)) if (!running.has(job.seq)) await recover(job);
    sweeping = false;
  }

  function start(job: JobRow): void {
    const entry: Running = {
      job,
      run: undefined,
      cancelled: false,
      started: false,
      ended: Promise.resolve(),
    };
    running.set(job.seq, entry);
    entry.ended = runJob(entry);
  }

  function busyQpus(): string[] {
    return [...running.values()].flatMap(({ job }) => (job.device_type === "QPU" ? [job.device_qrn] : []));
  }

  async function cancel(job: JobRow): Promise<void> {
    const entry = running.get(job.seq);
    if (!entry) {
      await recordOutcome(store, job, catalogue.get(job.device_qrn), { kind: "cancelled" }, clock());
      return;
    }
    entry.cancelled = true;
    entry.run?.cancel();
  }

  async function runJob(entry: Running): Promise<void> {
    try {
      const outcome = await execute(entry);
      await persist(entry.job, () => settleRun(entry, outcome));
    } catch (error) {
      logRun(entry.job)(error);
      if (storageProblem(error)) return;
      const message = "The service failed while it ran this job.";
      await persist(entry.job, () => fail(entry.job, message)).catch(logRun(entry.job));
    } finally {
      running.delete(entry.job.seq);
      wake();
    }
  }

  async function settleRun(entry: Running, outcome: RunOutcome): Promise<void> {
    const { job } = entry;
    if (stopping.signal.aborted && outcome.kind === "cancelled") {
      await transition(store, job, "QUEUED", clock());
    }
    if (outcome.kind === "completed" && !entry.started) await markRunning(entry);
    await recordOutcome(store, job, catalogue.get(job.device_qrn), outcome, clock());
  }

  async function markRunning(entry: Running): Promise<void> {
    await transition(store, entry.job, "RUNNING", clock());
    entry.started = true;
  }

  /** Writes how far a run is; where that fails, the next report does better. */
  async function report(entry: Running, fraction: number): Promise<void> {
    try {
      if (!entry.started) await markRunning(entry);
      if (fraction > 0) await writeProgress(store, entry.job, fraction, clock());
    } catch (error) {
      logRun(entry.job)(error);
    }
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
    const programs = await persist(job, () => readPrograms(store, job));
    const options = JSON.parse(job.options_json);
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
      },
      fraction => reports.push(report(entry, fraction)),
    );
    if (entry.cancelled) entry.run.cancel();
    const outcome = await entry.run.outcome;
    await Promise.all(reports);
    return outcome;
  }

  async function recover(job: JobRow): Promise<void> {
    if (await requeueAfterCrash(store, job, clock())) return;
    await fail(job, "The service broke down twenty times while it ran this job.");
  }

  function fail(job: JobRow, message: string): Promise<boolean> {
    const outcome: RunOutcome = { kind: "failed", message, microseconds: null };
    return recordOutcome(store, job, catalogue.get(job.device_qrn), outcome, clock());
  }

  async function stop(grace: number): Promise<void> {
    clearInterval(sweeper);
    stopping.abort();
    await polling;
    const ends = () => Promise.all([...running.values()].map(entry => entry.ended));
    await Promise.race([ends(), sleep(grace, undefined, { ref: false })]);
    for (const entry of running.values()) entry.run?.cancel();
    await ends();
    await polling;
  }
}

/** The noise of an emulated QPU, from its calibration, or that of a model of the device's, by default its first. */
function noiseOf(
  device: CatalogueDevice,
  calibration: DeviceCalibration | undefined,
  model?: string | null,
): RunTask["noise"] {
  if (device.engine === "noisy") {
    const [first] = device.noise.values();
    return { uniform: (model && device.noise.get(model)) || first! };
  }
  return calibration ? { calibrated: noiseFromCalibration(calibration) } : null;
}

/** Lists the simulators without noise that take jobs. */
function idealSimulators(catalogue: Catalogue): Simulator[] {
  return [...catalogue.values()].flatMap(({ qrn, engine, numberQubits, status }) =>
    engine && engine !== "noisy" && engine !== "emulator" && status === "ONLINE"
      ? [{ qrn, engine, numberQubits }]
      : [],
  );
}
