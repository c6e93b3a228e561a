/** Costs of the operations and numbers that a method's meter counts. */
export interface MeteredCost {
  /** Microseconds for the handling of an operation. */
  readonly operation: number;
  /** Microseconds for an amplitude, tableau word or tensor entry that is touched. */
  readonly number: number;
}

interface MethodFacts {
  /** Whether it simulates programs without noise, and programs with noise. */
  readonly ideal: boolean;
  readonly noisy: boolean;
  /** Costs where only a run tells them, which `npm run bench -- fit` measures; null if `costOf` in `plan/costs.ts` tells each. */
  readonly metered: MeteredCost | null;
}

/** Every method, by the form of its state. */
export const METHODS = {
  statevector: { ideal: true, noisy: false, metered: { operation: 0.7, number: 0.0004 } },
  stabilizer: { ideal: true, noisy: true, metered: null },
  "extended stabilizer": { ideal: true, noisy: false, metered: { operation: 1.3, number: 0.00065 } },
  "density matrix": { ideal: false, noisy: true, metered: null },
  trajectories: { ideal: false, noisy: true, metered: null },
  "matrix product state": { ideal: true, noisy: true, metered: { operation: 0.2, number: 0.0018 } },
  sparse: { ideal: true, noisy: false, metered: { operation: 0.4, number: 0.05 } },
} as const satisfies { [name: string]: MethodFacts };

type Methods = typeof METHODS;
type NameOf<Kind extends "ideal" | "noisy"> = {
  [Name in keyof Methods]: Methods[Name][Kind] extends true ? Name : never;
}[keyof Methods];

/** Methods without noise. */
export type MethodName = NameOf<"ideal">;

/** Methods that simulate noise. */
export type NoisyMethodName = NameOf<"noisy">;

/** Lists the methods for programs without noise, or for those with noise. */
export const methodsFor = <Kind extends "ideal" | "noisy">(kind: Kind): readonly NameOf<Kind>[] =>
  (Object.keys(METHODS) as NameOf<Kind>[]).filter(name => METHODS[name][kind]);

/** Size of a matrix product state, and its loss of precision. */
export interface TruncationReport {
  /** The largest number of Schmidt values that a bond had. */
  readonly bondDimension: number;
  /** Estimated fidelity of the state: the product of the shares of the squared norm that were kept; 1 where it is exact. */
  readonly fidelity: number;
}

/** The method of a simulation, and why it was taken. */
export interface Method {
  readonly name: keyof Methods;
  readonly reason: string;
  /** Size of a matrix product state, and its loss of precision. */
  readonly truncation?: TruncationReport;
  /** Says which noise of a model acted nowhere, where there is any. */
  readonly unusedNoise?: string;
}
