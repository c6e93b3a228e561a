/** How the state of a program without noise is kept. */
export type MethodName =
  | "statevector"
  | "stabilizer"
  | "extended stabilizer"
  | "matrix product state"
  | "sparse";

/** How noise is simulated. */
export type NoisyMethodName = "stabilizer" | "density matrix" | "trajectories" | "matrix product state";

/** What a matrix product state took, and what it left out. */
export interface TruncationReport {
  /** The largest number of Schmidt values that a bond had. */
  readonly bondDimension: number;
  /** Estimated fidelity of the state: the product of the shares of the squared norm that were kept; 1 where it is exact. */
  readonly fidelity: number;
}

/** The method of a simulation, and why it was taken. */
export interface Method {
  readonly name: MethodName | NoisyMethodName;
  readonly reason: string;
  /** What a matrix product state took, and what it left out. */
  readonly truncation?: TruncationReport;
  /** Says which noise of a model acted nowhere, where there is any. */
  readonly unusedNoise?: string;
}
