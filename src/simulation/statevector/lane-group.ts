import type { Gate } from "../circuit/gate.ts";
import { isAntidiagonal, isDiagonal, isNot, type Matrix2, matrix2 } from "../circuit/matrix.ts";
import { visitCall } from "../circuit/primitives.ts";
import type { LaneGroup } from "../execution/state-lanes.ts";
import { positionsIn } from "./amplitudes.ts";
import {
  applyMatrixToLanes,
  applyPhaseToLanes,
  applyXToLanes,
  keepHalfOfLanes,
  type LaneSelection,
  permuteLanes,
  weightsOfLanes,
  zeroHalfOfLanes,
} from "./lane-kernels.ts";
import { type QubitValue, selectLanes } from "./lane-selection.ts";
import type { LaneStates } from "./lane-states.ts";
import type { QubitLayout } from "./qubit-layout.ts";

/** Amplitudes of a lane up to which lanes are joined that have different qubits in superposition. */
const MAX_JOINED = 32;
const NOT = matrix2(0, 0, 1, 0, 1, 0, 0, 0);

/** Lanes with the same layout, in which all values are 0: those of each lane are kept beside it. */
export class AmplitudeGroup implements LaneGroup {
  readonly lanes: number[];
  readonly #states: LaneStates;
  readonly #layout: QubitLayout;

  constructor(states: LaneStates, layout: QubitLayout, lanes: number[]) {
    this.#states = states;
    this.#layout = layout;
    this.lanes = lanes;
  }

  get size(): number {
    return 2 ** this.#layout.numPositions;
  }

  isClassical(qubit: number): boolean {
    return this.#layout.isClassical(qubit);
  }

  valuesOf(qubit: number): Uint8Array {
    return this.#states.values[qubit]!;
  }

  apply(
    gate: Gate,
    params: ArrayLike<number>,
    at: number,
    qubits: ArrayLike<number>,
    first: number,
    lanes: number[],
  ): void {
    if (gate.kind === "composite") {
      visitCall(gate, params, at, qubits, first, step => {
        this.apply(step.gate, step.params, 0, step.qubits, 0, lanes);
      });
      return;
    }
    this.#states.meter.spend(this.size * lanes.length);
    const controls = gate.controls.map((wanted, i) => ({ qubit: qubits[first + i]!, value: wanted ? 1 : 0 }));
    const target = qubits[first + controls.length]!;
    if (gate.kind === "phase") {
      const angle = gate.scale * params[at]!;
      this.#phase(controls, lanes, Math.cos(angle), Math.sin(angle));
    } else if (gate.kind === "matrix") this.#multiply(target, controls, lanes, gate.matrix(params, at));
    else this.#swap(target, qubits[first + controls.length + 1]!, controls, lanes);
  }

