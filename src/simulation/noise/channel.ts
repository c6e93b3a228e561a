import type { NoiseModel, Relaxation } from "../noise-model.ts";
import type { UniformChannel } from "../noise-rules.ts";

/** The same noise on every qubit: the channels after each gate, and the readout errors. */
export interface UniformNoise {
  readonly oneQubit: readonly UniformChannel[];
  readonly twoQubit: readonly UniformChannel[];
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
function depolarizing(channels: readonly UniformChannel[], dimensions: number): number {
  const max = 1 - 1 / dimensions ** 2;
  let survival = 1;
  for (const one of channels) if (one.channel === "depolarizing") survival *= 1 - one.probability / max;
  return max * (1 - survival);
}

/** Composes damping channels, which commute: the decay factors of populations and coherences multiply. */
function relaxation(channels: readonly UniformChannel[]): Relaxation {
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
