import type { Target } from "./target.ts";

/** Interactions of qubit pairs, and other operations on each qubit, by which layouts are judged. */
export interface Interactions {
  readonly numQubits: number;
  /** For each qubit its partners, and how many native gates they share. */
  readonly partners: readonly ReadonlyMap<number, number>[];
  /** Number of pulses and measurements on each qubit. */
  readonly pulses: readonly number[];
  readonly measurements: readonly number[];
}

const MAX_VISITS = 100_000;

/**
 * Returns the physical qubit of each virtual one so that all that interact are coupled, with the least expected error that
 * is found; null where there is none. Qubits that interact with none get the best that are left. `bound` is an
 * error that has to be beaten.
 */
export function perfectLayout(
  interactions: Interactions,
  target: Target,
  bound = Number.POSITIVE_INFINITY,
): number[] | null {
  if (interactions.numQubits > target.numQubits || !couldFit(interactions, target)) return null;
  const order = orderOf(interactions);
  const physical = new Array<number>(interactions.numQubits).fill(-1);
  const taken = new Uint8Array(target.numQubits);
  const all = Array.from({ length: target.numQubits }, (_, i) => i);
  let best: number[] | null = null;
  let least = bound;
  let visits = 0;

  const search = (at: number, error: number): void => {
    if (error >= least - 1e-12 || visits > MAX_VISITS) return;
    if (at === order.length) {
      least = error;
      best = [...physical];
      return;
    }
    const virtual = order[at]!;
    const partners = [...interactions.partners[virtual]!].filter(([other]) => physical[other]! >= 0);
    const [anchor] = partners;
    const candidates = anchor ? target.neighbours[physical[anchor[0]]!]! : all;
    const scored: (readonly [number, number])[] = [];
    for (const candidate of candidates) {
      visits++;
      if (taken[candidate] || target.neighbours[candidate]!.length < interactions.partners[virtual]!.size)
        continue;
      let added = ownError(interactions, target, virtual, candidate);
      let fits = true;
      for (const [other, count] of partners) {
        const coupling = target.couplingOf(candidate, physical[other]!);
        if (!coupling) {
          fits = false;
          break;
        }
        added += count * lossOf(coupling.error);
      }
      if (fits) scored.push([candidate, added]);
    }
    scored.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
    for (const [candidate, added] of scored) {
      physical[virtual] = candidate;
      taken[candidate] = 1;
      search(at + 1, error + added);
      taken[candidate] = 0;
      physical[virtual] = -1;
    }
  };
  search(0, 0);
  return best && withIdle(best, interactions, target);
}

/** Returns the expected error of a layout: the negative logarithm of the fidelity that the figures give. */
export function layoutError(interactions: Interactions, target: Target, physical: readonly number[]): number {
  let error = 0;
  for (let virtual = 0; virtual < interactions.numQubits; virtual++) {
    if (physical[virtual]! < 0) continue;
    error += ownError(interactions, target, virtual, physical[virtual]!);
    for (const [other, count] of interactions.partners[virtual]!)
      if (other > virtual)
        error += count * lossOf(target.couplingOf(physical[virtual]!, physical[other]!)?.error ?? 1);
  }
  return error;
}

const lossOf = (error: number): number => -Math.log1p(-Math.min(error, 0.999));

const ownError = (
  { pulses, measurements }: Interactions,
  { pulseErrors, readoutErrors }: Target,
  virtual: number,
  physical: number,
): number =>
  pulses[virtual]! * lossOf(pulseErrors[physical]!) +
  measurements[virtual]! * lossOf(readoutErrors[physical]!);

/** Lays qubits without interactions on the best physical qubits that are left; those without operations come last. */
function withIdle(physical: readonly number[], interactions: Interactions, target: Target): number[] {
  const full = [...physical];
  const free = new Set(Array.from({ length: target.numQubits }, (_, i) => i));
  for (const at of full) free.delete(at);
  const use = (virtual: number) => interactions.pulses[virtual]! + interactions.measurements[virtual]!;
  const idle = full.flatMap((at, virtual) => (at < 0 ? [virtual] : [])).sort((a, b) => use(b) - use(a));
  for (const virtual of idle) {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const candidate of free) {
      const error = ownError(interactions, target, virtual, candidate);
      if (error < least) [best, least] = [candidate, error];
    }
    full[virtual] = best;
    free.delete(best);
  }
  return full;
}

/** Lists the qubits that interact: each after one of its partners, where there is one, the busiest first. */
function orderOf({ partners }: Interactions): number[] {
  const order: number[] = [];
  const placed = new Set<number>();
  const degree = (qubit: number) => partners[qubit]!.size;
  const all = partners.flatMap(({ size }, qubit) => (size > 0 ? [qubit] : []));
  const known = new Map(all.map(qubit => [qubit, 0]));
  while (order.length < all.length) {
    let next = -1;
    for (const [qubit, links] of known)
      if (
        next < 0 ||
        links > known.get(next)! ||
        (links === known.get(next)! && degree(qubit) > degree(next))
      )
        next = qubit;
    order.push(next);
    placed.add(next);
    known.delete(next);
    for (const other of partners[next]!.keys()) if (known.has(other)) known.set(other, known.get(other)! + 1);
  }
  return order;
}

/** Whether degrees leave a fit possible. */
function couldFit({ partners }: Interactions, { neighbours }: Target): boolean {
  const descending = (degrees: number[]) => degrees.sort((a, b) => b - a);
  const given = descending(neighbours.map(({ length }) => length));
  return descending(partners.map(({ size }) => size)).every((degree, i) => degree <= (given[i] ?? 0));
}
