import type { ElementaryGate } from "../circuit/gate.ts";
import type { NoiseModel, Relaxation } from "../noise-model.ts";
import { hazardOf } from "../sampling/draws.ts";
import { dampingSite, type JumpSite } from "./jumps.ts";

/** An error location: one qubit, or a pair of them. */
export interface ErrorSite {
  readonly qubits: readonly number[];
  /** The error's probability `p` as a cumulative hazard `-ln(1 - p)`, so those of several sites add up. */
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

/** The noise of a gate: sites of errors and of quantum jumps, which act one after the other. */
export type GateNoise = readonly (ErrorSite | JumpSite)[];

/** Whether noise acts by errors that do not depend on the state. */
export const isError = (site: ErrorSite | JumpSite): site is ErrorSite => "kinds" in site;

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
export const NO_NOISE: GateNoise = [];
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
  const single = oneQubit.map((probability, qubit) => [
    ...errorSite([qubit], probability, X_Y_Z),
    ...relaxationOf(qubit, relaxation?.oneQubit[qubit], 1),
  ]);
  const listed = new Map(twoQubit.pairs.map(({ a, b, probability }) => [keyOf(a, b), probability]));
  const larger = (gate: ElementaryGate, places: readonly number[]): GateNoise => {
    const each = gate.numQubits > 2 ? 2 : gate.kind === "swap" ? 3 : 1;
    const sites: ErrorSite[] = [];
    places.forEach((a, i) => {
      for (const b of places.slice(i + 1)) {
        const probability = listed.get(keyOf(a, b)) ?? twoQubit.otherwise;
        for (let times = 0; times < each; times++) sites.push(...errorSite([a, b], probability, PAIR_ERRORS));
      }
    });
    const times = each * (places.length - 1);
    return [...sites, ...places.flatMap(qubit => relaxationOf(qubit, relaxation?.twoQubit[qubit], times))];
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

/** Returns the site of errors of these kinds, which are equally likely; none if the probability is 0. */
export const errorSite = (
  qubits: readonly number[],
  probability: number,
  kinds: readonly number[],
): ErrorSite[] => (probability > 0 ? [{ qubits, hazard: hazardOf(probability), kinds }] : []);

/** The largest probability of a rare damping: a more likely one is weaker, and always happens. */
const MAX_RARE = 0.5;

/**
 * Returns the relaxation of a qubit, repeated. With T2 up to T1 it is a mixture of phase flips and resets. Else it is a
 * mixture of the identity and of a stronger amplitude damping that has all of the dephasing. That is our own, and right
 * because both have the same Pauli transfer matrix; it leaves most states as they are.
 */
export function relaxationOf(qubit: number, relaxation: Relaxation | undefined, times: number): GateNoise {
  if (!relaxation) return NO_NOISE;
  const probability = 1 - (1 - relaxation.decay) ** times;
  const coherence = (1 - 2 * relaxation.dephasing) ** times;
  if (probability > 0 && isMixture(relaxation)) {
    const rest = probability < 1 ? coherence / Math.sqrt(1 - probability) : 1;
    return [...errorSite([qubit], (1 - rest) / 2, [Z]), ...errorSite([qubit], probability, [RESET])];
  }
  const loss = 1 - coherence * Math.sqrt(1 - probability);
  const damping = 1 - (probability / loss - 1) ** 2;
  if (probability > 0 && probability < MAX_RARE * damping)
    return [dampingSite(qubit, damping, probability / damping)];
  const dephasing = errorSite([qubit], (1 - coherence) / 2, [Z]);
  return probability > 0 ? [...dephasing, dampingSite(qubit, probability)] : dephasing;
}
