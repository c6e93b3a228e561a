import { must, type RecordedProgram, wholeNumber } from "../../contract/index.ts";
import {
  type Circuit,
  compile,
  NOISY_OPERATIONS,
  noiseModelOfRules,
  SimulationError,
  type SteppedProgram,
  stepProgram,
} from "../../simulation/index.ts";
import { Calibration } from "../devices/calibration.ts";
import { noise } from "../noise/noise.ts";
import { NoiseModel } from "../noise/noise-model.ts";
import { checkHelperOptions } from "../values/options.ts";
import type { Inputs } from "./inputs.ts";
import { naming } from "./program-figures.ts";

/** Selects the traced execution of a program. */
export interface TraceOptions {
  /** Decides what measurements find: the same seed traces the same execution. A whole number. Default: 0. */
  seed?: number;
  /** Measurement outcomes, in order; null leaves one to the seed. Default: the seed decides all. */
  outcomes?: readonly (0 | 1 | null)[];
  /** Maximum number of steps, up to 10,000; the trace ends there. Default: 500. */
  maxSteps?: number;
  /** Values of the program's `input` variables, by name. */
  inputs?: Inputs;
  /**
   * Noise of gates and readouts, of up to 8 qubits: what `noise` makes, or the calibration of a device, whose qubit 0 is that
   * of the program. States are then averaged over all errors of gates. Default: none.
   */
  noise?: NoiseModel | Calibration;
}

const MAX_STEPS = 10_000;
/** @internal */
export const traceChecks = {
  seed: wholeNumber(0),
  outcomes: must(
    "a list of 0, 1 and null, such as [0, null, 1]",
    value => Array.isArray(value) && value.every(outcome => [0, 1, null].includes(outcome)),
  ),
  maxSteps: must(
    "a whole number from 1 to 10,000",
    value => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_STEPS,
  ),
  noise: must(
    "a noise model, such as noise({ twoQubit: 0.01 }), or a calibration",
    value => value instanceof NoiseModel || value instanceof Calibration,
  ),
  inputs: must("an object such as { theta: 0.5 }", value => typeof value === "object" && value !== null),
};

/**
 * Executes a program once, step by step.
 *
 * @param helper - What an error names: `trace` or `step`.
 * @throws KetbookError for a program that does not compile, an outcome that is impossible, and what is too large.
 */
export function executeSteps(
  helper: string,
  { format, data, files }: RecordedProgram,
  options: TraceOptions,
): SteppedProgram & { circuit: Circuit } {
  checkHelperOptions(helper, options, traceChecks);
  const { seed = 0, outcomes = [], maxSteps = 500, inputs, noise: given } = options;
  const source = { format: format as "qasm3", data: String(data), ...(files ? { files } : {}) };
  return naming(helper, () => {
    const circuit = compile(source, inputs ? { inputs } : {});
    const rules = given instanceof Calibration ? noise({ calibration: given }).toJSON() : given?.toJSON();
    const isOfOperations = rules?.rules.some(({ gates }) => gates?.some(name => NOISY_OPERATIONS.has(name)));
    if (isOfOperations)
      throw new SimulationError(
        `Noise of ${[...NOISY_OPERATIONS].join(", ")} is not traced step by step; leave it out of the model.`,
      );
    const model = rules && noiseModelOfRules(rules, circuit.numQubits);
    return { circuit, ...stepProgram(circuit, { seed, outcomes, maxSteps, noise: model }) };
  });
}
