import { changesQubit, type Gate } from "../circuit/gate.ts";
import { isAntidiagonal, isDiagonal, isNot, type Matrix2, matrix2 } from "../circuit/matrix.ts";
import { visitCall } from "../circuit/primitives.ts";
import type { LaneGroup } from "../execution/state-lanes.ts";
import { LanePlanes } from "./lane-planes.ts";
import { type LaneSelection, type QubitValue, selectLanes } from "./lane-selection.ts";
import type { LaneStates } from "./lane-states.ts";
import { checkMemory } from "./limits.ts";
import type { QubitLayout } from "./qubit-layout.ts";

/** Amplitudes of a lane up to which lanes are joined that have different qubits in superposition, and those that this may add to all. */
const MAX_JOINED = 32;
const MAX_ADDED = 2 ** 14;
/** Amplitudes that the caches of a processor hold, and those of which even a few lanes are too many. */
const CACHED = 2 ** 17;
const MAX_TOGETHER = 2 ** 19;
/** The number of lanes that are split where they do not fit into the cache. */
const FEW_LANES = 8;
const NOT = matrix2(0, 0, 1, 0, 1, 0, 0, 0);

/** Lanes with the same layout, in which all values are 0: those of each lane are kept beside it. */
export class AmplitudeGroup implements LaneGroup {
  readonly lanes: number[];
  readonly #states: LaneStates;
  readonly #layout: QubitLayout;
  /** The amplitudes, a column for each of the lanes. */
  readonly #planes: LanePlanes;

  constructor(states: LaneStates, layout: QubitLayout, planes: LanePlanes, lanes: number[]) {
    this.#states = states;
    this.#layout = layout;
    this.#planes = planes;
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

  widens(
    gate: Gate,
    params: ArrayLike<number>,
    at: number,
    qubits: ArrayLike<number>,
    first: number,
  ): boolean {
    if (gate.kind === "matrix" && gate.controls.length === 0 && isAntidiagonal(gate.matrix(params, at)))
      return false;
    for (let place = 0; place < gate.numQubits; place++) {
      if (!changesQubit(gate, place)) continue;
      const position = this.#layout.positionOf(qubits[first + place]!);
      if (position < 0 || this.#layout.dependents(position).length > 0) return true;
    }
    return false;
  }

  probabilitiesOfOne(qubit: number, lanes: readonly number[]): number[] {
    const position = this.#positionFor(qubit);
    const [zero, one] = this.#planes.weights(this.size, position);
    const values = this.valuesOf(qubit);
    const { columns } = this.#states;
    return lanes.map(lane => {
      const column = columns[lane]!;
      return (values[lane] ? zero : one)[column]! / (zero[column]! + one[column]!);
    });
  }

  project(
    qubit: number,
    lanes: readonly number[],
    outcomes: ArrayLike<number>,
    probabilities: ArrayLike<number>,
  ): void {
    const position = this.#positionFor(qubit);
    const values = this.valuesOf(qubit);
    const { columns } = this.#states;
    const isWhole = lanes === this.lanes;
    const bits = new Uint8Array(lanes.length);
    this.#planes.project(this.size, position, !isWhole, (zero, one) => {
      zero.fill(isWhole ? 0 : 1);
      one.fill(isWhole ? 0 : 1);
      for (let i = 0; i < lanes.length; i++) {
        const column = columns[lanes[i]!]!;
        bits[i] = outcomes[i]! ^ values[lanes[i]!]!;
        (bits[i] ? one : zero)[column] = 1 / Math.sqrt(probabilities[i]!);
        (bits[i] ? zero : one)[column] = 0;
      }
    });
    if (!isWhole) return;
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
    const { columns, values } = this.#states;
    for (const each of values) each[to] = each[lane]!;
    this.#planes.append(this.size, this.#planes, [columns[lane]!]);
    columns[to] = this.lanes.length;
    this.lanes.push(to);
  }

  isTooLarge(growth: number): boolean {
    return isTooLarge(this.size * growth, this.lanes.length);
  }

  split(lanes: number[]): LaneGroup {
    const { columns, space } = this.#states;
    const planes = new LanePlanes(space);
    planes.append(
      this.size,
      this.#planes,
      lanes.map(lane => columns[lane]!),
    );
    const isGone = new Uint8Array(this.lanes.length);
    lanes.forEach((lane, column) => {
      isGone[columns[lane]!] = 1;
      columns[lane] = column;
    });
    const kept = this.lanes.filter((_, column) => !isGone[column]);
    this.#planes.keep(
      this.size,
      kept.map(lane => columns[lane]!),
    );
    kept.forEach((lane, column) => {
      columns[lane] = column;
      this.lanes[column] = lane;
    });
    this.lanes.length = kept.length;
    return new AmplitudeGroup(this.#states, this.#layout.copy(), planes, lanes);
  }

