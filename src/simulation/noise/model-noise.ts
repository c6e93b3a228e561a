import type { NoiseModel } from "../noise-model.ts";
import { isLocation } from "../schedule/locations.ts";
import { type GateNoise, NO_NOISE, type NoiseOfGates } from "./gate-noise.ts";
import { locationNoise } from "./location-noise.ts";
import { ruleNoiseOf } from "./rule-noise.ts";

/** Returns the noise of each gate in a noise model: by its rules, or at the locations of a schedule. */
export function noiseOfModel(model: NoiseModel): NoiseOfGates {
  const { locations, rules } = model;
  if (rules) return ruleNoiseOf(rules).noiseOf;
  if (!locations) return () => NO_NOISE;
  /** For operands that a circuit holds, by the place of the first. */
  const known = new WeakMap<Uint32Array, (GateNoise | undefined)[]>();
  return (gate, qubits, first, params, at) => {
    if (!isLocation(gate)) return NO_NOISE;
    const found = () =>
      locationNoise(
        locations,
        gate,
        Array.from({ length: gate.numQubits }, (_, i) => qubits[first + i]!),
        Array.from({ length: gate.numParams }, (_, i) => params[at + i]!),
      );
    if (!(qubits instanceof Uint32Array)) return found();
    let own = known.get(qubits);
    if (!own) {
      own = [];
      known.set(qubits, own);
    }
    own[first] ??= found();
    return own[first];
  };
}

/** Whether a noise model consists only of Pauli errors. */
export function isPauliNoise(model: NoiseModel): boolean {
  const { locations, rules } = model;
  if (rules) return ruleNoiseOf(rules).isPauli;
  return !locations || locations.isTwirled || locations.T1.every(time => time === Number.POSITIVE_INFINITY);
}
