import type { CircuitParts, ClassicalRegister, Register } from "./circuit-parts.ts";
import { depthOf, gateCountsOf } from "./metrics.ts";

export type { CircuitParts, ClassicalRegister, Note, OutputVariable, Register } from "./circuit-parts.ts";

/** A compiled program: straight runs of operations in typed arrays, and the statements that lead through them. */
export class Circuit {
  readonly parts: CircuitParts;
  /** The registers in the order of their declaration. */
  readonly registers: {
    readonly quantum: readonly Register[];
    readonly classical: readonly ClassicalRegister[];
  };

  /** Makes a circuit of its parts; programs come from `compile`. */
  constructor(parts: CircuitParts) {
    this.parts = parts;
    this.registers = { quantum: parts.quantum, classical: parts.classical };
  }

  /** Number of qubits that the program declares. */
  get numQubits(): number {
    return this.parts.numQubits;
  }

  /** Number of bits in the classical registers. */
  get numClbits(): number {
    return this.parts.classical.reduce((sum, register) => sum + register.width, 0);
  }

  /** Returns the length of the longest chain of operations that share a qubit or bit; the body of a loop counts once. */
  depth(): number {
    return depthOf(this.parts);
  }

  /** Counts the operations by name, barriers left out; the body of a loop counts once. */
  gateCounts(): Record<string, number> {
    return gateCountsOf(this.parts);
  }
}
