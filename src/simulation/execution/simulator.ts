import type { Circuit } from "../circuit/circuit.ts";
import { SimulationError, UnsupportedMethodError } from "../errors.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import type { Method, TruncationReport } from "../methods/index.ts";
import type { NoiseModel } from "../noise-model.ts";
import { activeQubitCount } from "../plan/profile.ts";
import type { Philox } from "../sampling/philox.ts";
import type { PauliString } from "./quantum-state.ts";
import type { ReadoutError } from "./readout-error.ts";
import type { Tally } from "./tally.ts";

export interface SimulationRequest {
  /** 0 for exact probabilities. */
  readonly shots: number;
  /** Whether the final amplitudes are wanted. */
  readonly statevector: boolean | "if single";
  /** Pauli strings whose expectation values are wanted. */
  readonly observables: readonly PauliString[];
  readonly noise: NoiseModel | null;
  /** Precision of amplitudes; undefined for the default of a method. */
  readonly precision?: Precision | undefined;
  /** Maximum number of qubits; undefined for the default of a method. */
  readonly maxQubits?: number | undefined;
  /** Maximum number of bytes of states. */
  readonly maxBytes: number;
  /** Maximum number of Schmidt values of a bond; undefined where none may be left out. */
  readonly maxBondDimension?: number | undefined;
  readonly threads?: number | undefined;
}

export interface SimulationRun extends SimulationRequest {
  readonly random: Philox;
  readonly meter: Meter;
  readonly tally: Tally;
  readonly readout: ReadoutError | null;
  /**
   * Is called with the expectation values of the observables in each final state, its share of all shots, and its
   * probability; 0 where that is unknown.
   */
  onExpectations(values: readonly number[], share: number, probability: number): void;
  /** Is called with what a matrix product state has left out so far. */
  onTruncation(truncation: TruncationReport): void;
}

/** Why a method does not do what is requested. */
export interface Refusal {
  /** A clause that begins a sentence, for the reason of the method that is taken instead. */
  readonly clause: string;
  /** Throws the error where the method is asked for by name. Default: it is tried then. */
  fail?(): void;
}

/** Makes a sentence of clauses. */
export const joinClauses = (clauses: readonly string[]): string =>
  `${[clauses.slice(0, -1).join(", "), ...clauses.slice(-1)]
    .filter(Boolean)
    .join(", and ")
    .replace(/^./, first => first.toUpperCase())}.`;

/** Makes a refusal whose error is its clause as a sentence. */
export const refusal = (clause: string): Refusal => ({
  clause,
  fail() {
    throw new SimulationError(joinClauses([clause]));
  },
});

/** Makes the refusal of a method to give a state vector, which names those that do. */
export const withoutStateVectors = (clause: string): Refusal => ({
  clause,
  fail() {
    const methods = ["statevector", "matrix product state", "sparse"] as const;
    throw new UnsupportedMethodError(joinClauses([clause]), methods);
  },
});

/** The refusal of exact probabilities by methods that draw errors. */
export const NO_EXACT_NOISE = refusal(
  "under noise, trajectories give no exact probabilities; a density matrix does",
);

/** A method of simulation. A new one has a folder, and its lines in `methods/index.ts` and `plan/rank.ts`. */
export interface Simulator {
  readonly name: Method["name"];
  /** Whether shots do not share branches, as each has its own errors. Default: false. */
  readonly runsEachShot?: boolean;
  /** Whether its states average over the noise, so no errors are sampled. Default: false. */
  readonly averagesNoise?: boolean;
  /** Returns the reason against the method for a request; null if it can run. */
  check(circuit: Circuit, request: SimulationRequest): Refusal | null;
  /** Returns why the method was chosen, as a sentence; `refusals` are the clauses of those that would cost less. */
  reason(circuit: Circuit, request: SimulationRequest, refusals: readonly string[]): string;
  /** Returns a further remark on the state, for a method that was chosen or requested. */
  remark?(circuit: Circuit, request: SimulationRequest): string;
  /** Adds the outcomes to the tally. Returns the final amplitudes where they are wanted. Throws a SimulationError above a limit. */
  run(circuit: Circuit, run: SimulationRun): number[] | undefined;
}

/**
 * In which precision amplitudes are kept: "reproducible" is double, with sums and products that are rounded alike on
 * every machine.
 */
export type Precision = "single" | "double" | "reproducible";

/** Maximum number of qubits of methods whose memory does not grow with all states. */
const MAX_QUBITS = 5000;

/** Throws a {@link SimulationError} where a program uses more qubits than are simulated. */
export function checkWidth(circuit: Circuit, maxQubits = MAX_QUBITS): void {
  const usedQubits = activeQubitCount(circuit);
  if (usedQubits > maxQubits)
    throw new SimulationError(
      `The program uses ${usedQubits.toLocaleString("en-US")} qubits; at most ${maxQubits.toLocaleString("en-US")} are simulated here.`,
    );
}
