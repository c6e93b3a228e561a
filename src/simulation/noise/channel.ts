import type { NoiseModel, Relaxation } from "../noise-model.ts";

/** A channel of a noise model in its textbook form. Times are in the same unit, all of them. */
export type Channel =
  /** With this probability one of the Pauli errors on the gate's qubits happens, each equally likely. */
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

/** The same noise on every qubit: the channels after each gate, and the readout errors. */
export interface UniformNoise {
  readonly oneQubit: readonly Channel[];
  readonly twoQubit: readonly Channel[];
  readonly readout: { readonly zeroGivenOne: number; readonly oneGivenZero: number };
}

/** Builds a noise model in which all of `numQubits` qubits have the same noise. */
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

/** Composes depolarizing channels, whose survival factors multiply; returns the probability of a Pauli error. */
function depolarizing(channels: readonly Channel[], dimensions: number): number {
  const max = 1 - 1 / dimensions ** 2;
  let survival = 1;
  for (const one of channels) if (one.channel === "depolarizing") survival *= 1 - one.probability / max;
  return max * (1 - survival);
}

/** Composes damping channels, which commute: the decay factors of populations and coherences multiply. */
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
  const fromDecay = Math.sqrt(population);
  const pureDephasing = fromDecay > 0 ? Math.min(1, coherence / fromDecay) : 1;
  return { decay: 1 - population, dephasing: (1 - pureDephasing) / 2 };
}
