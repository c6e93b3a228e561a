import type { CircuitParts } from "../circuit/circuit.ts";
import { applyClifford, type CliffordTarget } from "../circuit/clifford.ts";
import type { Gate, Numbers } from "../circuit/gate.ts";
import { type Compute, DeferredMeasurement, type Value } from "../circuit/memory.ts";
import { OPERATION } from "../circuit/operations.ts";
import { visitCall } from "../circuit/primitives.ts";
import { UnsupportedMethodError } from "../errors.ts";
import type { Continuation, SchedulableBranch } from "../execution/branch.ts";
import { ClassicalBits } from "../execution/classical-bits.ts";
import type { PauliString } from "../execution/quantum-state.ts";
import type { Meter, OperationRange } from "../interpreter/execution-state.ts";
import type { FramesPart, PauliFrames } from "./pauli-frames.ts";
import type { PauliErrors } from "./shot-frames.ts";
import { Tableau } from "./tableau.ts";

/** State shared by the branches of a run. */
interface StabilizerRun {
  readonly meter: Meter;
  /** Errors of shots. Default: none. */
  readonly noise?: PauliErrors | undefined;
}

/** A reference state, and the frames in which what runs through the branch differs from it. */
interface StabilizerState {
  readonly tableau: Tableau;
  readonly frames: PauliFrames;
}

/** The classical memory of a branch, and the qubits whose measurement is put off, with the bits that it was written into. */
interface StabilizerMemory {
  /** The bits of the reference; an open one waits for a qubit, or has the row in which it differs from the reference. */
  readonly bits: ClassicalBits<number | Uint32Array>;
  readonly slots: Value[];
  readonly waiting: Map<number, readonly number[]>;
}

const DEFERRED = new DeferredMeasurement();

/**
 * A branch of a Clifford program: a reference, and all shots, or the exact distribution of all outcomes, that differ from
 * it only by Pauli errors. Measurements are put off until something acts on their qubit, something reads their bit, or the
 * program has ended.
 */
export class StabilizerBranch implements SchedulableBranch {
  readonly slots: Value[];
  /** The number of each shot; null in an exact run. */
  readonly shots: Uint32Array | null;
  /** The probability of an exact run's branch. */
  readonly weight: number;
  instruction = 0;
  operation = -1;
  readonly #run: StabilizerRun;
  readonly #state: StabilizerState;
  readonly #memory: StabilizerMemory;
  readonly #both: CliffordTarget;

