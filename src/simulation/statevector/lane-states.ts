import type { QuantumState } from "../execution/quantum-state.ts";
import type { LaneGroup, StateLanes } from "../execution/state-lanes.ts";
import type { Meter } from "../interpreter/meter.ts";
import type { Philox } from "../sampling/philox.ts";
import { LaneDraws } from "./lane-draws.ts";
import { AmplitudeGroup } from "./lane-group.ts";
import { LanePlanes } from "./lane-planes.ts";
import { LaneSpace } from "./lane-space.ts";
import type { StateLimits } from "./limits.ts";
import { StateVector } from "./state-vector.ts";

/** What the groups of lanes of a run share: where their states lie, and the values of their qubits that are in no superposition. */
export class LaneStates implements StateLanes {
  readonly space: LaneSpace;
  /** For each qubit its value in each lane, where the bits that it depends on are 0. */
  readonly values: readonly Uint8Array[];
  /** For each lane its column in the planes of its group. */
  readonly columns: Int32Array;
  /** For each lane which of the factors it takes that are given for some lanes. */
  readonly choices: Uint16Array;
  readonly limits: StateLimits;
  readonly meter: Meter;

  readonly #draws: LaneDraws;

  constructor(numQubits: number, capacity: number, limits: StateLimits, meter: Meter, random: Philox) {
    this.space = new LaneSpace(limits.precision === "reproducible", capacity);
    this.values = Array.from({ length: numQubits }, () => new Uint8Array(capacity));
    this.columns = new Int32Array(capacity);
    this.choices = new Uint16Array(capacity);
    this.limits = limits;
    this.meter = meter;
    this.#draws = new LaneDraws(random, capacity);
  }

  load(state: QuantumState, lane: number): LaneGroup | null {
    const few = state instanceof StateVector ? state.fewAmplitudes() : null;
    if (!few) return null;
    const { layout, re, im } = few;
    const planes = new LanePlanes(this.space);
    planes.add(2 ** layout.numPositions, re, im);
    this.columns[lane] = 0;
    this.values.forEach((values, qubit) => {
      values[lane] = layout.affineBitOf(qubit).value;
      if (layout.positionOf(qubit) < 0) layout.setValue(qubit, 0);
    });
    return new AmplitudeGroup(this, layout, planes, [lane]);
  }

  uniforms(lanes: readonly number[], shots: Uint32Array, draws: Uint32Array, stream: number): Float64Array {
    return this.#draws.uniforms(lanes, shots, draws, stream);
  }

  release(): void {
    this.space.release();
  }
}
