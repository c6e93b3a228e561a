/** Limits of compiling a program. */
export interface CompileLimits {
  /** Maximum number of characters of the text, with those of the files that come with it; and of all that it includes. */
  maxSource: number;
  /** Maximum number of files that come with it. */
  maxFiles: number;
  /** Maximum number of tokens. */
  maxTokens: number;
  /** Maximum number of levels of blocks and expressions within each other. */
  maxDepth: number;
  /** Maximum number of qubits that a program declares. */
  maxQubits: number;
  /** Maximum number of classical bits that a program declares. */
  maxBits: number;
  /** Maximum number of values that variables and the elements of arrays hold. */
  maxValues: number;
  /** Maximum number of operations and instructions that broadcasting and subroutines expand to. */
  maxOperations: number;
}

/** The limits that hold where a caller names no others. */
export const DEFAULT_COMPILE_LIMITS: CompileLimits = {
  maxSource: 64 * 1024 * 1024,
  maxFiles: 100,
  maxTokens: 20_000_000,
  maxDepth: 200,
  maxQubits: 10_000,
  maxBits: 100_000,
  maxValues: 1_000_000,
  maxOperations: 10_000_000,
};
