import type { NoiseModel, Relaxation } from "../noise-model.ts";

/** A channel of a noise model in its textbook form. Times are in the same unit, all of them. */
export type Channel =
  /** With this probability one of the Pauli errors on the gate's qubits happens, all alike. */
  | { readonly channel: "depolarizing"; readonly probability: number }
  /** A 1 decays to 0 with probability `gamma`. */
  | { readonly channel: "amplitude_damping"; readonly gamma: number }
  /** Coherences shrink by the square root of 1 - `lambda`. */
  | { readonly channel: "phase_damping"; readonly lambda: number }
  /** Decay with the time constant `T1`, and loss of coherence with `T2`, which is at most twice `T1`. */
  | {
      readonly channel: "thermal_relaxation";
      readonly T1: number;
      readonly T2: number;
      readonly time: number;
    };

/** The noise of every qubit alike: what comes with each gate, and how measurements err. */
export interface UniformNoise {
  readonly oneQubit: readonly Channel[];
  readonly twoQubit: readonly Channel[];
  readonly readout: { readonly zeroGivenOne: number; readonly oneGivenZero: number };
}

/** Makes a noise model of so many qubits that are all alike. */
export function uniformNoise({ oneQubit, twoQubit, readout }: UniformNoise, numQubits: number): NoiseModel {
  const each = <T>(value: T) => new Array<T>(numQubits).fill(value);
  return {
    oneQubit: each(depolarizing(oneQubit, 2)),
    twoQubit: { pairs: [], otherwise: depolarizing(twoQubit, 4) },
    relaxation: { oneQubit: each(relaxation(oneQubit)), twoQubit: each(relaxation(twoQubit)) },
    zeroGivenOne: each(readout.zeroGivenOne),
    oneGivenZero: each(readout.oneGivenZero),
  };
}

/** Joins depolarizing channels: what is left of the identity's part multiplies. */
function depolarizing(channels: readonly Channel[], dimensions: number): number {
  const most = 1 - 1 / dimensions ** 2;
  let kept = 1;
  for (const one of channels) if (one.channel === "depolarizing") kept *= 1 - one.probability / most;
  return most * (1 - kept);
}

/** Joins damping channels, which commute: populations and coherences shrink by the product of their factors. */
function relaxation(channels: readonly Channel[]): Relaxation {
  let population = 1;
  let coherence = 1;
  for (const one of channels) {
    if (one.channel === "amplitude_damping") {
      population *= 1 - one.gamma;
      coherence *= Math.sqrt(1 - one.gamma);
    } else if (one.channel === "phase_damping") coherence *= Math.sqrt(1 - one.lambda);
    else if (one.channel === "thermal_relaxation") {
      population *= Math.exp(-one.time / one.T1);
      coherence *= Math.exp(-one.time / one.T2);
    }
  }
  const ofDecay = Math.sqrt(population);
  const rest = ofDecay > 0 ? Math.min(1, coherence / ofDecay) : 1;
  return { decay: 1 - population, dephasing: (1 - rest) / 2 };
}
