import type { Timing } from "../../contract/timing.ts";
import { philox } from "../../simulation/sampling/philox.ts";
import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import { afterOutages } from "./outage.ts";

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

/** Inputs of a device's simulated load. */
export type LoadedDevice = Pick<CatalogueDevice, "qrn" | "execution">;

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

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
}
