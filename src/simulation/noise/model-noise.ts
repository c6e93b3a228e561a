import type { NoiseModel, Relaxation } from "../noise-model.ts";
import { isLocation } from "../schedule/locations.ts";
import { type GateNoise, isMixture, NO_NOISE, type NoiseOfGates, noiseOfGates } from "./gate-noise.ts";
import { locationNoise } from "./location-noise.ts";
import { ruleNoiseOf } from "./rule-noise.ts";

/** Returns the noise of each gate in a noise model: at locations of a schedule where the model has any, else of gates. */
export function noiseOfModel(model: NoiseModel): NoiseOfGates {
  const { locations, rules } = model;
  if (rules) return ruleNoiseOf(rules).noiseOf;
  if (!locations) return noiseOfGates(model);
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
  if (locations) return locations.isTwirled || locations.T1.every(time => time === Number.POSITIVE_INFINITY);
  return relaxationsOf(model).every(({ decay }) => decay === 0);
}

/** Whether relaxation in a noise model needs quantum jumps: it is not a mixture of phase flips and resets. */
export function hasJumps(model: NoiseModel): boolean {
  const { locations, rules } = model;
  if (rules) return !isPauliNoise(model);
  if (locations) return !isPauliNoise(model) && locations.T1.some((time, i) => locations.T2[i]! > time);
  return relaxationsOf(model).some(one => one.decay > 0 && !isMixture(one));
}

const relaxationsOf = ({ relaxation }: NoiseModel): readonly Relaxation[] =>
  relaxation ? [...relaxation.oneQubit, ...relaxation.twoQubit] : [];