  join(other: LaneGroup): boolean {
    if (!(other instanceof AmplitudeGroup)) return false;
    const [own, others] = [this.#layout, other.#layout];
    const count = this.lanes.length + other.lanes.length;
    let sources: Uint32Array | undefined;
    if (own.equals(others)) {
      if (isTooLarge(this.size, count)) return false;
    } else {
      const different = own.differences(others);
      const size = this.size * 2 ** different.filter(qubit => own.positionOf(qubit) < 0).length;
      const added = size * count - this.size * this.lanes.length - other.size * other.lanes.length;
      if (isTooLarge(size, count) || (size > MAX_JOINED && added > MAX_ADDED)) return false;
      for (const qubit of different)
        for (const group of [this, other]) if (group.#layout.positionOf(qubit) < 0) group.#addQubit(qubit);
      const from = Array.from({ length: own.numPositions }, (_, i) => others.positionOf(own.ownerOf(i)));
      if (from.some((position, place) => position !== place)) sources = permutedIndices(from);
    }
    this.#planes.append(this.size, other.#planes, undefined, sources);
    other.#planes.release();
    for (const lane of other.lanes) {
      this.#states.columns[lane] = this.lanes.length;
      this.lanes.push(lane);
    }
    return true;
  }

  end(): void {
    this.#planes.release();
  }

  /** Selects the columns of lanes; returns whether they are not all. */
  #mark(lanes: readonly number[]): boolean {
    if (lanes === this.lanes) return false;
    const { columns } = this.#states;
    this.#planes.select(lanes.map(lane => columns[lane]!));
    return true;
  }

  #matrix(position: number, selection: LaneSelection, m: Matrix2): void {
    this.#planes.matrix(this.size, position, selection, this.#mark(selection.lanes), m);
  }

  #select(wanted: readonly QubitValue[], lanes: readonly number[]): LaneSelection[] {
    return selectLanes(wanted, lanes, this.#layout, this.#states.values, qubit => this.#positionFor(qubit));
  }

  #phase(wanted: readonly QubitValue[], lanes: readonly number[], re: number, im: number): void {
    for (const selection of this.#select(wanted, lanes))
      if (selection.mask !== 0) this.#planes.phase(this.size, selection, this.#mark(selection.lanes), re, im);
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
    if (
      before.every(({ mask }) => mask === 0) &&
      (isNot(m) || (isAntidiagonal(m) && this.isClassical(target)))
    ) {
      const own = this.#layout.positionOf(target);
      for (const selection of before) {
        if (own >= 0) this.#matrix(own, selection, NOT);
        for (const qubit of own >= 0 ? this.#layout.dependents(own) : [target])
          flip(this.valuesOf(qubit), selection.lanes);
      }
      return;
    }
    const position = this.#layout.ownPosition(target, this.#addQubit);
    for (const selection of this.#select(controls, lanes)) this.#matrix(position, selection, m);
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
    const position = this.#layout.numPositions;
    const { size } = this;
    checkMemory(position + 1, { ...this.#states.limits, precision: "double" });
    const { parity } = this.#layout.addQubit(qubit);
    const values = this.valuesOf(qubit);
    const inverted = this.lanes.filter(lane => values[lane]);
    for (const lane of inverted) values[lane] = 0;
    this.#planes.expand(size, parity, inverted.length > 0 && this.#mark(inverted));
    return position;
  };
}

/** Whether so many lanes of so many amplitudes are better split. */
const isTooLarge = (size: number, lanes: number): boolean =>
  size * lanes > (lanes > FEW_LANES ? CACHED : MAX_TOGETHER) && lanes > 1;

/** Returns for each index that whose bit at the position of a list is the index's bit at the place in it. */
function permutedIndices(positions: readonly number[]): Uint32Array {
  const indices = new Uint32Array(2 ** positions.length);
  positions.forEach((position, place) => {
    const half = 1 << place;
    for (let i = 0; i < half; i++) indices[half + i] = indices[i]! | (1 << position);
  });
  return indices;
}

/** Flips values in lanes, where bits are given only in those whose bit is 1. */
function flip(values: Uint8Array, lanes: readonly number[], bits?: Uint8Array): void {
  for (let i = 0; i < lanes.length; i++) values[lanes[i]!]! ^= bits ? bits[i]! : 1;
}
