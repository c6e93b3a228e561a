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
  /** The shares of the squared norm left out at the bond limit, summed over the run; 0 where the state is exact. */
  readonly discardedWeight: number;
}

/** The method of a simulation, and why it was taken. */
export interface Method {
  readonly name: MethodName | NoisyMethodName;
  readonly reason: string;
  /** What a matrix product state took, and what it left out. */
  readonly truncation?: TruncationReport;
}
