import { expect } from "vitest";
import {
  type CompileOptions,
  compile,
  type SimulationResult,
  simulate,
} from "../../../src/simulation/index.ts";

/** The first lines of a program in OpenQASM 3. */
export const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n';

/** Compiles a program in OpenQASM 3 and runs it a few times. */
export function run(data: string, options: CompileOptions = {}, shots = 3): SimulationResult {
  return simulate(compile({ format: "qasm3", data }, options), { shots, seed: 1, memory: true });
}

/** Returns the output variables of a program without randomness. */
export function outputsOf(body: string, options: CompileOptions = {}): Record<string, unknown> {
  const { outputs } = run(`${HEAD}bit done;\n${body}`, options);
  const [first, ...others] = outputs!;
  for (const other of others) expect(other).toEqual(first);
  const { done: _, ...rest } = first!;
  return rest;
}

/** Returns the value of `x`, the last variable that a program sets. */
export const resultOf = (body: string, options: CompileOptions = {}): unknown => outputsOf(body, options).x;
