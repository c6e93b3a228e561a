/** What a program may take up while it is compiled. */
export interface CompileLimits {
  /** Most characters of the text. */
  maxSource: number;
  /** Most tokens. */
  maxTokens: number;
  /** Most levels of blocks and expressions within each other. */
  maxDepth: number;
  /** Most qubits that a program declares. */
  maxQubits: number;
  /** Most classical bits that a program declares. */
  maxBits: number;
  /** Most values that variables and the elements of arrays hold. */
  maxValues: number;
  /** Most operations and instructions that broadcasting and subroutines expand to. */
  maxOperations: number;
}

/** The limits that hold where a caller names no others. */
export const DEFAULT_COMPILE_LIMITS: CompileLimits = {
  maxSource: 64 * 1024 * 1024,
  maxTokens: 20_000_000,
  maxDepth: 200,
  maxQubits: 10_000,
  maxBits: 100_000,
  maxValues: 1_000_000,
  maxOperations: 10_000_000,
};
