import type { Circuit } from "../circuit/circuit.ts";
import { SimulationError } from "../errors.ts";
import { dryRun } from "../execution/dry-run.ts";
import { UnweightedState } from "../execution/unweighted-state.ts";
import type { Meter } from "../interpreter/meter.ts";
import { siteOrder } from "./site-order.ts";
import { SITE_OVERHEAD } from "./tensor-chain.ts";

/** Numbers touched by a gate across a bond for each product of the dimensions of three bonds, and in the time of its handling. */
const NUMBERS_OF_PAIR = 40;
const PAIR_OVERHEAD = 3 * SITE_OVERHEAD;
/** Numbers that are touched in the time in which a site of an outcome is handled, where it shares little with others. */
const OUTCOME_OVERHEAD = 140;
/** Numbers beyond which no more are counted. */
const MAX_NUMBERS = 1e11;
/** The logarithm to base 2 of the Schmidt rank of any gate on two qubits. */
const MAX_PAIR_RANK = 2;

/** What the bonds of a chain would be at most: each gate across one doubles it, and neither side has more states than its qubits. */
class CountedBonds extends UnweightedState {
  /** For each cut, by the number of sites on its left, the logarithm to base 2 of its bond's dimension. */
  readonly #bonds: Float64Array;
  readonly #sites: Uint32Array;
  readonly #qubits: Uint32Array;
  /** For each qubit the one that the last gate across bonds was with, and the rank of the gates between the two since then. */
  readonly #partners: Int32Array;
  readonly #ranks: Uint8Array;
  /** Whether none of these gates, nor any other since the first, has made superpositions of the qubit's values. */
  readonly #isControl: Uint8Array;
  #superpositions = 0;
  /** Numbers touched so far. */
  touched = 0;

  constructor(sites: Uint32Array, meter: Meter) {
    super(sites.length, meter);
    this.#sites = sites;
    this.#qubits = new Uint32Array(sites.length);
    for (let qubit = 0; qubit < sites.length; qubit++) this.#qubits[sites[qubit]!] = qubit;
    this.#bonds = new Float64Array(sites.length + 1);
    this.#partners = new Int32Array(sites.length).fill(-1);
    this.#ranks = new Uint8Array(sites.length);
    this.#isControl = new Uint8Array(sites.length);
  }

  /** Numbers touched by so many shots, or by all outcomes where there are none. */
  sampled(shots: number): number {
    const outcomes = Math.min(shots || Number.POSITIVE_INFINITY, 2 ** this.#superpositions);
    let numbers = 0;
    for (let cut = 1; cut < this.#bonds.length; cut++) {
      const prefixes = Math.min(outcomes, 2 ** (cut - 1));
      numbers += prefixes * (OUTCOME_OVERHEAD + 2 ** (1 + this.#bonds[cut - 1]! + this.#bonds[cut]!));
    }
    return numbers;
  }

  protected superpose(qubit: number): void {
    this.#isControl[qubit] = 0;
    this.#superpositions++;
  }

  protected entangle(qubits: readonly number[], changed: number): void {
    const rank = qubits.length === 2 ? this.#rankOf(qubits[0]!, qubits[1]!, changed) : 1;
    if (qubits.length > 2) for (const qubit of qubits) this.#partners[qubit] = -1;
    const sites = qubits.map(qubit => this.#sites[qubit]!).sort((a, b) => a - b);
    const [first, second] = sites as [number, number];
    const [previous, last] = sites.slice(-2) as [number, number];
    if (second - first > last - previous) {
      for (let site = first; site < second - 1; site++) this.#swapWithNext(site);
      this.#widen(second - 1, last, rank);
    } else {
      for (let site = last - 1; site > previous; site--) this.#swapWithNext(site);
      this.#widen(first, previous + 1, rank);
    }
  }

  protected exchange(a: number, b: number): void {
    const [siteOfA, siteOfB] = [this.#sites[a]!, this.#sites[b]!];
    this.#place(a, siteOfB);
    this.#place(b, siteOfA);
    for (const qubit of [a, b]) this.#partners[qubit] = -1;
  }

  /** Returns by how much a gate on two qubits raises the rank of those between them: by nothing where both are controlled by the same qubit. */
  #rankOf(a: number, b: number, changed: number): number {
    if (this.#partners[a] !== b || this.#partners[b] !== a) {
      for (const qubit of [a, b]) {
        this.#isControl[qubit] = 1;
        this.#ranks[qubit] = 0;
      }
      this.#partners[a] = b;
      this.#partners[b] = a;
    }
    if (changed > 0) this.#isControl[b] = 0;
    if (changed > 1) this.#isControl[a] = 0;
    const known = this.#ranks[a]!;
    const rank = this.#isControl[a] || this.#isControl[b] ? 1 : Math.min(known + 1, MAX_PAIR_RANK);
    const more = Math.max(0, rank - known);
    this.#ranks[a] = this.#ranks[b] = known + more;
    return more;
  }

  /** Raises the bonds between two sites by a rank, as far as those beside them allow. */
  #widen(first: number, last: number, rank: number): void {
    const bonds = this.#bonds;
    for (let cut = first + 1; cut <= last; cut++)
      bonds[cut] = Math.min(bonds[cut]! + rank, bonds[cut - 1]! + 1);
    for (let cut = last; cut > first; cut--) {
      bonds[cut] = Math.min(bonds[cut]!, bonds[cut + 1]! + 1);
      this.meter.spend(1);
      const all = bonds[cut - 1]! + bonds[cut]! + bonds[cut + 1]!;
      this.touched += PAIR_OVERHEAD + NUMBERS_OF_PAIR * 2 ** all;
      if (this.touched > MAX_NUMBERS) throw new SimulationError("The bonds grow too large.");
    }
  }

  #swapWithNext(site: number): void {
    const [a, b] = [this.#qubits[site]!, this.#qubits[site + 1]!];
    this.#place(a, site + 1);
    this.#place(b, site);
    const around = this.#bonds[site]! + this.#bonds[site + 1]! + this.#bonds[site + 2]!;
    if (around > 0) this.#widen(site, site + 1, MAX_PAIR_RANK);
    else this.meter.spend(1);
  }

  #place(qubit: number, site: number): void {
    this.#sites[qubit] = site;
    this.#qubits[site] = qubit;
  }
}

/** Returns how many numbers a matrix product state of a program touches, if no state is less entangled than its gates allow. */
export function estimateMps(circuit: Circuit, shots: number): number {
  let bonds: CountedBonds | undefined;
  const isDone =
    dryRun(circuit, meter => (bonds = new CountedBonds(siteOrder(circuit), meter))) !== undefined;
  return bonds && isDone ? bonds.touched + bonds.sampled(shots) : Number.POSITIVE_INFINITY;
}
