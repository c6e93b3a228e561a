import type { Gate } from "../circuit/gate.ts";
import { NOWHERE } from "../circuit/operations.ts";
import { Branch } from "../execution/branch.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import type { LinkedProgram } from "../interpreter/instruction.ts";
import { philox } from "../sampling/philox.ts";

/** A gate that was applied, a measurement or a reset. */
export interface RecordedOperation {
  readonly kind: "gate" | "measure" | "reset";
  /** Null for what is not a gate. */
  readonly gate: Gate | null;
  readonly params: readonly number[];
  readonly qubits: readonly number[];
  /** The offset of its first character in the source, or {@link NOWHERE}. */
  readonly offset: number;
}

/** What wrote a bit last. */
export const WRITER = { none: 0, statement: 1, measurement: 2 } as const;

/** A branch of an exact run that records its operations, and what has written each bit last. */
export class RecordedBranch extends Branch {
  readonly operations: RecordedOperation[] = [];
  readonly writers: Uint8Array;
  readonly #program: LinkedProgram;

  constructor(
    program: LinkedProgram,
    state: QuantumState,
    slots = new Array(program.parts.numSlots).fill(0n),
  ) {
    super(state, program.parts.numBits, slots, null, philox(0));
    this.#program = program;
    this.writers = new Uint8Array(program.parts.numBits);
  }

  override fork(): RecordedBranch {
    const copy = new RecordedBranch(this.#program, this.state.clone(), [...this.slots]);
    copy.operations.push(...this.operations);
    copy.writers.set(this.writers);
    return this.copyInto(copy);
  }

  override apply(
    gate: Gate,
    params: ArrayLike<number>,
    at: number,
    qubits: ArrayLike<number>,
    first: number,
  ): number {
    const blocking = super.apply(gate, params, at, qubits, first);
    if (blocking < 0)
      this.#record("gate", {
        gate,
        params: Array.from({ length: gate.numParams }, (_, i) => params[at + i]!),
        qubits: Array.from({ length: gate.numQubits }, (_, i) => qubits[first + i]!),
      });
    return blocking;
  }

  override measure(qubit: number, bit: number): void {
    super.measure(qubit, bit);
    if (bit >= 0) this.writers[bit] = WRITER.measurement;
    this.#record("measure", { qubits: [qubit] });
  }

  override reset(qubit: number): void {
    super.reset(qubit);
    this.#record("reset", { qubits: [qubit] });
  }

  override writeBit(bit: number, value: number): void {
    super.writeBit(bit, value);
    this.writers[bit] = WRITER.statement;
  }

  /** Returns a qubit whose value the end leaves open: one that was reset, or of which a measurement was put off; or -1. */
  undecided(includesMeasured: boolean): number {
    return this.cleared.findIndex(
      (cleared, qubit) => cleared === 1 || (includesMeasured && this.measured[qubit] !== 0),
    );
  }

  #record(
    kind: RecordedOperation["kind"],
    operation: Pick<RecordedOperation, "qubits"> & Partial<RecordedOperation>,
  ): void {
    const { instructions, parts } = this.#program;
    const instruction = instructions.at(this.instruction)!;
    const offset =
      ("at" in instruction ? instruction.at : parts.operations.offsets[this.operation]) ?? NOWHERE;
    this.operations.push({ kind, gate: null, params: [], ...operation, offset });
  }
}
