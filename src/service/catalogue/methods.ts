import type { MethodName, NoisyMethodName } from "../../simulation/method-name.ts";

const ideal = {
  statevector: ["statevector", "stabilizer"],
  stabilizer: ["stabilizer"],
  sparse: ["sparse"],
  tensor: ["matrix product state"],
  automatic: ["statevector", "stabilizer", "extended stabilizer", "matrix product state", "sparse"],
} as const satisfies { [engine: string]: readonly MethodName[] };

const anyNoisy = ["stabilizer", "density matrix", "trajectories", "matrix product state"] as const;

const noisy = {
  noisy: anyNoisy,
  density: ["density matrix"],
  emulator: anyNoisy,
} as const satisfies { [engine: string]: readonly NoisyMethodName[] };

const methods = { ...ideal, ...noisy };

/** A way to run a program that the service has. */
export type Engine = keyof typeof methods;

/** Ways to run a program that the service has. */
export const ENGINES = Object.keys(methods) as Engine[];

/** The methods of an engine without noise. */
export const IDEAL_METHODS: Readonly<Partial<Record<Engine, readonly MethodName[]>>> = ideal;

/** Lists the methods by which an engine may run a program. */
export const methodsOf = (engine: Engine): readonly (MethodName | NoisyMethodName)[] => methods[engine];

/** The names of all methods. */
export const METHOD_NAMES: readonly string[] = [...new Set(Object.values(methods).flat())];
