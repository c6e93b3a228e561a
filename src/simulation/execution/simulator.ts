import type { Circuit } from "../circuit/circuit.ts";
import type { Meter } from "../interpreter/meter.ts";
import type { Method, TruncationReport } from "../method-name.ts";
import type { NoiseModel } from "../noise-model.ts";
import type { Philox } from "../sampling/philox.ts";
import type { PauliString } from "./pauli-string.ts";
import type { Precision } from "./precision.ts";
import type { Tally } from "./tally.ts";

/** What is requested of a simulation. */
export interface SimulationRequest {
  /** 0 for exact probabilities. */
  readonly shots: number;
  /** Whether the final amplitudes are wanted. */
  readonly statevector: boolean | "if single";
  /** Pauli strings whose expectation values are wanted. */
  readonly observables: readonly PauliString[];
  readonly noise: NoiseModel | null;
  /** Precision of amplitudes; undefined for the default of a method. */
  readonly precision: Precision | undefined;
  /** Maximum number of qubits; undefined for the default of a method. */
  readonly maxQubits: number | undefined;
  /** Maximum number of bytes of states. */
  readonly maxBytes: number;
  /** Maximum number of Schmidt values of a bond; undefined where none may be left out. */
  readonly maxBondDimension: number | undefined;
  readonly threads: number | undefined;
}

/** Amplitudes that gates touch in the time of one operation. */
export const AMPLITUDES_OF_OPERATION = 2 ** 13;

/** What a simulation takes, as estimated before the run. */
export interface SimulationCost {
  /** Operations of about a microsecond: the handling of a gate, or a few thousand amplitudes that it touches. */
  readonly operations: number;
  /** Bytes of the state. */
  readonly bytes: number;
}

/** What a run works with. */
export interface SimulationRun extends SimulationRequest {
  readonly random: Philox;
  readonly meter: Meter;
  readonly tally: Tally;
  /** Is called at the end of each branch. */
  onBranchEnd(): void;
  /**
   * Is called with the expectation values of the observables in each final state, its share of all shots, and its
   * probability; 0 where that is unknown.
   */
  onExpectations(values: readonly number[], share: number, probability: number): void;
  /** Is called with the bytes of each final state. */
  onBytes(bytes: number): void;
  /** Is called with what a matrix product state has left out so far. */
  onTruncation(truncation: TruncationReport): void;
}

/**
 * A method of simulation. One that is new has a folder of its own, a line in the registry and a name among the methods:
 * nothing else of the simulation knows it.
 */
export interface Simulator {
  readonly name: Method["name"];
  /** Whether it simulates without noise, with noise, or both. */
  readonly noise: readonly boolean[];
  /** Whether shots do not share branches, as each has errors of its own. Default: false. */
  readonly runsEachShot?: boolean;
  /** Whether its states have all of the noise in them, and no errors are drawn. Default: false. */
  readonly averagesNoise?: boolean;
  /** Whether it takes longer than many a program to find its cost. Default: false. */
  readonly isSlowToRank?: boolean;
  /** Nanoseconds for a number that is touched, of a method whose cost only a run can tell. */
  readonly nanosecondsOfNumber?: number;
  /** Whether its estimate is quick to find and seldom far too high. Default: false. */
  readonly isEstimateReliable?: boolean;
  /** Returns how many numbers a run touches if nothing makes it simpler than the gates say, for such a method. Default: nothing is known. */
  estimate?(circuit: Circuit, request: SimulationRequest): number;
  /** Returns true where the method can do what is wanted, or why not, as a clause that begins a sentence; empty where it goes without saying. */
  supports(circuit: Circuit, request: SimulationRequest): true | string;
  cost(circuit: Circuit, request: SimulationRequest): SimulationCost;
  /** Returns why the method was chosen, as a sentence; `refusals` are the clauses of those that would cost less. */
  reason(circuit: Circuit, request: SimulationRequest, refusals: readonly string[]): string;
  /** What there is to know besides of a state that was chosen or asked for. */
  remark?(circuit: Circuit, request: SimulationRequest): string;
  /** Throws a SimulationError where the circuit is too large, or wants what the method does not have. */
  check(circuit: Circuit, request: SimulationRequest): void;
  /** Adds the outcomes to the tally. Returns the final amplitudes where they are wanted. */
  run(circuit: Circuit, run: SimulationRun): number[] | undefined;
}

/** Makes a sentence of clauses. */
export const joinClauses = (clauses: readonly string[]): string =>
  `${[clauses.slice(0, -1).join(", "), ...clauses.slice(-1)]
    .filter(Boolean)
    .join(", and ")
    .replace(/^./, first => first.toUpperCase())}.`;
