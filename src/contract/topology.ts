/** Connections of a device's qubits, in a form that Ketbook can draw. */
export type KnownTopology = FullyConnected | SquareLattice | CouplingMap;

/** Each qubit is connected to every other. */
export interface FullyConnected {
  /** Names the kind of topology. */
  type: "fully-connected";
  /** Number of qubits. */
  qubits: number;
}

/** Each qubit of a grid is connected to its neighbours: qubit `row · cols + col` stands at (row, col). */
export interface SquareLattice {
  /** Names the kind of topology. */
  type: "square-lattice";
  /** Rows of the grid. */
  rows: number;
  /** Columns of the grid. */
  cols: number;
}

/** The pairs of qubits that are connected, one by one. */
export interface CouplingMap {
  /** Names the kind of topology. */
  type: "coupling-map";
  /** Number of qubits. */
  qubits: number;
  /** Pairs of qubits. */
  edges: [number, number][];
  /** Position of each qubit: x to the right, y downwards. */
  coordinates?: [number, number][];
}

/** Connections of a device's qubits, in a form known only by name. */
export interface OtherTopology {
  /** Names the kind of topology. */
  type: string & {};
  [member: string]: unknown;
}

/** Connections of a device's qubits. */
export type Topology = KnownTopology | OtherTopology;

const topologyTypes: readonly string[] = [
  "fully-connected",
  "square-lattice",
  "coupling-map",
] satisfies KnownTopology["type"][];

/** Whether Ketbook knows what a topology of this type means. */
export function isKnownTopology(topology: Topology | null): topology is KnownTopology {
  return topology !== null && topologyTypes.includes(topology.type);
}
