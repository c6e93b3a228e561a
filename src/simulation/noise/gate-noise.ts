import type { ElementaryGate, Numbers } from "../circuit/gate.ts";
import { hazardOf } from "../sampling/draws.ts";
import { dampingSite, type JumpSite } from "./jumps.ts";

/** An error location: one qubit, or a pair of them. */
export interface ErrorSite {
  readonly qubits: readonly number[];
  /** The error's probability `p` as a cumulative hazard `-ln(1 - p)`, so those of several sites add up. */
  readonly hazard: number;
  /** The Pauli errors: for each of the qubits two bits, 1 for X, 2 for Y, 3 for Z. */
  readonly kinds: readonly number[];
  /** The probability of each kind, or one before it, where there is an error. Default: all kinds are equally likely. */
  readonly weights?: readonly number[];
}

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
  qubits: Numbers,
  first: number,
  params: Numbers,
  at: number,
) => GateNoise;

/** Whether a gate is virtual, as diagonal one-qubit gates are: it takes no pulse. */
export const isVirtual = (gate: ElementaryGate): boolean =>
  gate.numQubits === 1 && gate.diagonal && gate.symbol !== "id";

export const NO_NOISE: GateNoise = [];
const Z = 3;

/** Returns the site of errors of these kinds, which are equally likely; none if the probability is 0. */
export const errorSite = (
  qubits: readonly number[],
  probability: number,
  kinds: readonly number[],
): ErrorSite[] => (probability > 0 ? [{ qubits, hazard: hazardOf(probability), kinds }] : []);

/** The largest probability of a rare damping: a more likely one is weaker, and always happens. */
const MAX_RARE = 0.5;

/**
 * Returns the relaxation of a qubit, by the part of its population of 1 that stays, and that of its coherence. It is a
 * mixture of the identity, or of a phase flip, and of an amplitude damping that is stronger and happens less often. That
 * is our own, and right because both have the same Pauli transfer matrix; it leaves most states as they are.
 */
export function relaxationOf(qubit: number, population: number, coherence: number): GateNoise {
  const decay = 1 - population;
  const flips = (kept: number) => errorSite([qubit], (1 - Math.min(1, kept)) / 2, [Z]);
  if (decay <= 0) return flips(coherence);
  if (coherence <= population)
    return [...flips(population > 0 ? coherence / population : 1), dampingSite(qubit, 1, decay)];
  const loss = 1 - Math.min(coherence, Math.sqrt(population));
  const damping = 1 - (decay / loss - 1) ** 2;
  return decay < MAX_RARE * damping
    ? [dampingSite(qubit, damping, decay / damping)]
    : [...flips(coherence / Math.sqrt(population)), dampingSite(qubit, decay)];
}
