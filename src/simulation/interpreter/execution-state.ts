import type { Gate } from "../circuit/gate.ts";
import type { Memory } from "../circuit/memory.ts";

/** One course of a program, as the interpreter leads it: classical memory, place, and quantum operations. */
export interface ExecutionState extends Memory {
  instruction: number;
  operation: number;
  /** Takes a range of the circuit's operations at once, where a course has no need of the single ones. */
  range?(start: number, end: number): void;
  /**
   * Applies a gate whose parameters begin at `at` and whose qubits begin at `first`, and gives -1; or gives what has to
   * be decided before, and is called again after that.
   */
  apply(gate: Gate, params: ArrayLike<number>, at: number, qubits: ArrayLike<number>, first: number): number;
  /** Measures a qubit into a bit, or into none where `bit` is -1. */
  measure(qubit: number, bit: number): void;
  reset(qubit: number): void;
}
