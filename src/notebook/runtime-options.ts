import { KetbookError } from "../client/errors.ts";
import { didYouMean } from "../simulation/index.ts";

/** Options that the service's devices read. A provider's own go through under any other name. */
export interface RuntimeOptions {
  /** The same program, device, seed and shots give the same counts. A whole number, 0 or more. */
  seed?: number;
  /** Keeps the outcome of each shot, in order. */
  memory?: boolean;
  /** Keeps the amplitudes of an exact run (`shots(0)`), up to 12 qubits. */
  statevector?: boolean;
  /** One of the device's `noiseModels`. Default: the first. */
  noiseModel?: string;
  /** Precision of the amplitudes. Default: single, and double in an exact run. */
  precision?: "single" | "double";
  /** How hard an emulated QPU's compiler tries, 0 to 3. */
  optimizationLevel?: number;
  /** A provider's own option. */
  [option: string]: unknown;
}

const isWhole = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isFlag = (value: unknown) => typeof value === "boolean";

const known: { readonly [option: string]: { wanted: string; fits(value: unknown): boolean } } = {
  seed: { wanted: "a whole number, 0 or more", fits: isWhole },
  memory: { wanted: "true or false", fits: isFlag },
  statevector: { wanted: "true or false", fits: isFlag },
  noiseModel: { wanted: "the name of a noise model", fits: value => typeof value === "string" },
  precision: { wanted: '"single" or "double"', fits: value => value === "single" || value === "double" },
  optimizationLevel: { wanted: "0, 1, 2 or 3", fits: value => isWhole(value) && (value as number) <= 3 },
  inputs: { wanted: "an object of values", fits: value => typeof value === "object" && value !== null },
};

/**
 * Checks the options that are known, and refuses a name that is a slip of one of them. Other names go through: they
 * are the providers' own.
 *
 * @throws KetbookError that names the option.
 */
export function checkRuntimeOptions(options: RuntimeOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (Object.hasOwn(known, name)) {
      const { wanted, fits } = known[name]!;
      if (value === undefined || value === null || fits(value)) continue;
      throw new KetbookError(
        `options: ${name} must be ${wanted}, not ${JSON.stringify(value)?.slice(0, 80)}.`,
      );
    }
    const hint = didYouMean(name, Object.keys(known));
    if (hint) throw new KetbookError(`options: there is no ${JSON.stringify(name)}. ${hint}`);
  }
}
