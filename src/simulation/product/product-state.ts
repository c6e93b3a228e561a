import type { Gate, Numbers } from "../circuit/gate.ts";
import {
  checkOutcomeCount,
  expectationsOf,
  type PauliString,
  type QuantumState,
  type Sampler,
} from "../execution/quantum-state.ts";
import { numbersFrom, permutation } from "../sampling/draws.ts";
import type { Philox } from "../sampling/philox.ts";

/** A factor of a product of states, and the qubits that it is the state of. */
interface Factor {
  readonly qubits: readonly number[];
  readonly state: QuantumState;
}

/** A product of states of qubits that no gate brings together: each is kept, measured and sampled by itself. */
export class ProductState implements QuantumState {
  readonly #factors: readonly Factor[];
  /** For each qubit, its factor and its place there. */
  readonly #factorOf: Int32Array;
  readonly #placeOf: Int32Array;
  readonly #operands: number[] = [];

  /** Takes the states of all qubits, each of which belongs to one. */
  constructor(factors: readonly Factor[]) {
    this.#factors = factors;
    const numQubits = factors.reduce((sum, { qubits }) => sum + qubits.length, 0);
    this.#factorOf = new Int32Array(numQubits);
    this.#placeOf = new Int32Array(numQubits);
    factors.forEach(({ qubits }, factor) => {
      qubits.forEach((qubit, place) => {
        this.#factorOf[qubit] = factor;
        this.#placeOf[qubit] = place;
      });
    });
  }

  get numQubits(): number {
    return this.#factorOf.length;
  }

  get bytes(): number {
    return this.#factors.reduce((sum, { state }) => sum + state.bytes, 0);
  }

  isClassical(qubit: number): boolean {
    return this.#stateOf(qubit).isClassical(this.#placeOf[qubit]!);
  }

  valueOf(qubit: number): number {
    return this.#stateOf(qubit).valueOf(this.#placeOf[qubit]!);
  }

  setValue(qubit: number, value: number): void {
    this.#stateOf(qubit).setValue(this.#placeOf[qubit]!, value);
  }

  apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): void {
    for (let i = 0; i < gate.numQubits; i++) this.#operands[i] = this.#placeOf[qubits[first + i]!]!;
    this.#stateOf(gate.numQubits > 0 ? qubits[first]! : 0).apply(gate, params, at, this.#operands, 0);
  }

  probabilityOfOne(qubit: number): number {
    return this.#stateOf(qubit).probabilityOfOne(this.#placeOf[qubit]!);
  }

  project(qubit: number, value: number): void {
    this.#stateOf(qubit).project(this.#placeOf[qubit]!, value);
  }

  expectations(strings: readonly PauliString[]): number[] {
    const values = new Array<number>(strings.length).fill(1);
    const parts = Map.groupBy(
      strings.flatMap((string, of) =>
        [...Map.groupBy(string, ({ qubit }) => this.#factorOf[qubit]!)].map(([factor, part]) => ({
          of,
          factor,
          part: part.map(({ qubit, pauli }) => ({ qubit: this.#placeOf[qubit]!, pauli })),
        })),
      ),
      ({ factor }) => factor,
    );
    for (const [factor, own] of parts) {
      const found = expectationsOf(
        this.#factors[factor]!.state,
        own.map(({ part }) => part),
      );
      own.forEach(({ of }, i) => {
        values[of]! *= found[i]!;
      });
    }
    return values;
  }

  clone(): ProductState {
    return new ProductState(this.#factors.map(({ qubits, state }) => ({ qubits, state: state.clone() })));
  }

  release(): void {
    for (const { state } of this.#factors) state.release();
  }

  sampler(qubits: readonly number[]): Sampler {
    const asked = this.#factors.map((): number[] => []);
    const places = qubits.map(qubit => {
      const factor = this.#factorOf[qubit]!;
      return { factor, place: asked[factor]!.push(this.#placeOf[qubit]!) - 1 };
    });
    const involved = this.#factors.flatMap((_, factor) => (asked[factor]!.length > 0 ? [factor] : []));
    const [only] = involved;
    const samplers = involved.map(factor => this.#factors[factor]!.state.sampler(asked[factor]!));
    if (only !== undefined && involved.length === 1) return samplers[0]!;
    const indexOf = new Map(involved.map((factor, i) => [factor, i]));
    return samplerOfProduct(
      samplers,
      places.map(({ factor, place }) => ({ sampler: indexOf.get(factor)!, place })),
    );
  }

  amplitudes(): never {
    throw new Error("A program whose state is wanted is not split.");
  }

  #stateOf(qubit: number): QuantumState {
    return this.#factors[this.#factorOf[qubit]!]!.state;
  }
}

/** Streams of the draws that put the outcomes of each factor in its own order. */
const ORDER_OF_FACTORS = 1000;
/** An outcome that is less likely than this is not listed. */
const ROUNDING = 1e-14;

/** Makes a sampler of the values of several independent samplers, by the place of each in its own. */
function samplerOfProduct(
  samplers: readonly Sampler[],
  places: readonly { readonly sampler: number; readonly place: number }[],
): Sampler {
  /** For each sampler, its own outcome in each of the outcomes. */
  let rows: Uint32Array[] = samplers.map(() => new Uint32Array(0));

  return {
    draw(count, random, b, stream) {
      rows = samplers.map((sampler, i) => {
        const drawn = sampler.draw(count, random, b, stream + ORDER_OF_FACTORS * (i + 1));
        // The outcomes of the first may stay as they are: those of all others come to them in any order.
        return i === 0 ? drawn : shuffled(drawn, random, b, i);
      });
      return numbersFrom(0, count);
    },
    each(visit) {
      let all: { probability: number; outcomes: readonly number[] }[] = [{ probability: 1, outcomes: [] }];
      for (const sampler of samplers) {
        const own: { probability: number; outcome: number }[] = [];
        sampler.each((outcome, probability) => {
          if (probability > ROUNDING) own.push({ outcome, probability });
        });
        checkOutcomeCount(own.length * all.length);
        all = all.flatMap(({ probability, outcomes }) =>
          own.map(one => ({
            probability: probability * one.probability,
            outcomes: [...outcomes, one.outcome],
          })),
        );
      }
      rows = samplers.map((_, i) => Uint32Array.from(all, ({ outcomes }) => outcomes[i]!));
      all.forEach(({ probability }, i) => {
        visit(i, probability);
      });
    },
    value(outcome, at) {
      const { sampler, place } = places[at]!;
      return samplers[sampler]!.value(rows[sampler]![outcome]!, place);
    },
  };
}

/** Returns outcomes in an order drawn at random. */
function shuffled(outcomes: Uint32Array, random: Philox, b: number, factor: number): Uint32Array {
  const order = permutation(outcomes.length, random, b, ORDER_OF_FACTORS * (factor + 1) + 500);
  return order.map(place => outcomes[place]!);
}
