export { Circuit, type CircuitParts, type ClassicalRegister, type Register } from "./circuit/circuit.ts";
export { drawSvg } from "./drawing/svg.ts";
export { drawText } from "./drawing/text.ts";
export { CancelledError, SimulationError } from "./errors.ts";
export { type SimulateOptions, type SimulationResult, simulate } from "./execution/simulate.ts";
export { compile, type SourceProgram } from "./openqasm/compile.ts";
export { type Diagnostic, ProgramError } from "./openqasm/diagnostic.ts";
export { type CompileLimits, DEFAULT_COMPILE_LIMITS } from "./openqasm/limits.ts";
