import type { Timing } from "../../contract/timing.ts";
import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import { earliestStart, endsAhead, occupation, type SubmittedJob, timingOf } from "./timing.ts";

/** Shots of a usual job, by which the start of those behind it is estimated. */
const USUAL_SHOTS = 1000;

/** Queue state of a job on an emulated QPU, for its metadata. */
export interface EmulatedQueue {
  timing: Timing;
  /** Jobs of simulated other users that it was queued behind. */
  backgroundJobs: number;
  /** Those jobs are simulated, and nobody's. */
  isSimulated: true;
  /** Expected start (ISO 8601). */
  estimatedStart?: string;
}

/** Returns what a job was queued behind. */
export function queuedBehind(device: CatalogueDevice, job: SubmittedJob): EmulatedQueue {
  const backgroundJobs = endsAhead(device, job).length;
  return { timing: timingOf(device, job), backgroundJobs, isSimulated: true };
}

/**
 * Returns how a job waits now, of which the queue has so many others before it: how many simulated jobs are `ahead`, and
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
