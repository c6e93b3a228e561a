import type { DeviceCalibration, QubitCalibration } from "../contract/index.ts";

/** Two qubits, the smaller number first. */
export interface Pair {
  a: number;
  b: number;
}

const isQubit = (value: number) => Number.isSafeInteger(value) && value >= 0;

/** Writes a pair the same way, whichever qubit comes first: `3–12`. */
export function pairName(one: number, other: number): string {
  return `${Math.min(one, other)}–${Math.max(one, other)}`;
}

export function pairOf(name: string): Pair {
  const [a = 0, b = 0] = name.split("–").map(Number);
  return { a, b };
}

/** The middle one of some values; null when there is none. */
export function median(values: Iterable<number>): number | null {
  const sorted = [...values].filter(Number.isFinite).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return null;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Errors of a gate on each pair of qubits; of the gate with most pairs when none is named. Where a pair has a
 * figure for each direction, the smaller one counts. An error of 1 or more is how providers mark a gate that
 * could not be calibrated: such a pair is left out. The gate is null where nothing is calibrated.
 */
export function pairErrors(
  calibration: DeviceCalibration,
  gate?: string,
): { gate: string | null; errors: ReadonlyMap<string, number> } {
  const { gateError } = calibration.edges;
  const errorsOf = (name: string) => {
    const errors = new Map<string, number>();
    for (const { source, target, value } of Object.hasOwn(gateError, name) ? gateError[name]! : []) {
      if (!isQubit(source) || !isQubit(target) || source === target || !(value >= 0 && value < 1)) continue;
      const pair = pairName(source, target);
      errors.set(pair, Math.min(value, errors.get(pair) ?? 1));
    }
    return errors;
  };
  const gates = gate === undefined ? Object.keys(gateError) : [gate];
  const found = gates.map(name => ({ gate: name, errors: errorsOf(name) }));
  const most = found.sort((one, other) => other.errors.size - one.errors.size)[0];
  return most && most.errors.size > 0 ? most : { gate: null, errors: new Map() };
}

/** Figures of each qubit by its number, in rising order. */
export function qubitFigures(calibration: DeviceCalibration): ReadonlyMap<number, QubitCalibration> {
  const numbered = Object.entries(calibration.qubits).filter(([name]) => /^\d{1,6}$/.test(name));
  return new Map(
    numbered.map(([name, figures]) => [Number(name), figures] as const).sort(([one], [other]) => one - other),
  );
}

const preferred = ["sx", "prx", "gpi2", "rx", "x"];

/** Returns the gate whose errors stand for a device: a usual pulse, else the most calibrated one that is ever wrong. */
export function oneQubitGate(calibration: DeviceCalibration): string | null {
  const qubits = new Map<string, number>();
  for (const { gateError } of Object.values(calibration.qubits))
    for (const [gate, error] of Object.entries(gateError))
      if (error > 0) qubits.set(gate, (qubits.get(gate) ?? 0) + 1);
  const usual = preferred.find(gate => qubits.has(gate));
  return usual ?? [...qubits].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

/** A device's usual error on two qubits; null when nothing is calibrated. */
export function medianPairError(calibration: DeviceCalibration): number | null {
  return median(pairErrors(calibration).errors.values());
}
