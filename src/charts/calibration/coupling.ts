import {
  adviceFor,
  type DeviceCalibration,
  describeValue,
  isKnownTopology,
  type KnownTopology,
  type RuntimeDevice,
} from "../../contract/index.ts";
import { type Pair, pairErrors, pairName, pairOf, qubitFigures, singleLine } from "../../display/index.ts";
import { type Layout, layoutOf } from "./layout.ts";

export interface Coupling {
  qubits: number[];
  pairs: Pair[];
  /** Missing where every qubit is joined to every other: that is drawn as a matrix. */
  layout?: Layout;
}

const knownTopology = ({ topology }: CoupledDevice) => (isKnownTopology(topology) ? topology : null);

export type CoupledDevice = Pick<RuntimeDevice, "name" | "topology" | "numberQubits">;

/** More qubits than these are not drawn; the chart says how many are left out. */
export const maxDrawnQubits = 1024;
const maxMatrix = 64;

const firstQubits = (count: number) =>
  Array.from({ length: Math.min(count, maxDrawnQubits) }, (_, index) => index);

function distinctPairs(edges: Iterable<readonly [number, number]>, qubits: ReadonlySet<number>): Pair[] {
  const names = new Set<string>();
  for (const [one, other] of edges)
    if (one !== other && qubits.has(one) && qubits.has(other)) names.add(pairName(one, other));
  return [...names].map(pairOf);
}

function* lattice(rows: number, cols: number): Generator<[number, number]> {
  for (let qubit = 0; qubit < Math.min(rows * cols, maxDrawnQubits); qubit++) {
    if (qubit % cols < cols - 1) yield [qubit, qubit + 1];
    yield [qubit, qubit + cols];
  }
}

function* everyPair(count: number): Generator<[number, number]> {
  for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) yield [a, b];
}

export function qubitCount(device: CoupledDevice, calibration: DeviceCalibration): number {
  const topology = knownTopology(device);
  if (topology?.type === "square-lattice") return topology.rows * topology.cols;
  const named = topology && "qubits" in topology ? topology.qubits : (device.numberQubits ?? 0);
  const calibrated = [...qubitFigures(calibration).keys(), ...calibratedQubits(calibration)];
  return calibrated.reduce((max, qubit) => Math.max(max, qubit + 1), Math.max(named, 1));
}

function calibratedQubits(calibration: DeviceCalibration): number[] {
  return [...pairErrors(calibration).errors.keys()].flatMap(name => Object.values(pairOf(name)));
}

/** Computes which qubits are joined: as the topology says, or else as far as pairs are calibrated. */
export function couplingOf(device: CoupledDevice, calibration: DeviceCalibration): Coupling {
  const topology = knownTopology(device);
  const qubits = firstQubits(qubitCount(device, calibration));
  const drawn = new Set(qubits);
  if (topology?.type === "fully-connected" && qubits.length > 2 && qubits.length <= maxMatrix)
    return { qubits, pairs: distinctPairs(everyPair(qubits.length), drawn) };
  const pairs = distinctPairs(edgesOf(topology, calibration), drawn);
  return { qubits, pairs, layout: placed(topology, qubits, pairs) };
}

function edgesOf(
  topology: KnownTopology | null,
  calibration: DeviceCalibration,
): Iterable<readonly [number, number]> {
  if (topology?.type === "square-lattice") return lattice(topology.rows, topology.cols);
  if (topology?.type === "coupling-map") return topology.edges;
  const calibrated = [...pairErrors(calibration).errors.keys()].map(pairOf);
  return calibrated.map(({ a, b }) => [a, b] as const);
}

function placed(topology: KnownTopology | null, qubits: number[], pairs: Pair[]): Layout {
  if (topology?.type === "square-lattice")
    return qubits.map(qubit => ({ x: qubit % topology.cols, y: Math.floor(qubit / topology.cols) }));
  if (topology?.type === "coupling-map") {
    const { coordinates = [] } = topology;
    const known = qubits.every(qubit => coordinates[qubit]?.every(Number.isFinite));
    if (known) return qubits.map(qubit => ({ x: coordinates[qubit]![0], y: coordinates[qubit]![1] }));
  }
  return layoutOf(qubits.length, pairs);
}

/** Refuses a two-qubit gate that a calibration has no errors of. Throws a `RangeError` with those that there are. */
export function checkGate({ edges }: DeviceCalibration, gate: string | undefined): void {
  const gates = Object.keys(edges.gateError);
  if (gate === undefined || gates.includes(gate)) return;
  const names = gates.slice(0, 12).map(name => singleLine(name, 24));
  throw new RangeError(
    `There is no two-qubit gate ${describeValue(gate)}: ${names.length > 0 ? adviceFor(gate, names) : "none is calibrated."}`,
  );
}
