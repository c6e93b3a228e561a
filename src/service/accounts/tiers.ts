/** Limits of a tier. `null`: no limit. */
export interface Tier {
  /** Jobs a day on each simulator. */
  dailyJobs: number | null;
  /** Jobs of a user that run at the same time. */
  runningJobs: number | null;
  /** Limits of one job. */
  job: JobLimits;
  /** Seconds a day of compute that ends in no charge, because the job fails or is cancelled. */
  unchargedSeconds: number | null;
  /** Bytes of programs and results that the organization keeps. */
  storedBytes: number | null;
}

/** Limits of one job. */
export interface JobLimits {
  /** Seconds by the clock, for all its programs and their compilation. */
  seconds: number;
  /** Operations simulated of each program, over all branches. */
  operations: number;
  /** Bytes of amplitudes. */
  bytes: number;
}

const free: Tier = {
  dailyJobs: 500,
  runningJobs: 2,
  job: { seconds: 60, operations: 1e8, bytes: 2 ** 31 },
  unchargedSeconds: 600,
  storedBytes: 2 ** 30,
};

/** Every tier, by name. */
export const TIERS: Readonly<Record<string, Tier>> = {
  local: {
    dailyJobs: null,
    runningJobs: null,
    job: { seconds: 600, operations: 1e9, bytes: 2 ** 32 },
    unchargedSeconds: null,
    storedBytes: null,
  },
  free,
};

/** Returns what a tier of this name allows; an unknown one is `free`. */
export function tierOf(name: string): Tier {
  return TIERS[name] ?? free;
}

/** Limits the expected seconds of a job to the time that it may take. */
export function limitSeconds(tier: string, seconds: number | undefined): number | undefined {
  return seconds && Math.min(seconds, tierOf(tier).job.seconds);
}