  constructor(
    run: StabilizerRun,
    state: StabilizerState,
    shots: Uint32Array | null,
    memory: StabilizerMemory,
    weight = 1,
  ) {
    this.#run = run;
    this.#state = state;
    this.#memory = memory;
    this.slots = memory.slots;
    this.shots = shots;
    this.weight = weight;
    const { tableau, frames } = state;
    const both =
      <K extends keyof CliffordTarget>(name: K) =>
      (a: number, b = a) => {
        run.meter.work(tableau.numQubits / 8 + frames.words, 1);
        tableau[name](a, b);
        frames[name](a, b);
      };
    this.#both = {
      ...{ h: both("h"), s: both("s"), x: both("x"), z: both("z") },
      ...{ cx: both("cx"), cz: both("cz"), swap: both("swap") },
    };
  }

  /** Makes the branch with which a program begins. */
  static begin(
    { numBits, numSlots }: CircuitParts,
    run: StabilizerRun,
    state: StabilizerState,
    shots: Uint32Array | null,
  ): StabilizerBranch {
    const slots: Value[] = new Array(numSlots).fill(0n);
    const memory = {
      bits: new ClassicalBits<number | Uint32Array>(numBits),
      slots,
      waiting: new Map<number, readonly number[]>(),
    };
    return new StabilizerBranch(run, state, shots, memory);
  }

  get bytes(): number {
    return Tableau.bytes(this.#state.tableau.numQubits);
  }

  [Symbol.dispose](): void {}

  /** Returns the row of a bit's values. Its measurement must have been carried out. */
  values(bit: number): Uint32Array {
    const { bits } = this.#memory;
    const { frames } = this.#state;
    const flips = (bits.open[bit] as Uint32Array | null) ?? new Uint32Array(frames.words);
    return frames.valuesOf(bits.values[bit]!, flips);
  }

  /** Returns the expectation value of a Pauli string in the reference, and where the frames flip its sign. */
  expectation(string: PauliString): { reference: number; flips: Uint32Array } {
    const { tableau, frames } = this.#state;
    return { reference: tableau.expectation(string), flips: frames.signOf(string) };
  }

  /** Carries out all measurements that were put off. */
  measureAll(): void {
    for (const qubit of this.#memory.waiting.keys()) this.#settle(qubit);
  }

  /** Reads a bit of the reference, if all that runs through the branch has the same. */
  readBit(bit: number): number {
    const { bits } = this.#memory;
    const qubit = bits.open[bit];
    if (typeof qubit === "number") this.#settle(qubit);
    if (bits.open[bit] === null) return bits.values[bit]!;
    DEFERRED.qubit = bit;
    throw DEFERRED;
  }

  writeBit(bit: number, value: number): void {
    this.#memory.bits.write(bit, value);
  }

  apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): number {
    const { noise, meter } = this.#run;
    if (noise && gate.kind === "composite") {
      visitCall(gate, params, at, qubits, first, one => this.apply(one.gate, one.params, 0, one.qubits, 0));
      return -1;
    }
    meter.spend(0);
    for (let place = 0; place < gate.numQubits; place++) this.#settle(qubits[first + place]!);
    if (!applyClifford(gate, params, at, qubits, first, this.#both)) {
      const given = Array.from({ length: gate.numParams }, (_, i) => Number(params[at + i]!.toPrecision(6)));
      throw new UnsupportedMethodError(
        `${gate.name}${given.length > 0 ? `(${given.join(", ")})` : ""} is not a Clifford gate, and the stabilizer method does no others.`,
        ["statevector", "matrix product state", "sparse"],
      );
    }
    if (noise && gate.kind !== "composite")
      noise.afterGate({ gate, params, at, qubits, first }, this.#state.frames, this.shots!.length);
    return -1;
  }

  /** Applies Paulis where an undecided bit makes a condition true: they change the reference and the frames, or only the frames. */
  applyWhere(bit: number, condition: Compute, range: OperationRange): boolean {
    if (this.#run.noise) return false;
    this.measureAll();
    const { bits } = this.#memory;
    const flips = bits.open[bit];
    const paulis = typeof flips === "object" && flips && paulisOf(range);
    if (!paulis) return false;
    const [ifZero, ifOne] = [0, 1].map(value =>
      condition({ slots: [], readBit: () => value, writeBit: () => {} }),
    );
    if (ifZero === ifOne) return false;
    const isApplied = bits.values[bit] ? ifOne : ifZero;
    for (const { pauli, qubit } of paulis) {
      this.#run.meter.spend(flips.length);
      if (isApplied) this.#state.tableau[pauli](qubit);
      this.#state.frames.add(pauli, qubit, flips);
    }
    return true;
  }

  measure(qubit: number, bit: number): void {
    const { bits, waiting } = this.#memory;
    bits.measured(qubit, bit, 0, qubit);
    waiting.set(qubit, [...(waiting.get(qubit) ?? []), bit]);
  }

  reset(qubit: number): void {
    const { tableau, frames } = this.#state;
    this.#settle(qubit);
    if (tableau.measure(qubit)) tableau.x(qubit);
    frames.reset(qubit);
    this.#run.meter.spend(tableau.numQubits);
  }

  /** Carries out the measurements of a qubit that were put off. Without a bit that is kept, it only loses its coherence. */
  #settle(qubit: number): void {
    const { bits, waiting } = this.#memory;
    const written = waiting.get(qubit);
    if (!written) return;
    waiting.delete(qubit);
    const { tableau, frames } = this.#state;
    const { meter, noise } = this.#run;
    const value = tableau.measure(qubit);
    const differs = frames.measure(qubit);
    meter.spend(tableau.numQubits + differs.length);
    for (const bit of written) {
      if (bits.open[bit] !== qubit) continue;
      const flips = differs.slice();
      noise?.applyReadoutError(qubit, value, flips, this.shots!.length);
      bits.measured(qubit, bit, value, flips);
    }
  }

  /** Returns the continuations by the value of a bit, each with the bit decided. */
  split(bit: number): Continuation<this>[] {
    const parts = this.#state.frames.parts(this.values(bit));
    return parts.map(part => {
      const shots = part.places && Uint32Array.from(part.places, place => this.shots![place]!);
      return { shots, resume: () => this.#part(part, shots, bit, parts.length === 1) };
    });
  }

  #part(part: FramesPart, shots: Uint32Array | null, bit: number, isOnly: boolean): this {
    const { tableau, frames } = this.#state;
    const { bits, slots, waiting } = this.#memory;
    const take = (open: number | Uint32Array) => (typeof open === "number" ? open : part.take(open));
    const branch = new StabilizerBranch(
      this.#run,
      { tableau: isOnly ? tableau : tableau.copy(), frames: isOnly ? frames : frames.select(part) },
      shots,
      { bits: new ClassicalBits(bits, take), slots: [...slots], waiting: new Map(waiting) },
      this.weight * part.share,
    );
    branch.instruction = this.instruction;
    branch.operation = this.operation;
    branch.writeBit(bit, part.value);
    return branch as this;
  }
}

/** Returns the X and Z gates that operations come to, or null where there are others. */
function paulisOf({ parts, start, end }: OperationRange): { pauli: "x" | "z"; qubit: number }[] | null {
  const { kinds, gates, operands, operandStarts, params, paramStarts } = parts.operations;
  const paulis: { pauli: "x" | "z"; qubit: number }[] = [];
  let hasOthers = false;
  const other = () => {
    hasOthers = true;
  };
  const target: CliffordTarget = {
    ...{ h: other, s: other, cx: other, cz: other, swap: other },
    x: qubit => paulis.push({ pauli: "x", qubit }),
    z: qubit => paulis.push({ pauli: "z", qubit }),
  };
  for (let i = start; i < end && !hasOthers; i++) {
    if (kinds[i] === OPERATION.barrier) continue;
    const gate = kinds[i] === OPERATION.gate ? parts.gates[gates[i]!] : undefined;
    if (!gate || gate.kind === "composite") return null;
    if (!applyClifford(gate, params, paramStarts[i]!, operands, operandStarts[i]!, target)) return null;
  }
  return hasOthers ? null : paulis;
}
