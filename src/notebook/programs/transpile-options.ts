import { flag, must, wholeNumber } from "../../contract/options.ts";

/** Options of the transpiler. */
export interface TranspileOptions {
  /**
   * How hard it is tried: 0 keeps the places of the qubits and translates each gate alone, 1 chooses a layout where swaps
   * would be needed, 2 always does, and cancels and joins gates, 3 tries more layouts. Default: 1, as on emulated QPUs.
   */
  optimizationLevel?: 0 | 1 | 2 | 3;
  /** The physical qubit of each qubit of the program, or of each that it touches, in order. Default: chosen. */
  initialLayout?: readonly number[];
  /** The same seed gives the same circuit. A whole number, 0 or more. Default: 0. */
  seed?: number;
  /**
   * Whether the program runs as it is written, in native gates on physical qubits such as `$0`; any other is refused. Default: false.
   */
  verbatim?: boolean;
}

/** Checks of the options of `transpile`. */
export const transpileOptionChecks = {
  optimizationLevel: must("0, 1, 2 or 3", value => [0, 1, 2, 3].includes(value as number)),
  initialLayout: must(
    "a list of physical qubits such as [0, 1]",
    value => Array.isArray(value) && value.every(qubit => Number.isInteger(qubit)),
  ),
  seed: wholeNumber(0),
  verbatim: flag,
};
