import type { Gate } from "../circuit/gate.ts";
import { NATIVE, STDGATES } from "../circuit/standard.ts";
import type { TimedCalibration } from "../schedule/device-figures.ts";

/** Connections of a device's qubits, as in device records. */
export type TargetTopology =
  | { readonly type: "fully-connected"; readonly qubits: number }
  | { readonly type: "square-lattice"; readonly rows: number; readonly cols: number }
  | {
      readonly type: "coupling-map";
      readonly qubits: number;
      readonly edges: readonly (readonly [number, number])[];
    };

/** Values read from a calibration: T1 and T2 in µs, lengths in ns, errors from 0 to 1. */
export interface TargetCalibration {
  readonly qubits: {
    readonly [qubit: string]: {
      readonly T1?: number | null;
      readonly T2?: number | null;
      readonly readoutError?: number | null;
      readonly readoutLength?: number | null;
      readonly gateError: { readonly [gate: string]: number };
      readonly gateLength: { readonly [gate: string]: number };
    };
  };
  readonly edges: TimedCalibration["edges"];
}

/** A pair of qubits that the native two-qubit gate acts on. */
export interface Coupling {
  /** Its qubits, in an order in which the gate can be applied. */
  readonly qubits: readonly [number, number];
  /** Whether the gate can be applied in the other order as well. */
  readonly isSymmetric: boolean;
  /** Error of the gate, from 0 to 1; 1 if only others are known, so a layout avoids it. */
  readonly error: number;
}

/** Transpilation target: native gates, couplings and their values. */
export interface Target {
  readonly numQubits: number;
  readonly basis: Basis;
  readonly couplings: readonly Coupling[];
  /** The qubits that each is coupled to, ascending. */
  readonly neighbours: readonly (readonly number[])[];
  /** The least number of couplings between two qubits, at `a · numQubits + b`; infinite if there is no path. */
  readonly distances: Float64Array;
  /** Error of the readout of each qubit, and of a pulse on it; 1 if only those of others are known. */
  readonly readoutErrors: readonly number[];
  readonly pulseErrors: readonly number[];
  readonly calibration: TargetCalibration | null;
  /** The coupling of two qubits, in any order. */
  couplingOf(a: number, b: number): Coupling | undefined;
}

const TWO_QUBIT_BASES: readonly TwoQubitBasis[] = ["ecr", "cz", "cx", "zz", "rzz", "ms"];
/** Native gates that are the same in both orders. */
const SYMMETRIC: ReadonlySet<TwoQubitBasis> = new Set(["cz", "zz", "rzz", "ms"]);

/** Returns the target that a device is, by its topology and its calibration where it has one. */
export function targetOf(topology: TargetTopology, calibration: TargetCalibration | null = null): Target {
  const numQubits = topology.type === "square-lattice" ? topology.rows * topology.cols : topology.qubits;
  const basis = basisOf(calibration);
  const figures = calibration?.edges.gateError[basis.twoQubit] ?? [];
  const lengths = calibration?.edges.gateLength[basis.twoQubit] ?? [];
  const errors = new Map(figures.map(({ source, target, value }) => [`${source} ${target}`, value]));
  const directions = new Set([...figures, ...lengths].map(({ source, target }) => `${source} ${target}`));
  const couplings = edgesOf(topology).map(([a, b]): Coupling => {
    const [forward, backward] = [directions.has(`${a} ${b}`), directions.has(`${b} ${a}`)];
    const known = [errors.get(`${a} ${b}`), errors.get(`${b} ${a}`)].filter(value => value !== undefined);
    return {
      qubits: backward && !forward ? [b, a] : [a, b],
      isSymmetric: SYMMETRIC.has(basis.twoQubit) || forward === backward,
      error: known.length > 0 ? Math.min(...known) : unknownError(figures),
    };
  });
  const neighbours = Array.from({ length: numQubits }, (): number[] => []);
  const byPair = new Map<number, Coupling>();
  for (const coupling of couplings) {
    const [a, b] = coupling.qubits;
    neighbours[a]!.push(b);
    neighbours[b]!.push(a);
    byPair.set(Math.min(a, b) * numQubits + Math.max(a, b), coupling);
  }
  for (const list of neighbours) list.sort((a, b) => a - b);
  const each = (figure: (qubit: TargetCalibration["qubits"][string]) => number | null | undefined) => {
    const known = Array.from({ length: numQubits }, (_, i) => {
      const qubit = calibration?.qubits[i];
      return qubit ? figure(qubit) : null;
    });
    const otherwise = unknownError(known.filter(value => value != null));
    return known.map(value => value ?? otherwise);
  };
  return {
    numQubits,
    basis,
    couplings,
    neighbours,
    distances: distancesOf(neighbours),
    readoutErrors: each(({ readoutError }) => readoutError),
    pulseErrors: each(({ gateError }) => {
      const known = ["sx", "prx", "gpi2", "rx", "x"].find(name => gateError[name] !== undefined);
      return known === undefined ? Object.values(gateError)[0] : gateError[known];
    }),
    calibration,
    couplingOf: (a, b) => byPair.get(Math.min(a, b) * numQubits + Math.max(a, b)),
  };
}

