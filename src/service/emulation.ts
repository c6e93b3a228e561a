import type { Timing } from "../contract/index.ts";
import { philox } from "../simulation/noise/index.ts";
import { calibrationDay, calibrationTime, hashOf } from "./catalogue/calibrations.ts";
import type { Catalogue, CatalogueDevice } from "./catalogue/catalogue.ts";
import type { JobRow } from "./store/schema.ts";

/** Milliseconds of the process's unit of time: jobs of others take up to 1.1 of it. */
const UNIT_MS: Readonly<Record<Exclude<Timing, "instant">, number>> = { classroom: 1000, realistic: 60_000 };
const MEAN_UNITS = 0.65;
const SPREAD_UNITS = 0.9;
/** Others send no more jobs to a device at which they would wait for longer. */
const MAX_WAIT_UNITS = 5;
/** Units of time that are simulated together, and as many before them in which the queue builds up. */
const EPOCH_UNITS = 128;
const MAX_ARRIVALS = 8;

/** A job of a simulated other user; times are in milliseconds since 1970. */
interface BackgroundJob {
  readonly arrival: number;
  readonly start: number;
  readonly end: number;
}

type LoadedDevice = Pick<CatalogueDevice, "qrn" | "execution">;

const latest = new Map<string, { epoch: number; jobs: readonly BackgroundJob[] }>();

/**
 * Returns when the jobs end that simulated other users have waiting or running on a device at a time, in ascending
 * order. They arrive by a Poisson process and run one at a time; it is the same for the same device and time.
 */
export function backgroundEnds(device: LoadedDevice, timing: Timing, time: number): number[] {
  return jobsAround(device, timing, time).flatMap(({ arrival, end }) =>
    arrival <= time && end > time ? [end] : [],
  );
}

/** Returns for how many milliseconds jobs of others have waited of late on average; null: there are none. */
export function backgroundWait(device: LoadedDevice, timing: Timing, time: number): number | null {
  const past = jobsAround(device, timing, time).filter(({ arrival }) => arrival <= time);
  if (past.length === 0) return null;
  return Math.round(past.reduce((sum, { arrival, start }) => sum + start - arrival, 0) / past.length);
}

/** Returns the jobs of the epoch of a time, and of the one before. */
function jobsAround(
  { qrn, execution }: LoadedDevice,
  timing: Timing,
  time: number,
): readonly BackgroundJob[] {
  if (!execution || execution.load === 0 || timing === "instant") return [];
  const unit = UNIT_MS[timing];
  const epoch = Math.floor(time / (unit * EPOCH_UNITS));
  const key = `${qrn} ${timing} ${execution.timing}`;
  const known = latest.get(key);
  if (known?.epoch === epoch) return known.jobs;
  const random = philox(hashOf(qrn));
  const rate = execution.load / MEAN_UNITS;
  const jobs: BackgroundJob[] = [];
  let free = 0;
  for (let slot = (epoch - 1) * EPOCH_UNITS; slot < (epoch + 1) * EPOCH_UNITS; slot++) {
    const uniform = (stream: number) => random.uniform(slot >>> 0, UNIT_MS[timing], stream);
    const arrivals = Array.from(
      { length: poisson(rate, uniform(0)) },
      (_, i) => (slot + uniform(1 + 2 * i)) * unit,
    );
    arrivals.sort((a, b) => a - b);
    arrivals.forEach((at, i) => {
      const arrival = Math.floor(at);
      const start = afterOutages({ execution }, Math.max(free, arrival));
      if (start - arrival > MAX_WAIT_UNITS * unit) return;
      const units = MEAN_UNITS + SPREAD_UNITS * (uniform(2 + 2 * i) - 0.5);
      free = start + Math.ceil(units * unit);
      jobs.push({ arrival, start, end: free });
    });
  }
  latest.set(key, { epoch, jobs });
  return jobs;
}

/** Returns a number of arrivals, of their mean number and a uniform random number. */
function poisson(mean: number, uniform: number): number {
  let [count, term] = [0, Math.exp(-mean)];
  for (let sum = term; uniform > sum && count < MAX_ARRIVALS; sum += term) {
    count += 1;
    term *= mean / count;
  }
  return count;
}

const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;
/** 1970 began on a Thursday. */
const FIRST_WEEKDAY = 4;

/** Durations of outages, in milliseconds. */
const LENGTHS = {
  classroom: { calibration: 20_000, maintenance: 300_000 },
  realistic: { calibration: HOUR_MS / 2, maintenance: 2 * HOUR_MS },
} as const;

/** A time at which an emulated QPU takes no jobs. */
interface Outage {
  readonly status: "OFFLINE" | "UNAVAILABLE";
  readonly message: string;
  /** End, in milliseconds since 1970. */
  readonly until: number;
}

type Scheduled = Pick<CatalogueDevice, "execution">;

