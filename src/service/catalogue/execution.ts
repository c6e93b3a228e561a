import { z } from "zod";
import { TIMINGS } from "../../contract/timing.ts";

/** Checks how an emulated QPU keeps time. */
export const executionSchema = z.strictObject({
  /** Milliseconds that a job takes beside its shots. */
  perTask: z.number().min(0).max(3_600_000),
  /** Microseconds that a shot takes beside its schedule, for reset. */
  perShot: z.number().min(0).max(1e6),
  /** Default timing of jobs. */
  timing: z.enum(TIMINGS).default("classroom"),
  /** The part of the time for which jobs of simulated other users keep the device busy. */
  load: z.number().min(0).max(0.95).default(0),
  /** The weekday, 0 for Sunday, and the hour, in UTC, at which maintenance begins each week; null: never. */
  maintenance: z
    .strictObject({ weekday: z.int().min(0).max(6), hour: z.int().min(0).max(23) })
    .nullable()
    .default(null),
});

/** Timing of an emulated QPU. */
export type Execution = z.output<typeof executionSchema>;
