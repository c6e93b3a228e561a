import type { MethodName, NoisyMethodName } from "../../simulation/method-name.ts";
import type { Engine } from "./catalogue.ts";

/** The methods of an engine without noise. */
export const IDEAL_METHODS: Readonly<Partial<Record<Engine, readonly MethodName[]>>> = {
  statevector: ["statevector", "stabilizer"],
  stabilizer: ["stabilizer"],
  sparse: ["sparse"],
  tensor: ["matrix product state"],
  automatic: ["statevector", "stabilizer", "extended stabilizer", "matrix product state", "sparse"],
};

const NOISY_METHODS: readonly NoisyMethodName[] = [
  "stabilizer",
  "density matrix",
  "trajectories",
  "matrix product state",
];

/** Lists the methods by which an engine may run a program. */
export const methodsOf = (engine: Engine): readonly (MethodName | NoisyMethodName)[] =>
  IDEAL_METHODS[engine] ?? (engine === "density" ? ["density matrix"] : NOISY_METHODS);

/** The names of all methods. */
export const METHOD_NAMES: readonly string[] = [
  ...new Set([...Object.values(IDEAL_METHODS).flat(), ...NOISY_METHODS]),
];
