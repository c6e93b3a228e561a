import type { ElementaryGate } from "../circuit/gate.ts";
import { remembered } from "../memoized.ts";
import type { LocationNoise, NoiseModel } from "../noise-model.ts";
import { FLIPS, GATE_ERRORS, isLocation, RELAXATION } from "../schedule/locations.ts";
import { errorSite, type GateNoise, NO_NOISE, type NoiseOfGates, relaxationOf } from "./gate-noise.ts";
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
    const own = remembered(known, qubits, () => []);
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

const X_Y = [1, 2];
const X_Y_Z = [1, 2, 3];
const Z = 3;
const XX = 5;
const PAIR_ERRORS = Array.from({ length: 15 }, (_, i) => i + 1);
/** Halvings of the time of a relaxation until its fidelity is that of a gate. */
const BISECTIONS = 60;

/** Returns the noise at a location of a scheduled circuit. */
export function locationNoise(
  model: LocationNoise,
  gate: ElementaryGate,
  qubits: readonly number[],
  [first = 0, second = 0]: readonly number[],
): GateNoise {
  if (gate === RELAXATION) return relaxed(model, qubits[0]!, first, second);
  if ((GATE_ERRORS as readonly unknown[]).includes(gate)) return gateError(model, qubits, first, second);
  if ((FLIPS as readonly unknown[]).includes(gate))
    return errorSite(qubits, first, [qubits.length === 1 ? 1 : XX]);
  return NO_NOISE;
}

/**
 * Returns relaxation during a gate, and a depolarizing channel such that both together have the average infidelity
 * that is published. If relaxation exceeds it, it lasts only for a part of the gate's length.
 */
function gateError(
  model: LocationNoise,
  qubits: readonly number[],
  infidelity: number,
  length: number,
): GateNoise {
  const { time, depolarizing } = splitInfidelity(model, qubits, infidelity, length);
  const kinds = qubits.length === 1 ? X_Y_Z : PAIR_ERRORS;
  return [...errorSite(qubits, depolarizing, kinds), ...qubits.flatMap(qubit => relaxed(model, qubit, time))];
}

/**
 * Splits the average infidelity of a gate into relaxation for a time, at most the gate's length, and a depolarizing
 * channel of a probability.
 */
export function splitInfidelity(
  model: Pick<LocationNoise, "T1" | "T2">,
  qubits: readonly number[],
  infidelity: number,
  length: number,
): { time: number; depolarizing: number } {
  const dimensions = 2 ** qubits.length;
  const wanted = 1 - (infidelity * (dimensions + 1)) / dimensions;
  const fidelity = (time: number) =>
    qubits.reduce((product, qubit) => product * relaxationFidelity(model, qubit, time), 1);
  let time = length;
  if (fidelity(length) < wanted) {
    let [low, high] = [0, length];
    for (let i = 0; i < BISECTIONS; i++) {
      time = (low + high) / 2;
      if (fidelity(time) < wanted) high = time;
      else low = time;
    }
  }
  const mixed = 1 / dimensions ** 2;
  const survival = Math.min(1, Math.max(0, (wanted - mixed) / (fidelity(time) - mixed)));
  return { time, depolarizing: (1 - survival) * (1 - mixed) };
}

/** Returns the entanglement fidelity of the relaxation of a qubit. */
function relaxationFidelity(
  { T1, T2 }: Pick<LocationNoise, "T1" | "T2">,
  qubit: number,
  time: number,
): number {
  return (1 + Math.exp(-time / T1[qubit]!) + 2 * Math.exp(-time / T2[qubit]!)) / 4;
}

function relaxed({ T1, T2, isTwirled }: LocationNoise, qubit: number, time: number, flip = 0): GateNoise {
  const population = Math.exp(-time / T1[qubit]!);
  const coherence = (1 - 2 * flip) * Math.exp(-time / T2[qubit]!);
  if (isTwirled) return twirled(qubit, population, coherence);
  return relaxationOf(qubit, population, coherence);
}

/** Returns the Pauli twirl of relaxation: Z shrinks as the population does, X and Y as the coherence. */
function twirled(qubit: number, population: number, coherence: number): GateNoise {
  const flip = (1 - population) / 2;
  const dephasing = (1 - Math.min(1, coherence / (1 - flip))) / 2;
  return [...errorSite([qubit], flip, X_Y), ...errorSite([qubit], dephasing, [Z])];
}
