import type { Philox } from "../sampling/philox.ts";
import type { ErrorSampler } from "./error-sampler.ts";
import type { NoiseOfGates } from "./gate-noise.ts";
import type { ReadoutConfusion } from "./readout-confusion.ts";

/** What the branches of a noisy run share. */
export interface NoiseContext {
  readonly noiseOf: NoiseOfGates;
  /** Samples the errors of a pure state; null where the state is a density matrix, whose evolution contains the noise. */
  readonly errors: ErrorSampler | null;
  /** Whether there are quantum jumps. */
  readonly hasJumps: boolean;
  readonly readout: ReadoutConfusion;
  readonly random: Philox;
  /** An ancilla for the no-jump operator; -1 where the state is small and needs none. */
  readonly ancilla: number;
}
