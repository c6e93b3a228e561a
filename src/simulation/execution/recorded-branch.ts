import type { Gate, Numbers } from "../circuit/gate.ts";
import type { Value } from "../circuit/memory.ts";
import { NOWHERE } from "../circuit/operations.ts";
import type { LinkedProgram } from "../interpreter/link.ts";
import { type Philox, philox } from "../sampling/philox.ts";
import { Branch } from "./branch.ts";
import type { ClassicalBits } from "./classical-bits.ts";
import type { QuantumState } from "./quantum-state.ts";

/** A gate that was applied, a measurement or a reset. */
export interface RecordedOperation {
  readonly kind: "gate" | "measure" | "reset";
  /** Null for measurements and resets. */
  readonly gate: Gate | null;
  readonly params: readonly number[];
  readonly qubits: readonly number[];
  /** The offset of its first character in the source, or {@link NOWHERE}. */
  readonly offset: number;
}

/** A branch of an exact run that records its operations. */
export class RecordedBranch extends Branch {
  readonly operations: RecordedOperation[] = [];
  protected readonly program: LinkedProgram;

  constructor(
    program: LinkedProgram,
    state: QuantumState,
    bits: number | ClassicalBits = program.parts.numBits,
    slots: Value[] = new Array(program.parts.numSlots).fill(0n),
    random: Philox = philox(0),
  ) {
    super(state, bits, slots, null, random);
    this.program = program;
  }

  override fork(): RecordedBranch {
    const copy = new RecordedBranch(
      this.program,
      this.state.clone(),
      this.bits,
      [...this.slots],
      this.random,
    );
    copy.operations.push(...this.operations);
    return this.copyInto(copy);
  }

  override apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): number {
    const blocking = super.apply(gate, params, at, qubits, first);
    if (blocking < 0)
      this.record({
        kind: "gate",
        gate,
        params: Array.from({ length: gate.numParams }, (_, i) => params[at + i]!),
        qubits: Array.from({ length: gate.numQubits }, (_, i) => qubits[first + i]!),
        offset: this.offset(),
      });
    return blocking;
  }

  override measure(qubit: number, bit: number): void {
    super.measure(qubit, bit);
    this.record({ kind: "measure", gate: null, params: [], qubits: [qubit], offset: this.offset() });
  }

  override reset(qubit: number): void {
    super.reset(qubit);
    this.record({ kind: "reset", gate: null, params: [], qubits: [qubit], offset: this.offset() });
  }

  /** Returns a qubit whose value the end leaves open: one that was reset, or of which a measurement was put off; or -1. */
  undecided(includesMeasured: boolean): number {
    return this.cleared.findIndex(
      (cleared, qubit) => cleared === 1 || (includesMeasured && this.measured[qubit] !== 0),
    );
  }

  /** Records an operation that was executed. */
  protected record(operation: RecordedOperation): void {
    this.operations.push(operation);
  }

  /** Returns where the operation that is executed begins in the source. */
  protected offset(): number {
    const { instructions, parts } = this.program;
    const instruction = instructions.at(this.instruction)!;
    return ("at" in instruction ? instruction.at : parts.operations.offsets[this.operation]) ?? NOWHERE;
  }
}
