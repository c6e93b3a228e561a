import {
  type DeviceCalibration,
  flag,
  type KnownTopology,
  must,
  type QubitCalibration,
  wholeNumber,
} from "../../contract/index.ts";
import { type ExpectedShot, pairName } from "../../display/index.ts";
import {
  ASSUMED_LENGTHS,
  type Circuit,
  compile,
  deviceFigures,
  expectedFidelity,
  type ScheduledOperation,
  type SourceProgram,
  scheduleCircuit,
  type Transpiled,
  targetOf,
  transpile,
} from "../../simulation/index.ts";

/** Options of the transpiler. */
export interface TranspileOptions {
  /**
   * Effort of the transpiler: 0 keeps the places of the qubits and translates each gate alone, 1 chooses a layout where swaps
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

export const transpileOptionChecks = {
  optimizationLevel: must("0, 1, 2 or 3", value => [0, 1, 2, 3].includes(value as number)),
  initialLayout: must(
    "a list of physical qubits such as [0, 1]",
    value => Array.isArray(value) && value.every(qubit => Number.isInteger(qubit) && qubit >= -1),
  ),
  seed: wholeNumber(0),
  verbatim: flag,
};

export const compileForDevice = (
  source: SourceProgram,
  topology: KnownTopology,
  calibration: DeviceCalibration | undefined,
  options: TranspileOptions,
): Transpiled => transpile(compile(source), targetOf(topology, calibration), options);

export function expectedRunOf(circuit: Circuit, calibration: DeviceCalibration): ExpectedShot {
  const figures = deviceFigures(calibration);
  const { operations, duration } = scheduleCircuit(circuit, figures);
  const gaps = calibrationGaps(operations, calibration);
  if (gaps.missing.length > 0) return { fidelity: null, duration: null, ...gaps };
  const isTimed = gaps.assumed.length === 0;
  return { fidelity: expectedFidelity(circuit, figures), duration: isTimed ? duration : null, ...gaps };
}

const MAX_NAMED = 6;

/** Figures of a qubit, and whether a calibration has them. */
export const FIGURES: { readonly [kind: string]: (qubit: QubitCalibration) => boolean } = {
  T1: ({ T1 }) => (T1 ?? 0) > 0,
  T2: ({ T2 }) => (T2 ?? 0) > 0,
  "one-qubit gate errors": ({ gateError }) => Object.keys(gateError).length > 0,
  "readout errors": ({ readoutError, prob0Given1, prob1Given0 }) =>
    readoutError !== null || (prob0Given1 !== null && prob1Given0 !== null),
};

/** Names some qubits or pairs: `T1 of 0, 3`. */
export const namedFigures = (kind: string, where: readonly (string | number)[]): string =>
  `${kind} of ${where.slice(0, MAX_NAMED).join(", ")}${where.length > MAX_NAMED ? ", …" : ""}`;

/** Lists the figures that a calibration lacks, such as `readout errors of 0, 3`, and the lengths that are assumed. */
export function calibrationGaps(
  operations: readonly ScheduledOperation[],
  { qubits, edges }: DeviceCalibration,
): Pick<ExpectedShot, "missing" | "assumed"> {
  const missing = new Map<string, Set<string>>();
  const note = (kind: string, where: string | number) =>
    missing.set(kind, (missing.get(kind) ?? new Set()).add(String(where)));
  const assumed = new Set<string>();
  const { oneQubit, twoQubit, readout } = ASSUMED_LENGTHS;
  const noteLength = (kind: string, where: string | number, isTimed: boolean, length: number) =>
    isTimed ? note(kind, where) : assumed.add(`${kind} of ${length} ns`);
  const all = Object.values(qubits);
  const isTimed = all.some(({ gateLength }) => Object.keys(gateLength).length > 0);
  const isReadTimed = all.some(({ readoutLength }) => readoutLength !== null);
  const isPairTimed = Object.values(edges.gateLength).some(pairs => pairs.length > 0);
  const pairFigures = (gates: DeviceCalibration["edges"]["gateError"]) => {
    const named = Object.entries(gates).flatMap(([gate, pairs]) =>
      pairs.flatMap(({ source, target }) => [
        pairName(source, target),
        `${gate} ${pairName(source, target)}`,
      ]),
    );
    return new Set(named);
  };
  const [pairErrors, pairLengths] = [pairFigures(edges.gateError), pairFigures(edges.gateLength)];
  for (const { kind, name, qubits: used, start, end } of operations) {
    if (kind === "barrier" || kind === "delay") continue;
    for (const qubit of used) {
      const figures = qubits[qubit];
      const needed = kind !== "gate" ? "readout errors" : "one-qubit gate errors";
      const isPulse = kind !== "gate" || (used.length === 1 && end > start);
      for (const name of ["T1", "T2", ...(isPulse ? [needed] : [])])
        if (!figures || !FIGURES[name]!(figures)) note(name, qubit);
      if (kind !== "gate") {
        if (figures?.readoutLength == null) noteLength("readout lengths", qubit, isReadTimed, readout);
      } else if (isPulse) {
        const { gateError = {}, gateLength = {} } = figures ?? {};
        const isKnown = Object.hasOwn(gateError, name) ? gateLength[name] : Object.keys(gateLength)[0];
        if (isKnown === undefined) noteLength("one-qubit gate lengths", qubit, isTimed, oneQubit);
      }
    }
    if (kind !== "gate" || used.length !== 2) continue;
    const pair = pairName(used[0]!, used[1]!);
    if (!pairErrors.has(pair)) note("two-qubit gate errors", pair);
    const native = pairErrors.has(`${name} ${pair}`) ? `${name} ${pair}` : pair;
    if (!pairLengths.has(native)) noteLength("two-qubit gate lengths", pair, isPairTimed, twoQubit);
  }
  const described = Array.from(missing, ([kind, where]) => namedFigures(kind, [...where]));
  return { missing: described, assumed: [...assumed] };
}