  probabilitiesOfOne(qubit: number, lanes: readonly number[]): number[] {
    const position = this.#positionFor(qubit);
    const [zero, one] = [0, 1].map(bit =>
      weightsOfLanes(this.#states.rows, this.size, position, bit, lanes),
    ) as [Float64Array, Float64Array];
    const values = this.valuesOf(qubit);
    return lanes.map((lane, i) => (values[lane] ? zero[i]! : one[i]!) / (zero[i]! + one[i]!));
  }

  project(
    qubit: number,
    lanes: readonly number[],
    outcomes: ArrayLike<number>,
    probabilities: ArrayLike<number>,
  ): void {
    const position = this.#positionFor(qubit);
    const values = this.valuesOf(qubit);
    const bits = new Uint8Array(lanes.length);
    const scales = new Float64Array(lanes.length);
    for (let i = 0; i < lanes.length; i++) {
      bits[i] = outcomes[i]! ^ values[lanes[i]!]!;
      scales[i] = 1 / Math.sqrt(probabilities[i]!);
    }
    const { rows } = this.#states;
    if (lanes !== this.lanes) {
      zeroHalfOfLanes(rows, this.size, position, lanes, bits, scales);
      return;
    }
    keepHalfOfLanes(rows, this.size, position, lanes, bits, scales);
    const owner = this.#layout.ownerOf(position);
    for (const follower of [owner, ...this.#layout.dependents(position)])
      flip(this.valuesOf(follower), lanes, bits);
    this.#layout.remove(position, 0);
  }

  clear(qubit: number, lanes: number[], outcomes: ArrayLike<number>): void {
    if (this.isClassical(qubit)) for (const lane of lanes) this.valuesOf(qubit)[lane] = 0;
    else
      this.#multiply(
        qubit,
        [],
        lanes.filter((_, i) => outcomes[i]),
        NOT,
      );
  }

  fork(lane: number, to: number): void {
    this.#states.copy(lane, to, this.size);
    this.lanes.push(to);
  }

  split(lanes: number[]): LaneGroup {
    const isGone = this.#states.marks;
    for (const lane of lanes) isGone[lane] = 1;
    let kept = 0;
    for (const lane of this.lanes) if (!isGone[lane]) this.lanes[kept++] = lane;
    this.lanes.length = kept;
    for (const lane of lanes) isGone[lane] = 0;
    return new AmplitudeGroup(this.#states, this.#layout.copy(), lanes);
  }

  join(other: LaneGroup): boolean {
    if (!(other instanceof AmplitudeGroup)) return false;
    const [own, others] = [this.#layout, other.#layout];
    if (!own.equals(others)) {
      const different = own.differences(others);
      const added = different.filter(qubit => own.positionOf(qubit) < 0).length;
      if (different.length > 0 && this.size * 2 ** added > MAX_JOINED) return false;
      for (const qubit of different)
        for (const group of [this, other]) if (group.#layout.positionOf(qubit) < 0) group.#addQubit(qubit);
      const from = Array.from({ length: own.numPositions }, (_, i) => others.positionOf(own.ownerOf(i)));
      permuteLanes(this.#states.rows, this.size, from, other.lanes);
    }
    for (const lane of other.lanes) this.lanes.push(lane);
    return true;
  }

  #select(wanted: readonly QubitValue[], lanes: readonly number[]): LaneSelection[] {
    return selectLanes(wanted, lanes, this.#layout, this.#states.values, qubit => this.#positionFor(qubit));
  }

  #phase(wanted: readonly QubitValue[], lanes: readonly number[], re: number, im: number): void {
    for (const selection of this.#select(wanted, lanes))
      if (selection.mask !== 0) applyPhaseToLanes(this.#states.rows, this.size, selection, re, im);
  }

  #multiply(target: number, controls: readonly QubitValue[], lanes: readonly number[], m: Matrix2): void {
    if (isDiagonal(m)) {
      for (const value of [0, 1]) {
        const [re, im] = [m[6 * value]!, m[6 * value + 1]!];
        if (re !== 1 || im !== 0) this.#phase([...controls, { qubit: target, value }], lanes, re, im);
      }
      return;
    }
    if (isNot(m) && controls.length === 1 && this.#tryRelabel(target, controls[0]!, lanes)) return;
    const before = this.#select(controls, lanes);
    if (before.length === 0) return;
    const { rows } = this.#states;
    if (
      before.every(({ mask }) => mask === 0) &&
      (isNot(m) || (isAntidiagonal(m) && this.isClassical(target)))
    ) {
      const own = this.#layout.positionOf(target);
      for (const selection of before) {
        if (own >= 0) applyXToLanes(rows, this.size, own, selection);
        for (const qubit of own >= 0 ? this.#layout.dependents(own) : [target])
          flip(this.valuesOf(qubit), selection.lanes);
      }
      return;
    }
    const position = this.#layout.ownPosition(target, this.#addQubit);
    for (const selection of this.#select(controls, lanes))
      if (isNot(m)) applyXToLanes(rows, this.size, position, selection);
      else applyMatrixToLanes(rows, this.size, position, selection, m);
  }

  /** Makes a qubit without a position a copy or parity by a controlled X, where all lanes take part; returns whether it could. */
  #tryRelabel(target: number, { qubit, value }: QubitValue, lanes: readonly number[]): boolean {
    const { parity } = this.#layout.affineBitOf(qubit);
    if (this.#layout.positionOf(target) >= 0 || (parity !== 0 && lanes !== this.lanes)) return false;
    this.#layout.add(target, { parity, value: 0 });
    const [values, others] = [this.valuesOf(target), this.valuesOf(qubit)];
    for (const lane of lanes) values[lane]! ^= others[lane]! ^ (1 - value);
    return true;
  }

  #swap(a: number, b: number, controls: readonly QubitValue[], lanes: readonly number[]): void {
    if (controls.length === 0 && lanes === this.lanes) {
      this.#layout.swap(a, b);
      const [first, second] = [this.valuesOf(a), this.valuesOf(b)];
      for (const lane of lanes) [first[lane], second[lane]] = [second[lane]!, first[lane]!];
      return;
    }
    this.#multiply(b, [{ qubit: a, value: 1 }], lanes, NOT);
    this.#multiply(a, [...controls, { qubit: b, value: 1 }], lanes, NOT);
    this.#multiply(b, [{ qubit: a, value: 1 }], lanes, NOT);
  }

  /** Returns the position of a qubit, or that of the one which it is a copy of. */
  #positionFor(qubit: number): number {
    return this.#layout.single(qubit)?.position ?? this.#addQubit(qubit);
  }

  /** Adds a bit of a qubit's own, the highest, and returns its position. */
  readonly #addQubit = (qubit: number): number => {
    const { lanes } = this;
    const { rows } = this.#states;
    const [position, size] = [this.#layout.numPositions, this.size];
    this.#states.clear(size, 2 * size, lanes);
    const { parity } = this.#layout.addQubit(qubit);
    const values = this.valuesOf(qubit);
    const inverted = lanes.filter(lane => values[lane]);
    if (inverted.length > 0) {
      applyXToLanes(rows, 2 * size, position, { mask: 0, on: 0, lanes: inverted });
      for (const lane of inverted) values[lane] = 0;
    }
    for (const other of positionsIn(parity))
      applyXToLanes(rows, 2 * size, position, { mask: 1 << other, on: 1 << other, lanes });
    return position;
  };
}

/** Flips values in lanes, where bits are given only in those whose bit is 1. */
function flip(values: Uint8Array, lanes: readonly number[], bits?: Uint8Array): void {
  for (let i = 0; i < lanes.length; i++) values[lanes[i]!]! ^= bits ? bits[i]! : 1;
}
