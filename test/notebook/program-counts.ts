import type { QasmProgram } from "../../src/index.ts";
import { compile, type MethodName, simulate } from "../../src/simulation/index.ts";

export type Method = MethodName | "automatic";

/** Returns how often each outcome occurred in 200 shots of a program. */
export const countsOf = ({ format, data }: QasmProgram, method: Method, seed = 7) =>
  simulate(compile({ format: format as "qasm3", data }), { method, shots: 200, seed, threads: 1 })
    .measurementCounts;
