import { isAntidiagonal, isDiagonal, isNot, type Matrix2, matrix2 } from "../circuit/matrix.ts";
import type { LanePlanes } from "./lane-planes.ts";
import { type LaneSelection, type QubitValue, selectLanes } from "./lane-selection.ts";
import type { LaneStates } from "./lane-states.ts";
import { checkMemory } from "./limits.ts";
import type { QubitLayout } from "./qubit-layout.ts";

export const NOT = matrix2(0, 0, 1, 0, 1, 0, 0, 0);

/** The amplitudes of lanes with the same layout, in which all values are 0: those of each lane are kept beside it. */
export class LaneAmplitudes {
  readonly states: LaneStates;
  readonly layout: QubitLayout;
  /** The amplitudes, a column for each of the lanes. */
  readonly planes: LanePlanes;
  /** A method that is called with this very list acts on all lanes. */
  readonly lanes: number[];

  constructor(states: LaneStates, layout: QubitLayout, planes: LanePlanes, lanes: number[]) {
    this.states = states;
    this.layout = layout;
    this.planes = planes;
    this.lanes = lanes;
  }

  /** Amplitudes of each lane. */
  get size(): number {
    return 2 ** this.layout.numPositions;
  }

  isClassical(qubit: number): boolean {
    return this.layout.isClassical(qubit);
  }

  valuesOf(qubit: number): Uint8Array {
    return this.states.values[qubit]!;
  }

  /** Selects the columns of lanes, each for one of so many factors; returns whether one factor for all will not do. */
  #mark(lanes: readonly number[], count = 1): boolean {
    if (lanes === this.lanes && count === 1) return false;
    const { columns, choices } = this.states;
    this.planes.select(
      lanes.map(lane => columns[lane]!),
      count > 1 ? lanes.map(lane => choices[lane]!) : undefined,
    );
    return true;
  }

  #matrix(position: number, selection: LaneSelection, matrices: readonly Matrix2[]): void {
    const isSelected = this.#mark(selection.lanes, matrices.length);
    this.planes.matrix(this.size, position, selection, isSelected, matrices);
  }

  #select(wanted: readonly QubitValue[], lanes: readonly number[]): LaneSelection[] {
    return selectLanes(wanted, lanes, this.layout, this.states.values, qubit => this.positionFor(qubit));
  }

  /** Multiplies the amplitudes in which qubits have values by a complex number, or in each lane by that of its choice. */
  phase(
    wanted: readonly QubitValue[],
    lanes: readonly number[],
    phases: readonly (readonly [re: number, im: number])[],
  ): void {
    if (phases.every(([re, im]) => re === 1 && im === 0)) return;
    for (const selection of this.#select(wanted, lanes))
      if (selection.mask !== 0) {
        const isSelected = this.#mark(selection.lanes, phases.length);
        this.planes.phase(this.size, selection, isSelected, phases);
      }
  }

  /** Applies a matrix to a qubit, or in each lane that of its choice. */
  multiply(
    target: number,
    controls: readonly QubitValue[],
    lanes: readonly number[],
    matrices: readonly Matrix2[],
  ): void {
    if (matrices.every(isDiagonal)) {
      for (const value of [0, 1]) {
        const phases = matrices.map(m => [m[6 * value]!, m[6 * value + 1]!] as const);
        this.phase([...controls, { qubit: target, value }], lanes, phases);
      }
      return;
    }
    const areNot = matrices.every(isNot);
    if (areNot && controls.length === 1 && this.#tryRelabel(target, controls[0]!, lanes)) return;
    const before = this.#select(controls, lanes);
    if (before.length === 0) return;
    if (
      before.every(({ mask }) => mask === 0) &&
      (areNot || (matrices.every(isAntidiagonal) && this.isClassical(target)))
    ) {
      const own = this.layout.positionOf(target);
      for (const selection of before) {
        if (own >= 0) this.#matrix(own, selection, [NOT]);
        for (const qubit of own >= 0 ? this.layout.dependents(own) : [target])
          flip(this.valuesOf(qubit), selection.lanes);
      }
      return;
    }
    const position = this.layout.ownPosition(target, this.addQubit);
    for (const selection of this.#select(controls, lanes)) this.#matrix(position, selection, matrices);
  }

  /** Makes a qubit without a position a copy or parity by a controlled X, where all lanes take part; returns whether it could. */
  #tryRelabel(target: number, { qubit, value }: QubitValue, lanes: readonly number[]): boolean {
    const { parity } = this.layout.affineBitOf(qubit);
    if (this.layout.positionOf(target) >= 0 || (parity !== 0 && lanes !== this.lanes)) return false;
    this.layout.add(target, { parity, value: 0 });
    const [values, others] = [this.valuesOf(target), this.valuesOf(qubit)];
    for (const lane of lanes) values[lane]! ^= others[lane]! ^ (1 - value);
    return true;
  }

  swap(a: number, b: number, controls: readonly QubitValue[], lanes: readonly number[]): void {
    if (controls.length === 0 && lanes === this.lanes) {
      this.layout.swap(a, b);
      const [first, second] = [this.valuesOf(a), this.valuesOf(b)];
      for (const lane of lanes) [first[lane], second[lane]] = [second[lane]!, first[lane]!];
      return;
    }
    this.multiply(b, [{ qubit: a, value: 1 }], lanes, [NOT]);
    this.multiply(a, [...controls, { qubit: b, value: 1 }], lanes, [NOT]);
    this.multiply(b, [{ qubit: a, value: 1 }], lanes, [NOT]);
  }

  /** Returns the position of a qubit, or that of the one which it is a copy of. */
  positionFor(qubit: number): number {
    return this.layout.single(qubit)?.position ?? this.addQubit(qubit);
  }

  /** Adds a bit of a qubit's own, the highest, and returns its position. */
  readonly addQubit = (qubit: number): number => {
    const position = this.layout.numPositions;
    const { size } = this;
    checkMemory(position + 1, { ...this.states.limits, precision: "double" });
    const { parity } = this.layout.addQubit(qubit);
    const values = this.valuesOf(qubit);
    const inverted = this.lanes.filter(lane => values[lane]);
    for (const lane of inverted) values[lane] = 0;
    this.planes.expand(size, parity, inverted.length > 0 && this.#mark(inverted));
    return position;
  };
}

/** Flips values in lanes, where bits are given only in those whose bit is 1. */
export function flip(values: Uint8Array, lanes: readonly number[], bits?: Uint8Array): void {
  for (let i = 0; i < lanes.length; i++) values[lanes[i]!]! ^= bits ? bits[i]! : 1;
}
