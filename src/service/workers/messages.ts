import type { Observable } from "../../results/index.ts";
import type {
  CompiledNotes,
  CompileOptions,
  DeviceFigures,
  DeviceNoise,
  Diagnostic,
  NoiseRules,
  OptimizationLevel,
  SourceProgram,
  TargetCalibration,
  TargetTopology,
  UniformNoise,
} from "../../simulation/index.ts";
import { METHODS, type Method, type MethodName, methodsFor } from "../../simulation/methods/index.ts";

const ideal = {
  statevector: ["statevector", "stabilizer"],
  stabilizer: ["stabilizer"],
  sparse: ["sparse"],
  tensor: ["matrix product state"],
  automatic: methodsFor("ideal"),
} satisfies { [engine: string]: readonly MethodName[] };

const methods = {
  ...ideal,
  noisy: methodsFor("noisy"),
  density: ["density matrix"],
  emulator: methodsFor("noisy"),
} satisfies { [engine: string]: readonly Method["name"][] };

export type Engine = keyof typeof methods;

export const ENGINES = Object.keys(methods) as Engine[];

/** The methods of an engine without noise. */
export const IDEAL_METHODS: Readonly<Partial<Record<Engine, readonly MethodName[]>>> = ideal;

/** Lists the methods by which an engine may run a program. */
export const methodsOf = (engine: Engine): readonly Method["name"][] => methods[engine];

export const METHOD_NAMES = Object.keys(METHODS);

export interface JobLimits {
  /** Seconds by the clock, for all its programs and their compilation. */
  seconds: number;
  /** Operations simulated of each program, over all branches. */
  operations: number;
  /** Bytes of amplitudes. */
  bytes: number;
}

export interface Simulator {
  qrn: string;
  engine: Engine;
  numberQubits: number;
}

/** A device that programs are transpiled for, and how. */
export interface TargetTask {
  topology: TargetTopology;
  calibration: TargetCalibration;
  optimizationLevel: OptimizationLevel | undefined;
  initialLayout: number[] | undefined;
  verbatim: boolean | undefined;
}

/** Takes reports of how far a run is. */
export interface ProgressPort {
  postMessage(fraction: number): void;
  close(): void;
}

export interface RunTask {
  device: Simulator;
  /** Simulators that could take a program which this device does not. */
  others: Simulator[];
  /** Noise of a device whose qubits are all alike, by gate and qubit, or of each qubit of an emulated device; null: none. */
  noise:
    | { uniform: UniformNoise }
    | { rules: NoiseRules }
    | { figures: DeviceFigures; options: DeviceNoise }
    | null;
  /** Overhead of an emulated QPU in addition to schedules: milliseconds per job, and microseconds per shot. */
  overhead: { perTask: number; perShot: number };
  /** Transpilation target; null if programs run as they are. */
  target: TargetTask | null;
  programs: SourceProgram[];
  compileOptions: CompileOptions;
  shots: number;
  /** Seed of the job; each program has its own, derived from it. */
  seed: number;
  memory: boolean;
  /** Whether the final amplitudes are wanted. Undefined: those of an exact run of few qubits. */
  statevector: boolean | undefined;
  /** Sums of Pauli strings whose expectation values are wanted. */
  observables: readonly Observable[];
  precision: "single" | "double" | "reproducible" | undefined;
  maxBondDimension: number | undefined;
  limits: JobLimits;
  /** Memory that stops it; null where threads share none, so a run can only be ended with its thread. */
  control: SharedArrayBuffer | null;
  /** Receives -1 at the start, 0 when every program has been compiled, and then which part of the work is done, up to 1. */
  port: ProgressPort;
}

/** Figures of the largest program of a job, the methods that ran its programs, each of them once, and what their author should know of how they were understood. */
export interface CircuitFigures {
  /** The largest bond of matrix product states, and the least of their estimated fidelities. */
  bondDimension?: number;
  estimatedFidelity?: number;
  method: string;
  circuitNumQubits: number;
  circuitDepth: number;
  /** Noise of the job's model that matched nothing. */
  unusedNoise?: string;
  /** Microseconds of a shot on an emulated QPU, of the program that takes longest. */
  shotDuration?: number;
  diagnostics?: (Diagnostic & { severity: "note"; program?: number })[];
}

/**
 * A limit that ends a job: of time, operations or memory, of the length of its results, of compute without charge, or of
 * what its organization may keep.
 */
export type LimitName = "time" | "operations" | "memory" | "result" | "uncharged" | "storage";

export const timeLimit = ({ seconds }: JobLimits) => `A job may take ${seconds} s.`;

/** Outcome of a run. `results` holds one line of JSON (`ResultData`) per program. */
export type RunOutcome =
  | {
      kind: "completed";
      results: string;
      /** Microseconds that each program took, in whole numbers. */
      durations: readonly number[];
      figures: CircuitFigures;
      /** Method of each program, with the reason. */
      methods: readonly Method[];
    }
  | {
      kind: "failed";
      message: string;
      microseconds: number | null;
      diagnostics?: readonly Diagnostic[];
      limit?: LimitName;
      /** Bytes of amplitudes that it needs at least, where it had too few. */
      requiredBytes?: number;
    }
  | { kind: "cancelled" };

/** Programs to print: as drawings, or as they were compiled. */
export interface PrintTask {
  /** Transpilation target; null if programs ran as they are, or are drawn. */
  target: TargetTask | null;
  programs: SourceProgram[];
  compileOptions: CompileOptions;
  /** Notes of each compiled program; null to draw them. */
  compiled: readonly CompiledNotes[] | null;
  /** Receives -1 at the start. */
  port: ProgressPort;
}

export type PrintOutcome = { kind: "printed"; texts: string[] } | { kind: "failed"; message: string };

/** Bytes of the memory that a run shares with the thread that waits for it: a flag that stops it. */
export const CONTROL_BYTES = 4;

const flagOf = (control: SharedArrayBuffer) => new Int32Array(control, 0, 1);

export function stopRun(control: SharedArrayBuffer): void {
  Atomics.store(flagOf(control), 0, 1);
}

/** Returns the signal that says whether a run has to stop. */
export function stopSignal(control: SharedArrayBuffer): { readonly aborted: boolean } {
  const flag = flagOf(control);
  return {
    get aborted() {
      return Atomics.load(flag, 0) !== 0;
    },
  };
}
