import type { DeviceCalibration, DevicePricing, KnownTopology } from "../../../contract/index.ts";

export interface DeviceDraft {
  /** Name of the machine, in lower case. */
  name: string;
  vendor: string;
  modality: string | null;
  topology: KnownTopology;
  calibration: Pick<DeviceCalibration, "lastCalibrated" | "qubits" | "edges">;
  /** Prices in credits. Default: free. */
  pricing?: { [price in keyof DevicePricing]: number };
  pricingModel: "fixed" | "dynamic";
  minShots?: number;
  maxShots?: number;
  /** Remarks on the sources of the values. */
  notes: string[];
}

export class DeviceFileError extends Error {
  override name = "DeviceFileError";
}

const FACTORS: ReadonlyMap<string, number> = new Map([
  ["s", 1e9],
  ["ms", 1e6],
  ["us", 1e3],
  ["µs", 1e3],
  ["μs", 1e3],
  ["ns", 1],
  ["ghz", 1],
  ["mhz", 1e-3],
  ["hz", 1e-9],
]);

/** Converts a time to nanoseconds, or a frequency to gigahertz; throws a `DeviceFileError` for another unit. */
export function convert(value: number, unit: string, path: string): number {
  const factor = FACTORS.get(unit.toLowerCase());
  if (factor === undefined)
    throw new DeviceFileError(`${path}: the unit ${JSON.stringify(unit.slice(0, 50))} is not known.`);
  return factor * value;
}

/** Rounds what converting has left behind. */
export const round = (value: number): number => Number(value.toPrecision(6));

export function addFigure(
  figures: DeviceCalibration["edges"]["gateError"],
  gate: string,
  [source, target]: readonly [number, number],
  value: number,
): void {
  if (!Object.hasOwn(figures, gate)) figures[gate] = [];
  figures[gate]!.push({ source, target, value });
}

export const MAX_QUBITS = 1024;
/** Figures of pairs of qubits, and pairs that are coupled: those of a device of 256 qubits, each coupled to every other. */
const MAX_PAIRS = 65_536;
const MAX_TIME = 1e15;

/** Native two-qubit gates that programs can be transpiled to. */
const TWO_QUBIT_GATES: readonly string[] = ["cx", "cz", "ecr", "ms", "zz", "rzz"];

/**
 * Returns the reasons why a device can't be emulated by its topology and calibration, each in a sentence: qubits that are
 * not there, figures that cannot be, no native two-qubit gate.
 */
export function calibrationProblems(
  topology: KnownTopology,
  { qubits, edges }: Pick<DeviceCalibration, "qubits" | "edges">,
): string[] {
  const numQubits = numQubitsOf(topology);
  if (numQubits < 1 || numQubits > MAX_QUBITS)
    return [`The topology has ${numQubits} qubits; a device has 1 to ${MAX_QUBITS}.`];
  const lists = Object.values(edges).flatMap(gates => Object.values(gates));
  const numFigures = lists.reduce((sum, list) => sum + list.length, 0);
  const numCouplings = topology.type === "coupling-map" ? topology.edges.length : 0;
  if (Math.max(numFigures, numCouplings) > MAX_PAIRS)
    return [
      `There are ${numFigures} figures of pairs of qubits, and ${numCouplings} couplings; at most ${MAX_PAIRS} of each are taken.`,
    ];
  const problems: string[] = [];
  const isQubit = (qubit: number) => Number.isInteger(qubit) && qubit >= 0 && qubit < numQubits;
  const requirePair = (what: string, [a, b]: readonly [number, number]) => {
    if (isQubit(a) && isQubit(b) && a !== b) return;
    problems.push(`${what} ${a} and ${b}, which are not two of ${numQubits} qubits.`);
  };
  const error = (path: string, value: number | null) => {
    if (value !== null && !(value >= 0 && value <= 1))
      problems.push(`${path} is ${value}; errors are 0 to 1.`);
  };
  const time = (path: string, value: number | null, min = 0) => {
    if (value !== null && !(value >= min && value <= MAX_TIME))
      problems.push(`${path} is ${value}; it must be ${min > 0 ? "above 0" : "0 or more"}.`);
  };
  if (topology.type === "coupling-map")
    for (const [i, pair] of topology.edges.entries()) requirePair(`topology.edges[${i}] couples`, pair);
  for (const [name, figures] of Object.entries(qubits)) {
    const path = `calibration.qubits.${name}`;
    if (!/^\d+$/.test(name) || !isQubit(Number(name)))
      problems.push(`${path} is none of ${numQubits} qubits.`);
    for (const key of ["T1", "T2"] as const) time(`${path}.${key}`, figures[key], Number.MIN_VALUE);
    time(`${path}.readoutLength`, figures.readoutLength);
    for (const key of ["readoutError", "prob0Given1", "prob1Given0"] as const)
      error(`${path}.${key}`, figures[key]);
    for (const [gate, value] of Object.entries(figures.gateError)) error(`${path}.gateError.${gate}`, value);
    for (const [gate, value] of Object.entries(figures.gateLength)) time(`${path}.gateLength.${gate}`, value);
  }
  const missing = Array.from({ length: numQubits }, (_, i) => i).filter(i => !Object.hasOwn(qubits, i));
  if (missing.length > 0)
    problems.push(
      `calibration.qubits has no figures of ${missing.slice(0, 8).join(", ")}${missing.length > 8 ? ", …" : ""}.`,
    );
  for (const [kind, gates] of Object.entries(edges))
    for (const [gate, list] of Object.entries(gates))
      for (const [i, { source, target, value }] of list.entries()) {
        const path = `calibration.edges.${kind}.${gate}[${i}]`;
        requirePair(`${path} is of`, [source, target]);
        (kind === "gateError" ? error : time)(`${path}.value`, value);
      }
  const gates = Object.keys(edges.gateError);
  if (numQubits > 1 && !gates.some(gate => TWO_QUBIT_GATES.includes(gate)))
    problems.push(
      `calibration.edges.gateError has ${gates.length > 0 ? gates.slice(0, 8).join(", ") : "no two-qubit gate"}; programs can be transpiled to ${TWO_QUBIT_GATES.join(", ")}.`,
    );
  return problems;
}

export const numQubitsOf = (topology: KnownTopology): number =>
  topology.type === "square-lattice" ? topology.rows * topology.cols : topology.qubits;
