import type { CircuitParts } from "../circuit/circuit.ts";
import type { Gate, Numbers } from "../circuit/gate.ts";
import type { Compute, Memory } from "../circuit/memory.ts";

export interface OperationRange {
  readonly parts: CircuitParts;
  readonly start: number;
  readonly end: number;
}

export interface OperationState {
  instruction: number;
  operation: number;
  /** Takes a range of the circuit's operations at once, where the single ones do not matter. */
  range?(start: number, end: number): void;
  /**
   * Applies a gate whose parameters begin at `at` and whose qubits begin at `first`, and returns -1; or returns what has to
   * be decided before, and is called again after that.
   */
  apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): number;
  /** Measures a qubit into a bit, or into none where `bit` is -1. */
  measure(qubit: number, bit: number): void;
  reset(qubit: number): void;
}

/** The execution of a program as the interpreter drives it: classical memory, program counter, and quantum operations. */
export interface ExecutionState extends Memory, OperationState {
  /** Returns the qubit whose undecided measurement a bit holds, or -1; a read of the bit throws instead. */
  undecidedQubit?(bit: number): number;
  /**
   * Applies a range of the circuit's operations where a bit that is undecided makes a condition true, and leaves it
   * undecided; returns whether it could. Default: the bit is decided.
   */
  applyWhere?(bit: number, condition: Compute, range: OperationRange): boolean;
}

/** Is called with what is done to a state, and throws where that has to end. */
export interface Meter {
  /** Counts one operation that touches the given number of amplitudes. */
  spend(amplitudes: number): void;
  /** Counts amplitudes that were touched for operations counted before, of which the given share, 0 to 1, is done. */
  work(amplitudes: number, share: number): void;
}