function basisOf(calibration: TargetCalibration | null): Basis {
  const { gateError = {}, gateLength = {} } = calibration?.edges ?? {};
  const pairs = [...Object.keys(gateError), ...Object.keys(gateLength)];
  const singles = new Set(
    Object.values(calibration?.qubits ?? {}).flatMap(qubit => [
      ...Object.keys(qubit.gateError),
      ...Object.keys(qubit.gateLength),
    ]),
  );
  const oneQubit: OneQubitBasis = singles.has("prx")
    ? "prx"
    : singles.has("gpi") || singles.has("gpi2")
      ? "gpi"
      : "zsx";
  return { oneQubit, twoQubit: TWO_QUBIT_BASES.find(name => pairs.includes(name)) ?? "cx" };
}

function edgesOf(topology: TargetTopology): (readonly [number, number])[] {
  switch (topology.type) {
    case "fully-connected":
      return Array.from({ length: topology.qubits }, (_, a) =>
        Array.from({ length: topology.qubits - a - 1 }, (_, i) => [a, a + 1 + i] as const),
      ).flat();
    case "square-lattice": {
      const { rows, cols } = topology;
      return Array.from({ length: rows * cols }, (_, at) => [
        ...(at % cols < cols - 1 ? [[at, at + 1] as const] : []),
        ...(at < (rows - 1) * cols ? [[at, at + cols] as const] : []),
      ]).flat();
    }
    case "coupling-map": {
      const seen = new Set<string>();
      return topology.edges.filter(([a, b]) => {
        const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
        const isNew = !seen.has(key) && a !== b;
        seen.add(key);
        return isNew;
      });
    }
  }
}

function distancesOf(neighbours: readonly (readonly number[])[]): Float64Array {
  const count = neighbours.length;
  const distances = new Float64Array(count * count).fill(Number.POSITIVE_INFINITY);
  for (let start = 0; start < count; start++) {
    distances[start * count + start] = 0;
    const queue = [start];
    for (const at of queue)
      for (const next of neighbours[at]!)
        if (distances[start * count + next] === Number.POSITIVE_INFINITY) {
          distances[start * count + next] = distances[start * count + at]! + 1;
          queue.push(next);
        }
  }
  return distances;
}

/** Error by which a layout is judged if it is unknown: the largest, unless it is unknown of all. */
const unknownError = (known: readonly unknown[]): number => (known.length > 0 ? 1 : 0);

/** The one-qubit gates of a device: rotations about Z and √X, equatorial rotations, or ionic π and π/2 pulses. */
export type OneQubitBasis = "zsx" | "prx" | "gpi";

/** The native two-qubit gate of a device. Of `zz`, `rzz` and `ms` the angle is free. */
export type TwoQubitBasis = "cx" | "cz" | "ecr" | "zz" | "rzz" | "ms";

/** The native gates of a device. */
export interface Basis {
  readonly oneQubit: OneQubitBasis;
  readonly twoQubit: TwoQubitBasis;
}

const RZZ = "rzz";

/** Returns a gate by the name that a device has for it. */
export function nativeGate(name: string): Gate {
  const gate = [...STDGATES, ...NATIVE].find(one => one.name === (name === RZZ ? "zz" : name));
  if (!gate) throw new TypeError(`There is no native gate ${name}.`);
  return gate;
}

/** Names of the gates that each kind of one-qubit basis is made of. */
export const ONE_QUBIT_GATES: Readonly<Record<OneQubitBasis, readonly string[]>> = {
  zsx: ["rz", "sx", "x", "id"],
  prx: ["prx"],
  gpi: ["gpi", "gpi2"],
};
