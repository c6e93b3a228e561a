import type { Circuit } from "../circuit/circuit.ts";
import { SimulationError } from "../errors.ts";
import { startBudget } from "../execution/limits.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import { link } from "../interpreter/link.ts";
import type { Meter } from "../interpreter/meter.ts";
import { advance } from "../interpreter/run.ts";
import { DensityMatrix } from "../noise/density-matrix.ts";
import { noiseOfModel } from "../noise/model-noise.ts";
import { NoisyTransferMatrices } from "../noise/noisy-transfer-matrix.ts";
import type { NoiseModel } from "../noise-model.ts";
import { philox } from "../sampling/philox.ts";
import { StateVector } from "../statevector/state-vector.ts";
import { type ExecutedStep, MAX_NOISY_QUBITS } from "./executed-step.ts";
import { SteppedExecution } from "./stepped-execution.ts";

/** How a program is stepped through. */
export interface SteppingOptions {
  /** Decides the measurements that `outcomes` does not. A whole number. */
  seed: number;
  /** Outcomes of the measurements in their order; null for one that the seed decides. */
  outcomes: readonly (0 | 1 | null)[];
  /** Maximum number of steps after the start; the execution ends there. */
  maxSteps: number;
  /** The noise of gates and readouts, over whose errors the state is averaged. Default: none. */
  noise?: NoiseModel | undefined;
}

/** One execution of a program, step by step. */
export interface SteppedProgram {
  readonly steps: readonly ExecutedStep[];
  /** Whether the program has ended within the limit of steps. */
  readonly isComplete: boolean;
}

const LIMITS = { maxQubits: 20, maxBytes: 2 ** 28, precision: "double", threads: 1 } as const;
const MAX_OPERATIONS = 1e6;
const MAX_MILLISECONDS = 20_000;

function noisyState(numQubits: number, noise: NoiseModel, meter: Meter): QuantumState {
  if (numQubits > MAX_NOISY_QUBITS)
    throw new SimulationError(
      `The program has ${numQubits} qubits; up to ${MAX_NOISY_QUBITS} are stepped through under noise.`,
    );
  const transfers = new NoisyTransferMatrices(noiseOfModel(noise));
  return new DensityMatrix(numQubits, { maxBytes: LIMITS.maxBytes, transfers, meter });
}

/**
 * Executes a program once, and returns each step. Measurements are decided where they stand.
 * Throws a {@link SimulationError} where a given outcome is impossible, and where the program is over a limit.
 */
export function stepProgram(circuit: Circuit, options: SteppingOptions): SteppedProgram {
  const program = link(circuit.parts);
  const meter = startBudget({ maxOperations: MAX_OPERATIONS, maxMilliseconds: MAX_MILLISECONDS });
  const state = options.noise
    ? noisyState(circuit.numQubits, options.noise, meter)
    : new StateVector(circuit.numQubits, LIMITS, meter);
  const execution = new SteppedExecution(program, state, philox(options.seed), options);
  try {
    const isAtEnd = () => program.instructions.at(execution.instruction)!.kind === "end";
    while (!execution.isCut && !isAtEnd()) advance(execution, program, meter);
    if (!execution.isCut) execution.completeStep();
    return { steps: execution.steps, isComplete: !execution.isCut };
  } finally {
    state.release();
  }
}
