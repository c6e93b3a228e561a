import type { CircuitParts } from "../circuit/circuit.ts";
import { applyClifford, type CliffordTarget } from "../circuit/clifford.ts";
import type { Gate, Numbers } from "../circuit/gate.ts";
import { type Compute, DeferredMeasurement, type Value } from "../circuit/memory.ts";
import { OPERATION } from "../circuit/operations.ts";
import { UnsupportedMethodError } from "../errors.ts";
import type { Continuation, SchedulableBranch } from "../execution/branch.ts";
import { ClassicalBits } from "../execution/classical-bits.ts";
import type { Meter, OperationRange } from "../interpreter/execution-state.ts";
import type { PauliFrames } from "./pauli-frames.ts";
import { Tableau } from "./tableau.ts";

/** The bits of the reference, open ones with the frames in which shots differ from it, and the other variables. */
export interface CliffordMemory {
  readonly bits: ClassicalBits<Uint32Array>;
  readonly slots: Value[];
  readonly measurements: Measurements;
}

/** When qubits are measured: at once, never, or, for the bits that are listed by qubit, once something depends on it. */
export type Measurements = "at once" | "never" | ReadonlyMap<number, readonly number[]>;

/** Returns the memory with which a program begins. */
export const emptyMemory = (
  { numBits, numSlots }: CircuitParts,
  measurements: Measurements = "at once",
): CliffordMemory => ({
  bits: new ClassicalBits(numBits),
  slots: new Array(numSlots).fill(0n),
  measurements,
});

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

const DEFERRED = new DeferredMeasurement();

/** One branch of a Clifford program: a reference with its outcomes, and all shots that differ from it only by Pauli errors. */
export abstract class CliffordBranch<D extends PauliFrames> implements SchedulableBranch {
  readonly slots: Value[];
  instruction = 0;
  operation = -1;
  protected readonly memory: CliffordMemory;
  protected readonly tableau: Tableau;
  protected readonly frames: D;
  protected readonly meter: Meter;
  /** Bits that wait for the measurement of their qubit; -1 in place of those that were written since. */
  readonly #waiting = new Map<number, number[]>();
  readonly #both: CliffordTarget;

  constructor(tableau: Tableau, frames: D, meter: Meter, memory: CliffordMemory) {
    this.tableau = tableau;
    this.frames = frames;
    this.meter = meter;
    this.memory = memory;
    this.slots = memory.slots;
    if (typeof memory.measurements !== "string")
      for (const [qubit, bits] of memory.measurements) this.#waiting.set(qubit, [...bits]);
    const both =
      <K extends keyof CliffordTarget>(name: K) =>
      (a: number, b = a) => {
        meter.work(tableau.numQubits / 8 + frames.words, 1);
        tableau[name](a, b);
        frames[name](a, b);
      };
    this.#both = {
      h: both("h"),
      s: both("s"),
      x: both("x"),
      z: both("z"),
      cx: both("cx"),
      cz: both("cz"),
      swap: both("swap"),
    };
  }

  abstract split(bit: number): Continuation<this>[];

  /** Bytes of the tableau. */
  get bytes(): number {
    return Tableau.bytes(this.tableau.numQubits);
  }

  [Symbol.dispose](): void {}

  /** Returns the qubit-free number that {@link run} answers where a bit has to be decided. */
  readBit(bit: number): number {
    for (const [qubit, bits] of this.#waiting) if (bits.includes(bit)) this.#settle(qubit);
    if (this.memory.bits.open[bit]) {
      DEFERRED.qubit = bit;
      throw DEFERRED;
    }
    return this.memory.bits.values[bit]!;
  }

  writeBit(bit: number, value: number): void {
    this.#forget(bit);
    this.memory.bits.write(bit, value);
  }

  apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): number {
    this.meter.spend(0);
    for (let place = 0; place < gate.numQubits; place++) this.#settle(qubits[first + place]!);
    if (!applyClifford(gate, params, at, qubits, first, this.#both)) {
      const given = Array.from({ length: gate.numParams }, (_, i) => Number(params[at + i]!.toPrecision(6)));
      throw new UnsupportedMethodError(
        `${gate.name}${given.length > 0 ? `(${given.join(", ")})` : ""} is not a Clifford gate, and the stabilizer method does no others.`,
        ["statevector", "matrix product state", "sparse"],
      );
    }
    return -1;
  }

  /** Applies Paulis where an undecided bit makes a condition true: they change the reference and the frames, or only the frames. */
  applyWhere(bit: number, condition: Compute<boolean>, range: OperationRange): boolean {
    for (const qubit of this.#waiting.keys()) this.#settle(qubit);
    const flips = this.memory.bits.open[bit];
    const paulis = flips && paulisOf(range);
    if (!paulis) return false;
    const [ifZero, ifOne] = [0, 1].map(value =>
      condition({ slots: [], readBit: () => value, writeBit: () => {} }),
    );
    if (ifZero === ifOne) return false;
    const isApplied = this.memory.bits.values[bit] ? ifOne : ifZero;
    for (const { pauli, qubit } of paulis) {
      this.meter.spend(flips.length);
      if (isApplied) this.tableau[pauli](qubit);
      this.frames.add(pauli, qubit, flips);
    }
    return true;
  }

  measure(qubit: number, bit: number): void {
    const { measurements } = this.memory;
    if (measurements === "at once") this.#measure(qubit, bit);
    if (typeof measurements === "string") return;
    this.#forget(bit);
    this.#waiting.set(qubit, [...(this.#waiting.get(qubit) ?? []), bit]);
  }

  /** The measurements that wait. */
  protected get measurements(): Measurements {
    return typeof this.memory.measurements === "string" ? this.memory.measurements : this.#waiting;
  }

  /** Does the measurements of a qubit that wait. */
  #settle(qubit: number): void {
    const bits = this.#waiting.get(qubit) ?? [];
    this.#waiting.delete(qubit);
    for (const bit of bits) this.#measure(qubit, bit);
  }

  #forget(bit: number): void {
    for (const [qubit, bits] of this.#waiting)
      this.#waiting.set(
        qubit,
        bits.map(other => (other === bit ? -1 : other)),
      );
  }

  #measure(qubit: number, bit: number): void {
    const value = this.tableau.measure(qubit);
    const flips = this.frames.measure(qubit);
    this.meter.spend(this.tableau.numQubits + flips.length);
    if (bit >= 0) this.memory.bits.measured(qubit, bit, value, this.read(qubit, value, flips));
  }

  reset(qubit: number): void {
    this.#settle(qubit);
    if (this.tableau.measure(qubit)) this.tableau.x(qubit);
    this.frames.reset(qubit);
    this.meter.spend(this.tableau.numQubits);
  }

  /** Returns in what shots a measurement reads other than the reference, from those in which it finds another value. */
  protected abstract read(qubit: number, reference: number, flips: Uint32Array): Uint32Array;
}
