import type { RecordedProgram } from "../../contract/index.ts";
import { type Distribution, mapOutcomes, type Register, removeSpaces } from "../../results/index.ts";
import { type Circuit, compile, type InputValue, simulate } from "../../simulation/index.ts";
import { QasmProgram } from "../programs/program.ts";
import { attempt } from "../programs/program-figures.ts";

const maxLength = 100_000;
const maxQubits = 12;
/** Limits of compiling a program only to explain an existing result. */
const compileLimits = { maxOperations: 100_000, maxTokens: 100_000, maxBits: 10_000, maxQubits: 10_000 };
const simulationLimits = { shots: 0, threads: 1, maxOperations: 200_000, maxMilliseconds: 250 };

export interface ProgramBits {
  registers: readonly Register[];
  width: number;
  measures: boolean;
  /** The exact distribution of the outcomes, without spaces; `undefined` for programs of more than 12 qubits, or too long. */
  exact(): Distribution | undefined;
}

/** Looks at the program of a run when it is first asked for, once; `undefined` where it does not compile here, or is too long. */
export function analyzeProgram(
  program: string | RecordedProgram | undefined,
  inputs: unknown,
): () => ProgramBits | undefined {
  let found: { bits: ProgramBits | undefined } | undefined;
  return () => {
    found ??= { bits: programBits(program, inputs) };
    return found.bits;
  };
}

function programBits(
  program: string | RecordedProgram | undefined,
  inputs: unknown,
): ProgramBits | undefined {
  const text = typeof program === "string" ? program : program?.data;
  if (!program || typeof text !== "string" || text === "" || text.length > maxLength) return undefined;
  const { format, data, files } = QasmProgram.of(program);
  if (format !== "qasm3" && format !== "qasm2" && format !== "qir.ll") return undefined;
  const given = Object(inputs ?? {}) as { [name: string]: InputValue };
  const circuit = attempt(() => compile({ format, data, files }, { ...compileLimits, inputs: given }));
  if (!circuit) return undefined;
  const registers = circuit.registers.classical.map(({ name, width }) => ({ name, size: width }));
  const width = registers.reduce((sum, { size }) => sum + size, 0);
  return {
    registers,
    width,
    measures: "measure" in circuit.gateCounts(),
    exact: () => (circuit.numQubits <= maxQubits ? exactOutcomes(circuit) : undefined),
  };
}

function exactOutcomes(circuit: Circuit): Distribution | undefined {
  const { measurementProbabilities } = attempt(() => simulate(circuit, simulationLimits)) ?? {};
  return measurementProbabilities && mapOutcomes(measurementProbabilities, removeSpaces);
}
