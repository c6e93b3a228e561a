/** How the state of a program without noise is kept. */
export type MethodName = "statevector" | "stabilizer" | "sparse";

/** How noise is simulated. */
export type NoisyMethodName = "stabilizer" | "density matrix" | "trajectories";

/** The method of a simulation, and why it was taken. */
export interface Method {
  readonly name: MethodName | NoisyMethodName;
  readonly reason: string;
}
