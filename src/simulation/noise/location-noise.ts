import type { ElementaryGate } from "../circuit/gate.ts";
import type { LocationNoise } from "../noise-model.ts";
import { FLIPS, GATE_ERRORS, RELAXATION } from "../schedule/locations.ts";
import { errorSite, type GateNoise, NO_NOISE, relaxationOf } from "./gate-noise.ts";

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
 * that is published. Where relaxation alone has more of it, it lasts for a part of the gate's length only.
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
