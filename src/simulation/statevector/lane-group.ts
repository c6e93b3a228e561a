import { changesQubit, type ElementaryGate, type Gate } from "../circuit/gate.ts";
import { isAntidiagonal } from "../circuit/matrix.ts";
import { visitCall } from "../circuit/primitives.ts";
import type { LaneGroup } from "../execution/state-lanes.ts";
import { flip, LaneAmplitudes, NOT } from "./lane-amplitudes.ts";
import { LanePlanes } from "./lane-planes.ts";

/** Amplitudes of a lane up to which lanes are joined that have different qubits in superposition, and those that this may add to all. */
const MAX_JOINED = 32;
const MAX_ADDED = 2 ** 14;
/** Amplitudes that the caches of a processor hold, and those of which even a few lanes are too many. */
const CACHED = 2 ** 17;
const MAX_TOGETHER = 2 ** 19;
/** The number of lanes that are split where they do not fit into the cache. */
const FEW_LANES = 8;

/** Lanes whose qubits are arranged alike: gates on them, measurements, and how they are split and joined. */
export class AmplitudeGroup extends LaneAmplitudes implements LaneGroup {
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
    this.#apply(gate, [{ params, at }], qubits, first, lanes);
  }

  applyEach(
    gate: ElementaryGate,
    qubits: ArrayLike<number>,
    each: readonly { readonly params: ArrayLike<number>; readonly lanes: readonly number[] }[],
    lanes: number[],
  ): void {
    each.forEach((own, choice) => {
      for (const lane of own.lanes) this.states.choices[lane] = choice;
    });
    this.#apply(gate, each, qubits, 0, lanes);
  }

  #apply(
    gate: ElementaryGate,
    each: readonly { readonly params: ArrayLike<number>; readonly at?: number }[],
    qubits: ArrayLike<number>,
    first: number,
    lanes: number[],
  ): void {
    this.states.meter.spend(this.size * lanes.length);
    const controls = gate.controls.map((wanted, i) => ({ qubit: qubits[first + i]!, value: wanted ? 1 : 0 }));
    const target = qubits[first + controls.length]!;
    if (gate.kind === "swap") this.swap(target, qubits[first + controls.length + 1]!, controls, lanes);
    else if (gate.kind === "matrix")
      this.multiply(
        target,
        controls,
        lanes,
        each.map(({ params, at = 0 }) => gate.matrix(params, at)),
      );
    else {
      const angles = each.map(({ params, at = 0 }) => gate.scale * params[at]!);
      this.phase(
        controls,
        lanes,
        angles.map(angle => [Math.cos(angle), Math.sin(angle)] as const),
      );
    }
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
      const position = this.layout.positionOf(qubits[first + place]!);
      if (position < 0 || this.layout.dependents(position).length > 0) return true;
    }
    return false;
  }

  probabilitiesOfOne(qubit: number, lanes: readonly number[]): number[] {
    const position = this.positionFor(qubit);
    const [zero, one] = this.planes.weights(this.size, position);
    const values = this.valuesOf(qubit);
    const { columns } = this.states;
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
    const position = this.positionFor(qubit);
    const values = this.valuesOf(qubit);
    const { columns } = this.states;
    const isWhole = lanes === this.lanes;
    const bits = new Uint8Array(lanes.length);
    this.planes.project(this.size, position, !isWhole, (zero, one) => {
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
    const owner = this.layout.ownerOf(position);
    for (const follower of [owner, ...this.layout.dependents(position)])
      flip(this.valuesOf(follower), lanes, bits);
    this.layout.remove(position, 0);
  }

  clear(qubit: number, lanes: number[], outcomes: ArrayLike<number>): void {
    if (this.isClassical(qubit)) for (const lane of lanes) this.valuesOf(qubit)[lane] = 0;
    else
      this.multiply(
        qubit,
        [],
        lanes.filter((_, i) => outcomes[i]),
        [NOT],
      );
  }

  fork(lane: number, to: number): void {
    const { columns, values } = this.states;
    for (const each of values) each[to] = each[lane]!;
    this.planes.append(this.size, this.planes, [columns[lane]!]);
    columns[to] = this.lanes.length;
    this.lanes.push(to);
  }

  isTooLarge(growth: number): boolean {
    return isTooLarge(this.size * growth, this.lanes.length);
  }

  split(lanes: number[]): LaneGroup {
    const { columns, space } = this.states;
    const planes = new LanePlanes(space);
    planes.append(
      this.size,
      this.planes,
      lanes.map(lane => columns[lane]!),
    );
    const isGone = new Uint8Array(this.lanes.length);
    lanes.forEach((lane, column) => {
      isGone[columns[lane]!] = 1;
      columns[lane] = column;
    });
    const kept = this.lanes.filter((_, column) => !isGone[column]);
    this.planes.keep(
      this.size,
      kept.map(lane => columns[lane]!),
    );
    kept.forEach((lane, column) => {
      columns[lane] = column;
      this.lanes[column] = lane;
    });
    this.lanes.length = kept.length;
    return new AmplitudeGroup(this.states, this.layout.copy(), planes, lanes);
  }

  join(other: LaneGroup): boolean {
    if (!(other instanceof AmplitudeGroup)) return false;
    const [own, others] = [this.layout, other.layout];
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
        for (const group of [this, other]) if (group.layout.positionOf(qubit) < 0) group.addQubit(qubit);
      const from = Array.from({ length: own.numPositions }, (_, i) => others.positionOf(own.ownerOf(i)));
      if (from.some((position, place) => position !== place)) sources = permutedIndices(from);
    }
    this.planes.append(this.size, other.planes, undefined, sources);
    other.planes.release();
    for (const lane of other.lanes) {
      this.states.columns[lane] = this.lanes.length;
      this.lanes.push(lane);
    }
    return true;
  }

  end(): void {
    this.planes.release();
  }
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
