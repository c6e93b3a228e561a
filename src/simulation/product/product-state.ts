import type { Gate } from "../circuit/gate.ts";
import {
  expectationsOf,
  type PauliString,
  type QuantumState,
  type Sampler,
} from "../execution/quantum-state.ts";
import { samplerOfProduct } from "./product-sampler.ts";

/** A factor of a product of states, and the qubits that it is the state of. */
export interface Factor {
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

  apply(gate: Gate, params: ArrayLike<number>, at: number, qubits: ArrayLike<number>, first: number): void {
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

  amplitudes(): number[] {
    let all = [1, 0];
    let order: number[] = [];
    for (const { qubits, state } of this.#factors) {
      all = tensorProduct(state.amplitudes(), all);
      order = [...order, ...qubits];
    }
    const out = new Array<number>(all.length);
    for (let index = 0; index < all.length / 2; index++) {
      const to = order.reduce((bits, qubit, place) => bits + ((index >> place) & 1) * 2 ** qubit, 0);
      out[2 * to] = all[2 * index]!;
      out[2 * to + 1] = all[2 * index + 1]!;
    }
    return out;
  }

  #stateOf(qubit: number): QuantumState {
    return this.#factors[this.#factorOf[qubit]!]!.state;
  }
}

/** Returns the amplitudes of two states together, the second's qubits the lower bits of the index. */
function tensorProduct(high: readonly number[], low: readonly number[]): number[] {
  const out: number[] = [];
  for (let i = 0; i < high.length; i += 2)
    for (let j = 0; j < low.length; j += 2)
      out.push(
        high[i]! * low[j]! - high[i + 1]! * low[j + 1]!,
        high[i]! * low[j + 1]! + high[i + 1]! * low[j]!,
      );
  return out;
}
