import type { Circuit } from "../circuit/circuit.ts";
import { dryRun } from "../execution/dry-run.ts";
import { UnweightedState } from "../execution/unweighted-state.ts";
import type { Meter } from "../interpreter/meter.ts";
import { siteOrder } from "./site-order.ts";
import { SITE_OVERHEAD } from "./tensor-chain.ts";

/** Numbers touched by a gate across a bond for each product of the dimensions of three bonds. */
const NUMBERS_OF_PAIR = 12;

/** What the bonds of a chain would be at most: each gate across one doubles it, and neither side has more states than its qubits. */
class CountedBonds extends UnweightedState {
  /** For each cut, by the number of sites on its left, the logarithm to base 2 of its bond's dimension. */
  readonly #bonds: Float64Array;
  readonly #sites: Uint32Array;
  /** Numbers touched so far. */
  touched = 0;

  constructor(sites: Uint32Array, meter: Meter) {
    super(sites.length, meter);
    this.#sites = sites;
    this.#bonds = new Float64Array(sites.length + 1);
  }

  /** Numbers touched by so many shots. */
  sampled(shots: number): number {
    let numbers = 0;
    for (let cut = 1; cut < this.#bonds.length; cut++)
      numbers += 2 ** (1 + this.#bonds[cut - 1]! + this.#bonds[cut]!);
    return shots * numbers;
  }

  protected superpose(): void {}

  protected entangle(qubits: readonly number[]): void {
    const sites = qubits.map(qubit => this.#sites[qubit]!);
    const last = Math.max(...sites);
    for (let cut = Math.min(...sites) + 1; cut <= last; cut++) {
      this.meter.spend(1);
      const [left, right] = [this.#bonds[cut - 1]!, this.#bonds[cut + 1]!];
      const bond = Math.min(this.#bonds[cut]! + 1, left + 1, right + 1);
      this.#bonds[cut] = bond;
      this.touched += SITE_OVERHEAD + NUMBERS_OF_PAIR * 2 ** (left + bond + right);
    }
  }

  protected exchange(a: number, b: number): void {
    const site = this.#sites[a]!;
    this.#sites[a] = this.#sites[b]!;
    this.#sites[b] = site;
  }
}

/** Returns how many numbers a matrix product state of a program touches, if no state is less entangled than its gates allow. */
export function estimateMps(circuit: Circuit, shots: number): number {
  let bonds: CountedBonds | undefined;
  const isDone =
    dryRun(circuit, meter => (bonds = new CountedBonds(siteOrder(circuit), meter))) !== undefined;
  return bonds && isDone ? bonds.touched + bonds.sampled(shots) : Number.POSITIVE_INFINITY;
}
