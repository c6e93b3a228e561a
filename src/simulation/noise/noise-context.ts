import type { Philox } from "../sampling/philox.ts";
import type { Errors } from "./errors.ts";
import type { NoiseOfGates } from "./gate-noise.ts";
import type { Readout } from "./readout.ts";

/** What the branches of a run share. */
export interface NoiseContext {
  readonly noiseOf: NoiseOfGates;
  /** Draws what happens to a pure state; null where the state is a density matrix, which has all of it in itself. */
  readonly errors: Errors | null;
  /** Whether qubits may decay. */
  readonly hasDecay: boolean;
  readonly readout: Readout;
  readonly random: Philox;
  /** A qubit that no gate of the program acts on, to damp others by; -1 where the state is small and needs none. */
  readonly ancilla: number;
}
