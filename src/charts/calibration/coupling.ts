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

const calibratedPairs = (calibration: DeviceCalibration) =>
  [...pairErrors(calibration).errors.keys()].map(pairOf);

export function qubitCount(device: CoupledDevice, calibration: DeviceCalibration): number {
  const topology = knownTopology(device);
  if (topology?.type === "square-lattice") return topology.rows * topology.cols;
  const named = topology && "qubits" in topology ? topology.qubits : (device.numberQubits ?? 0);
  const calibrated = [...qubitFigures(calibration).keys(), ...calibratedPairs(calibration).map(({ b }) => b)];
  return calibrated.reduce((max, qubit) => Math.max(max, qubit + 1), Math.max(named, 1));
}

/** Computes which qubits are joined: as the topology says, or else as far as pairs are calibrated. */
export function couplingOf(device: CoupledDevice, calibration: DeviceCalibration): Coupling {
  const topology = knownTopology(device);
  const count = Math.min(qubitCount(device, calibration), maxDrawnQubits);
  const qubits = Array.from({ length: count }, (_, index) => index);
  const pairs = (edges: readonly (readonly [number, number])[]) => {
    const drawn = edges.filter(
      ([one, other]) => one !== other && qubits[one] === one && qubits[other] === other,
    );
    return [...new Set(drawn.map(([one, other]) => pairName(one, other)))].map(pairOf);
  };
  if (topology?.type === "fully-connected" && count > 2 && count <= maxMatrix)
    return { qubits, pairs: pairs(qubits.flatMap(a => qubits.slice(a + 1).map(b => [a, b] as const))) };
  const joined = pairs(edgesOf(topology, calibration, qubits));
  return { qubits, pairs: joined, layout: placed(topology, qubits, joined) };
}

function edgesOf(
  topology: KnownTopology | null,
  calibration: DeviceCalibration,
  qubits: readonly number[],
): readonly (readonly [number, number])[] {
  if (topology?.type === "coupling-map") return topology.edges;
  if (topology?.type !== "square-lattice") return calibratedPairs(calibration).map(({ a, b }) => [a, b]);
  const { cols } = topology;
  return qubits.flatMap(qubit => {
    const below = [qubit, qubit + cols] as const;
    return qubit % cols < cols - 1 ? [[qubit, qubit + 1] as const, below] : [below];
  });
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
