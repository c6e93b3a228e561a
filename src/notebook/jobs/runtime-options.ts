import { KetbookError } from "../../client/index.ts";
import {
  anyValue,
  describeValue,
  flag,
  must,
  nearestName,
  type OptionCheck,
  oneOf,
  wholeNumber,
} from "../../contract/index.ts";
import { isObservable } from "../../results/index.ts";
import { type DeviceNoise, noiseProblems } from "../../simulation/index.ts";
import { NoiseModel } from "../noise/noise-model.ts";
import { transpileOptionChecks } from "../programs/device-program.ts";
import { checkHelperOptions } from "../values/options.ts";

export type { DeviceNoise };

/** Options that the service's devices read. A provider's own go through under any other name. */
export interface RuntimeOptions {
  /** The same program, device, seed and shots give the same counts. A whole number, 0 or more. */
  seed?: number;
  /** Keeps the outcome of each shot, in order. */
  memory?: boolean;
  /** Keeps the amplitudes of an exact run (`shots(0)`), up to 12 qubits. */
  statevector?: boolean;
  /** One of the device's `noiseModels`, or a custom model that `noise({ … })` builds. Default: the first. */
  noiseModel?: string | NoiseModel;
  /** Active noise of an emulated QPU. Default: relaxation, gate and readout errors, as published. */
  noise?: DeviceNoise;
  /**
   * Precision of the amplitudes; "reproducible" is double, and rounds so that the same program and seed have the same
   * counts on every machine. Default: single, and double in an exact run.
   */
  precision?: "single" | "double" | "reproducible";
  /** Maximum number of Schmidt values of a bond on the tensor network simulator, 1 to 4,096. Default: 128. */
  maxBondDimension?: number;
  /**
   * Effort of an emulated QPU's transpiler: 0 keeps the places of the qubits, 1 chooses them
   * where the program needs it, 2 chooses them by the calibration, cancels and joins gates, 3 tries more. Default: 1.
   */
  optimizationLevel?: number;
  /** The physical qubit of each qubit of the program, or of each that it touches, in order, on an emulated QPU. Default: chosen. */
  initialLayout?: readonly number[];
  /**
   * Whether an emulated QPU runs the program as it is written, in its native gates on physical qubits such as `$0`; any
   * other program is refused. Default: false.
   */
  verbatim?: boolean;
  /**
   * Time that a job of an emulated QPU takes, as seen by its user: `classroom`, seconds; `realistic`, as long as on the real
   * device, its queue included; `instant`, no longer than the simulation. The bill is the same. Default: the device's, `classroom`.
   */
  timing?: "classroom" | "realistic" | "instant";
  /** A provider's own option. */
  [option: string]: unknown;
}

const deviceNoise =
  "relaxation slowDephasing gates readout overRotation crosstalk correlatedReadout drift".split(" ");

const known: Readonly<Record<string, OptionCheck>> = {
  ...transpileOptionChecks,
  memory: flag,
  statevector: flag,
  observables: must(
    'a list of observables such as ["ZZ", { XX: 0.5 }]',
    value => Array.isArray(value) && value.every(isObservable),
  ),
  noiseModel: value => {
    if (typeof value === "string" || value instanceof NoiseModel || noiseProblems(value).length === 0) return;
    const isDeviceNoise = Object.entries(Object(value)).some(
      ([name, choice]) => deviceNoise.includes(name) && typeof choice !== "object",
    );
    return `the name of one of the device's noiseModels, or what noise({ … }) builds${isDeviceNoise ? " (the noise of an emulated QPU is the option noise)" : ""}`;
  },
  noise: value =>
    value instanceof NoiseModel
      ? "a choice of an emulated QPU's noise such as { relaxation: false } (a model is the option noiseModel)"
      : value?.constructor === Object
        ? undefined
        : "an object such as { relaxation: false }",
  precision: oneOf("single", "double", "reproducible"),
  maxBondDimension: wholeNumber(1),
  timing: oneOf("classroom", "realistic", "instant"),
  inputs: anyValue,
};

/** Checks the options that are known, and refuses slips of their names. Others go through: they are the providers' own. */
export function checkRuntimeOptions(options: RuntimeOptions): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new KetbookError(`options(${describeValue(options)}): give options by name, such as { seed: 1 }.`);
  for (const method of ["on", "shots", "named", "tagged", "observables"])
    if (method in options)
      throw new KetbookError(`options: ${method} is not an option. Write run(…).${method}(…).`);
  checkRecordedOptions(options);
}

/** Checks options as a job's record has them: its observables are among them. */
export function checkRecordedOptions(options: object): void {
  const names = Object.keys(known);
  const ours = Object.entries(options).filter(([name]) => nearestName(name, names) !== undefined);
  checkHelperOptions("options", Object.fromEntries(ours), known);
}
