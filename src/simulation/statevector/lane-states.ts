import type { QuantumState } from "../execution/quantum-state.ts";
import type { LaneGroup, StateLanes } from "../execution/state-lanes.ts";
import type { Meter } from "../interpreter/meter.ts";
import type { Philox } from "../sampling/philox.ts";
import { LaneDraws } from "./lane-draws.ts";
import { AmplitudeGroup } from "./lane-group.ts";
import type { AmplitudeRows } from "./lane-kernels.ts";
import { StateVector } from "./state-vector.ts";

/** The amplitudes of many states side by side, and the values of their qubits that are in no superposition. */
export class LaneStates implements StateLanes {
  readonly rows: AmplitudeRows = { re: [], im: [] };
  /** For each qubit its value in each lane, where the bits that it depends on are 0. */
  readonly values: readonly Uint8Array[];
  /** A mark for each lane, 0 between uses. */
  readonly marks: Uint8Array;
  readonly meter: Meter;
  readonly #capacity: number;

  readonly #draws: LaneDraws;

  constructor(numQubits: number, capacity: number, meter: Meter, random: Philox) {
    this.values = Array.from({ length: numQubits }, () => new Uint8Array(capacity));
    this.marks = new Uint8Array(capacity);
    this.#capacity = capacity;
    this.meter = meter;
    this.#draws = new LaneDraws(random, capacity);
  }

  load(state: QuantumState, lane: number): LaneGroup | null {
    const few = state instanceof StateVector ? state.fewAmplitudes() : null;
    if (!few) return null;
    const { layout, re, im } = few;
    const size = 2 ** layout.numPositions;
    this.#grow(size);
    for (let i = 0; i < size; i++) {
      this.rows.re[i]![lane] = re[i]!;
      this.rows.im[i]![lane] = im[i]!;
    }
    this.values.forEach((values, qubit) => {
      values[lane] = layout.affineBitOf(qubit).value;
      if (layout.positionOf(qubit) < 0) layout.setValue(qubit, 0);
    });
    return new AmplitudeGroup(this, layout, [lane]);
  }

  uniforms(lanes: readonly number[], shots: Uint32Array, draws: Uint32Array, stream: number): Float64Array {
    return this.#draws.uniforms(lanes, shots, draws, stream);
  }

  /** Copies a state of so many amplitudes to another lane. */
  copy(lane: number, to: number, size: number): void {
    for (const values of this.values) values[to] = values[lane]!;
    for (const rows of [this.rows.re, this.rows.im])
      for (let i = 0; i < size; i++) rows[i]![to] = rows[i]![lane]!;
  }

  /** Sets the amplitudes from one index up to another to 0, and makes room for them. */
  clear(from: number, to: number, lanes: readonly number[]): void {
    this.#grow(to);
    for (const rows of [this.rows.re, this.rows.im])
      for (let i = from; i < to; i++) for (const lane of lanes) rows[i]![lane] = 0;
  }

  #grow(size: number): void {
    for (const rows of [this.rows.re, this.rows.im])
      while (rows.length < size) rows.push(new Float64Array(this.#capacity));
  }
}
