import {
  compile,
  type SimulateOptions,
  type SimulationResult,
  simulate,
} from "../../src/simulation/index.ts";

/** The first lines of a program in OpenQASM 3. */
export const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n';
/** The first lines of a program in OpenQASM 2. */
export const HEAD2 = 'OPENQASM 2.0;\ninclude "qelib1.inc";\n';

/** Compiles and simulates a program in OpenQASM 3, or 2 where it says so. */
export function run(data: string, options: SimulateOptions): SimulationResult {
  return simulate(compile({ format: data.startsWith("OPENQASM 2") ? "qasm2" : "qasm3", data }), options);
}

/** Returns the exact distribution of a program, without what is below 10^-12. */
export function distribution(data: string): Record<string, number> {
  const all = run(data, { shots: 0 }).measurementProbabilities!;
  return Object.fromEntries(Object.entries(all).filter(([, p]) => p > 1e-12));
}
