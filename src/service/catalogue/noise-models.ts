import { z } from "zod";
import type { UniformNoise } from "../../simulation/noise/channel.ts";
import standard from "./noise-models.json" with { type: "json" };

export { type NoiseProblem, noiseProblems } from "../../simulation/noise/check-rules.ts";

const probability = z.number().min(0).max(1);
const time = z.number().positive();

/** One channel; times are in nanoseconds. */
const channel = z.discriminatedUnion("channel", [
  z.strictObject({ channel: z.literal("depolarizing"), probability }),
  z.strictObject({ channel: z.literal("amplitude_damping"), gamma: probability }),
  z.strictObject({ channel: z.literal("phase_damping"), lambda: probability }),
  z
    .strictObject({ channel: z.literal("thermal_relaxation"), T1: time, T2: time, time: z.number().min(0) })
    .refine(({ T1, T2 }) => T2 <= 2 * T1, { path: ["T2"], error: "must be at most twice T1" }),
]);

/** Describes a noise model that devices can have by name. */
export const noiseModelSchema = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  oneQubit: z.array(channel),
  twoQubit: z.array(channel),
  readout: z.strictObject({ zeroGivenOne: probability, oneGivenZero: probability }),
});

/** A noise model with its name. */
export interface NamedNoise extends UniformNoise {
  readonly name: string;
  readonly description: string;
}

/** The noise models that every catalogue has. */
export const STANDARD_NOISE: unknown = standard.noiseModels;
