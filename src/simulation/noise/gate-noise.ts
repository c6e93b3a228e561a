import type { ElementaryGate } from "../circuit/gate.ts";
import type { NoiseModel, Relaxation } from "../noise-model.ts";
import { hazardOf } from "../sampling/draws.ts";
import { dampingSite, type JumpSite } from "./jumps.ts";

/** An error location: one qubit, or a pair of them. */
export interface ErrorSite {
  readonly qubits: readonly number[];
  /** The error's probability `p` as a cumulative hazard `-ln(1 - p)`, so that those of several sites add up. */
  readonly hazard: number;
  /** The Pauli errors: for each of the qubits two bits, 1 for X, 2 for Y, 3 for Z; or {@link RESET}. */
  readonly kinds: readonly number[];
  /** The probability of each kind, or one before it, where there is an error. Default: all kinds are equally likely. */
  readonly weights?: readonly number[];
}

/** The kind of an error that resets its qubit. */
export const RESET = 16;

/** Returns the kind of an error for a uniform random number. */
export const kindOf = ({ kinds, weights }: ErrorSite, uniform: number): number =>
  kinds[weights ? weights.findIndex(weight => uniform < weight) : Math.floor(uniform * kinds.length)] ??
  kinds.at(-1)!;

/** The noise of a gate. */
export interface GateNoise {
  readonly errors: readonly ErrorSite[];
  /** Channels that are not mixtures of errors; they act after these. */
  readonly jumps: readonly JumpSite[];
}

/** Returns the noise of a gate whose qubits begin at `first` and whose parameters begin at `at` of the given lists. */
export type NoiseOfGates = (
  gate: ElementaryGate,
  qubits: ArrayLike<number>,
  first: number,
  params: ArrayLike<number>,
  at: number,
) => GateNoise;

/** Whether a gate is virtual, as diagonal one-qubit gates are: it takes no pulse. */
export const isVirtual = (gate: ElementaryGate): boolean =>
  gate.numQubits === 1 && gate.diagonal && gate.symbol !== "id";

/** No noise. */
export const NO_NOISE: GateNoise = { errors: [], jumps: [] };
const X_Y_Z = [1, 2, 3];
const Z = 3;
const PAIR_ERRORS = Array.from({ length: 15 }, (_, i) => i + 1);

/**
 * Returns the noise of each gate in a noise model. Diagonal one-qubit gates are virtual and have no noise; a swap is
 * three two-qubit gates, and a gate on more than two qubits is two on each pair of them.
 */
export function noiseOfGates({ oneQubit, twoQubit, relaxation }: NoiseModel): NoiseOfGates {
  const numQubits = oneQubit.length;
  const keyOf = (a: number, b: number) => Math.min(a, b) * numQubits + Math.max(a, b);
  const single = oneQubit.map((probability, qubit) =>
    combined(
      sitesOf([{ qubits: [qubit], hazard: hazardOf(probability), kinds: X_Y_Z }]),
      relaxationOf(qubit, relaxation?.oneQubit[qubit], 1),
    ),
  );
  const listed = new Map(twoQubit.pairs.map(({ a, b, probability }) => [keyOf(a, b), probability]));
  const larger = (gate: ElementaryGate, places: readonly number[]): GateNoise => {
    const each = gate.numQubits > 2 ? 2 : gate.kind === "swap" ? 3 : 1;
    const sites: ErrorSite[] = [];
    places.forEach((a, i) => {
      for (const b of places.slice(i + 1)) {
        const hazard = hazardOf(listed.get(keyOf(a, b)) ?? twoQubit.otherwise);
        for (let times = 0; times < each; times++) sites.push({ qubits: [a, b], hazard, kinds: PAIR_ERRORS });
      }
    });
    const times = each * (places.length - 1);
    return combined(
      sitesOf(sites),
      ...places.map(qubit => relaxationOf(qubit, relaxation?.twoQubit[qubit], times)),
    );
  };
  const known = new Map<number, GateNoise>();
  return (gate, qubits, first) => {
    const count = gate.numQubits;
    if (count === 0 || isVirtual(gate)) return NO_NOISE;
    if (count === 1) return single[qubits[first]!]!;
    if (count > 2)
      return larger(
        gate,
        Array.from({ length: count }, (_, i) => qubits[first + i]!),
      );
    const [a, b] = [qubits[first]!, qubits[first + 1]!];
    const key = 2 * (a * numQubits + b) + Number(gate.kind === "swap");
    let noise = known.get(key);
    if (!noise) {
      noise = larger(gate, [a, b]);
      known.set(key, noise);
    }
    return noise;
  };
}

/** Whether relaxation is a mixture of phase flips and resets: where T2 is at most T1. */
export const isMixture = ({ decay, dephasing }: Relaxation): boolean =>
  1 - 2 * dephasing <= Math.sqrt(1 - decay);

const sitesOf = (errors: readonly ErrorSite[]): GateNoise => ({
  errors: errors.filter(({ hazard }) => hazard > 0),
  jumps: [],
});

/** The largest probability of a rare damping: a more likely one is weaker, and always happens. */
const MAX_RARE = 0.5;

/**
 * Returns the relaxation of a qubit, repeated. A 1 that decays faster than coherence is lost is damped now and then, and
 * so much that no other dephasing is left: so that states mostly stay as they are.
 */
export function relaxationOf(qubit: number, relaxation: Relaxation | undefined, times: number): GateNoise {
  if (!relaxation) return NO_NOISE;
  const probability = 1 - (1 - relaxation.decay) ** times;
  const coherence = (1 - 2 * relaxation.dephasing) ** times;
  const site = (one: number, kind: number): ErrorSite[] =>
    one > 0 ? [{ qubits: [qubit], hazard: hazardOf(one), kinds: [kind] }] : [];
  if (probability > 0 && isMixture(relaxation)) {
    const rest = probability < 1 ? coherence / Math.sqrt(1 - probability) : 1;
    return { errors: [...site((1 - rest) / 2, Z), ...site(probability, RESET)], jumps: [] };
  }
  const loss = 1 - coherence * Math.sqrt(1 - probability);
  const damping = 1 - (probability / loss - 1) ** 2;
  if (probability > 0 && probability < MAX_RARE * damping) {
    return { errors: [], jumps: [dampingSite(qubit, damping, probability / damping)] };
  }
  return {
    errors: site((1 - coherence) / 2, Z),
    jumps: probability > 0 ? [dampingSite(qubit, probability)] : [],
  };
}

/** Combines noise that acts one after the other. */
export function combined(...parts: readonly GateNoise[]): GateNoise {
  return { errors: parts.flatMap(({ errors }) => errors), jumps: parts.flatMap(({ jumps }) => jumps) };
}
