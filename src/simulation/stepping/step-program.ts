import type { Circuit } from "../circuit/circuit.ts";
import { startBudget } from "../execution/budget.ts";
import { link } from "../interpreter/link.ts";
import { advance } from "../interpreter/run.ts";
import { philox } from "../sampling/philox.ts";
import { StateVector } from "../statevector/state-vector.ts";
import type { ExecutedStep } from "./executed-step.ts";
import { SteppedExecution } from "./stepped-execution.ts";

/** How a program is stepped through. */
export interface SteppingOptions {
  /** Decides the measurements that `outcomes` does not. A whole number. */
  seed: number;
  /** Outcomes of the measurements in their order; null for one that the seed decides. */
  outcomes: readonly (0 | 1 | null)[];
  /** Maximum number of steps after the start; the execution ends there. */
  maxSteps: number;
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

/**
 * Executes a program once without noise, and returns each step. Measurements are decided where they stand.
 * Throws a {@link SimulationError} where a given outcome is impossible, and where the program is over a limit.
 */
export function stepProgram(circuit: Circuit, options: SteppingOptions): SteppedProgram {
  const program = link(circuit.parts);
  const meter = startBudget({ maxOperations: MAX_OPERATIONS, maxMilliseconds: MAX_MILLISECONDS });
  const state = new StateVector(circuit.numQubits, LIMITS, meter);
  const execution = new SteppedExecution(program, state, philox(options.seed), options);
  try {
    const isAtEnd = () => program.instructions[execution.instruction]!.kind === "end";
    while (!execution.isCut && !isAtEnd()) advance(execution, program, meter);
    if (!execution.isCut) execution.completeStep();
    return { steps: execution.steps, isComplete: !execution.isCut };
  } finally {
    state.release();
  }
}
