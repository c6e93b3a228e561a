import { compile, type NoisyOptions, simulateNoisy, uniformNoise } from "../../../src/simulation/index.ts";
import type { NoiseModel } from "../../../src/simulation/noise-model.ts";
import type { UniformChannel } from "../../../src/simulation/noise-rules.ts";
import { HEAD } from "../run.ts";

export const SHOTS = 50_000;

/** Builds a noise model of Pauli and readout errors, the same on every qubit. */
export function pauliNoise(
  numQubits: number,
  { one = 0, two = 0, zeroGivenOne = 0, oneGivenZero = 0 } = {},
): NoiseModel {
  const [oneQubit, twoQubit] = [one, two].map(probability => [
    { channel: "depolarizing" as const, probability },
  ]) as [UniformChannel[], UniformChannel[]];
  return uniformNoise({ oneQubit, twoQubit, readout: { zeroGivenOne, oneGivenZero } }, numQubits);
}

/** Builds a noise model of the same channels after each gate, without readout errors. */
export const channelNoise = (channels: readonly UniformChannel[], numQubits = 1): NoiseModel =>
  uniformNoise(
    { oneQubit: channels, twoQubit: channels, readout: { zeroGivenOne: 0, oneGivenZero: 0 } },
    numQubits,
  );

export const circuit = (body: string) => compile({ format: "qasm3", data: HEAD + body });

/** Returns the exact distribution under noise. */
export const exact = (body: string, model: NoiseModel) =>
  simulateNoisy(circuit(body), model, { shots: 0 }).measurementProbabilities!;

/** Returns a function that samples counts under noise by a method. */
export const sampleBy =
  (method?: NoisyOptions["method"]) =>
  (body: string, model: NoiseModel, options: object = {}) =>
    simulateNoisy(circuit(body), model, { shots: SHOTS, seed: 7, ...(method ? { method } : {}), ...options })
      .measurementCounts;
