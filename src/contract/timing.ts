/**
 * How long the jobs of an emulated QPU take for whoever waits, queue included. `classroom`: seconds. `realistic`: as long
 * as on a real device. `instant`: no longer than the simulation. What they cost, and the time that they are billed for,
 * is the same.
 */
export const TIMINGS = ["classroom", "realistic", "instant"] as const;

/** Timing of an emulated QPU's jobs. */
export type Timing = (typeof TIMINGS)[number];
