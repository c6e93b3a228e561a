/** Methods without noise, named by the form of the state. */
export type MethodName =
  | "statevector"
  | "stabilizer"
  | "extended stabilizer"
  | "matrix product state"
  | "sparse";

/** Methods that simulate noise. */
export type NoisyMethodName = "stabilizer" | "density matrix" | "trajectories" | "matrix product state";

/** Size of a matrix product state, and its loss of precision. */
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
  /** Size of a matrix product state, and its loss of precision. */
  readonly truncation?: TruncationReport;
  /** Says which noise of a model acted nowhere, where there is any. */
  readonly unusedNoise?: string;
}