/**
 * Returns the outage of an emulated QPU at a time, in milliseconds since 1970: it is OFFLINE during its weekly
 * maintenance, and UNAVAILABLE while it is calibrated each day. Devices that keep no time have none.
 */
export function outageAt({ execution }: Scheduled, time: number): Outage | undefined {
  if (!execution || execution.timing === "instant") return undefined;
  const lengths = LENGTHS[execution.timing];
  if (execution.maintenance) {
    const { weekday, hour } = execution.maintenance;
    const first = (((weekday - FIRST_WEEKDAY + 7) % 7) * 24 + hour) * HOUR_MS;
    const begin = time - ((time - first) % WEEK_MS);
    const until = begin + lengths.maintenance;
    if (time < until)
      return { status: "OFFLINE", message: "In maintenance, as every week (emulated).", until };
  }
  const until = calibrationTime(calibrationDay(time)) + lengths.calibration;
  if (time < until)
    return { status: "UNAVAILABLE", message: "Being calibrated, as every day (emulated).", until };
  return undefined;
}

export function devicesInOutage(catalogue: Catalogue, time: number): string[] {
  return [...catalogue.values()].flatMap(device => (outageAt(device, time) ? [device.qrn] : []));
}

/** Returns the time, or the end of the outages that it falls into. */
function afterOutages(device: Scheduled, time: number): number {
  const outage = outageAt(device, time);
  return outage ? afterOutages(device, outage.until) : time;
}

/** Returns a device as it is at a time: during an outage with the status, message and end of that. */
export function deviceAt(device: CatalogueDevice, time: number): CatalogueDevice {
  const outage = device.status === "ONLINE" ? outageAt(device, time) : undefined;
  if (!outage) return device;
  const { status, message, until } = outage;
  return { ...device, status, statusMsg: message, nextAvailable: new Date(until).toISOString() };
}

/** Maximum duration of a job with classroom timing, in milliseconds. */
const MAX_CLASSROOM_MS = 1500;

export type SubmittedJob = Pick<JobRow, "options_json" | "created_at">;

/** Returns how long a job takes for anyone who waits: as its options say, or else its device. Simulators take no longer than they do. */
function timingOf({ execution }: Pick<CatalogueDevice, "execution">, job: SubmittedJob): Timing {
  if (!execution) return "instant";
  return (JSON.parse(job.options_json) as { timing?: Timing }).timing ?? execution.timing;
}

/** Returns for how many milliseconds a job keeps its device, of the time that it is billed for. */
export function occupation(timing: Timing, microseconds: number): number {
  const milliseconds = Math.ceil(microseconds / 1000);
  if (timing === "instant") return 0;
  return timing === "realistic" ? milliseconds : Math.min(milliseconds, MAX_CLASSROOM_MS);
}

/** Returns when the jobs of simulated other users end that were on a device when a job was submitted. */
function endsAhead(device: CatalogueDevice, job: SubmittedJob): number[] {
  return backgroundEnds(device, timingOf(device, job), job.created_at);
}

/** Returns the time before which a job does not start, in milliseconds since 1970: when the jobs of others are done. */
export function earliestStart(device: CatalogueDevice | undefined, job: SubmittedJob): number {
  if (!device?.execution || timingOf(device, job) === "instant") return job.created_at;
  return afterOutages(device, endsAhead(device, job).at(-1) ?? job.created_at);
}

/** Shots of a usual job, by which the start of those behind it is estimated. */
const USUAL_SHOTS = 1000;

export interface EmulatedQueue {
  timing: Timing;
  /** Jobs of simulated other users that it was queued behind. */
  backgroundJobs: number;
  /** Those jobs are simulated, and nobody's. */
  isSimulated: true;
  /** Expected start (ISO 8601). */
  estimatedStart?: string;
}

export function queuedBehind(device: CatalogueDevice, job: SubmittedJob): EmulatedQueue {
  const backgroundJobs = endsAhead(device, job).length;
  return { timing: timingOf(device, job), backgroundJobs, isSimulated: true };
}

/**
 * Returns how a job waits now, of which the queue has the given number of others before it: how many simulated jobs are `ahead`, and
 * when it is expected to start.
 */
export function emulatedQueue(
  device: CatalogueDevice,
  job: SubmittedJob,
  { position, now }: { position: number; now: number },
): EmulatedQueue & { ahead: number } {
  const { perTask = 0, perShot = 0 } = device.execution ?? {};
  const usual = occupation(timingOf(device, job), perTask * 1000 + perShot * USUAL_SHOTS);
  const start = Math.max(now, earliestStart(device, job)) + position * usual;
  return {
    ...queuedBehind(device, job),
    ahead: endsAhead(device, job).filter(end => end > now).length,
    estimatedStart: new Date(start).toISOString(),
  };
}
