import type { Circuit } from "../circuit/circuit.ts";
import { visitOperations } from "../circuit/metrics.ts";
import type { OutputValue } from "../circuit/output-values.ts";
import { CancelledError, SimulationError, UnsuitedError } from "../errors.ts";
import { philox } from "../sampling/philox.ts";
import { SparseState } from "../sparse/sparse-state.ts";
import { simulateStabilizer, simulateStabilizerExactly } from "../stabilizer/simulate-stabilizer.ts";
import type { Precision } from "../statevector/kernel-planes.ts";
import { checkMemory, mostQubits } from "../statevector/limits.ts";
import { StateVector } from "../statevector/state-vector.ts";
import { startBudget } from "./budget.ts";
import { chooseMethod, FEW_QUBITS, type Method, type MethodName } from "./method.ts";
import type { QuantumState } from "./quantum-state.ts";
import { startReport } from "./report.ts";
import { simulateBranches } from "./simulate-branches.ts";
import { Tally } from "./tally.ts";

/** How a circuit is to be simulated. */
export interface SimulateOptions {
  /** How often the program is run; 0 computes its exact distribution. */
  shots: number;
  /** A whole number; the same program, shots and seed give the same counts. Default: drawn at random. */
  seed?: number;
  /** Whether to give the outcome of each shot, in order. Default: false. */
  memory?: boolean;
  /** Whether to give the final amplitudes, of at most 12 qubits, before the measurements that end the program. Default: false. */
  statevector?: boolean;
  /** How the state is kept; "automatic" chooses what suits the program, and says why. Default: "automatic". */
  method?: MethodName | "automatic";
  /** What "automatic" may choose from. Default: every method. */
  methods?: readonly MethodName[];
  /** Precision of the amplitudes of 13 qubits and more; fewer are always kept in double. Default: "single", in an exact run "double". */
  precision?: Precision;
  /** Most threads; the result is the same for any number. Default: one a core, at most 8. */
  threads?: number;
  /** Most qubits that are simulated. Default: 24 as a state vector, 5,000 with the other methods. */
  maxQubits?: number;
  /** Most bytes that amplitudes may take up. Default: 2^31. */
  maxBytes?: number;
  /** Most operations, over all branches. Default: 10^8. */
  maxOperations?: number;
  /** Most milliseconds. Default: 60,000. */
  maxMilliseconds?: number;
  /** Is told now and then which part of the work is done, from 0 to 1. */
  onProgress?(fraction: number): void;
  /** Looked at every few milliseconds; once it says so, a {@link CancelledError} is thrown. */
  signal?: { readonly aborted: boolean };
}

/** What a simulation gives. Keys are bit strings with the last bit on the left and the last register leftmost. */
export interface SimulationResult {
  /** How often each outcome was seen; empty in an exact run. */
  measurementCounts: Record<string, number>;
  /** The outcome of each shot, in order. */
  measurements?: string[];
  /** The values of the output variables after each shot, in order: of those declared `output`, or of all where none is. Given with the memory. */
  outputs?: Record<string, OutputValue>[];
  /** The probability of each outcome, in an exact run. */
  measurementProbabilities?: Record<string, number>;
  /** The final amplitudes, real and imaginary parts in turn; qubit 0 is the lowest bit of the index. */
  statevector?: number[];
  /** How the state was kept, and why. */
  method: Method;
}

const MOST_SHOTS = 10_000_000;
const MAX_STATEVECTOR_QUBITS = 12;
/** Most qubits of a state vector, and of the other methods, where nothing else is said. */
const MOST_DENSE_QUBITS = 24;
const MOST_QUBITS = 5000;

/**
 * Simulates a circuit. Where nothing depends on a measurement one simulation serves all shots; elsewhere the shots
 * share a simulation up to the first measurement in which they differ.
 * Throws a {@link SimulationError} where the circuit is too large or over a limit, and a {@link CancelledError} once the signal is raised.
 */
export function simulate(circuit: Circuit, options: SimulateOptions): SimulationResult {
  const { shots, maxOperations = 1e8, maxMilliseconds = 60_000, maxBytes = 2 ** 31, threads } = options;
  const { precision = shots > 0 ? "single" : "double" } = options;
  const { parts } = circuit;
  checkOptions(circuit, options);
  const usedQubits = countUsed(circuit);
  const dense = { maxQubits: options.maxQubits ?? MOST_DENSE_QUBITS, maxBytes, precision, threads };
  const method = methodOf(circuit, { ...options, precision }, usedQubits, mostQubits(dense));
  if (method.name === "statevector") checkMemory(usedQubits, dense);
  else checkWidth(usedQubits, options.maxQubits ?? MOST_QUBITS);
  if (options.signal?.aborted) throw new CancelledError();
  const random = philox(options.seed ?? Math.floor(Math.random() * Number.MAX_SAFE_INTEGER));
  const tally = new Tally(circuit.registers.classical, {
    shots,
    keepsMemory: options.memory ?? false,
    variables: parts.outputs,
  });
  const { onLook, onCourse } = startReport(circuit, tally, options);
  const meter = startBudget({ maxOperations, maxMilliseconds, signal: options.signal, onLook });
  if (method.name === "stabilizer") {
    const run = { maxBytes, meter, tally, onCourse };
    if (shots > 0) simulateStabilizer(circuit, { ...run, shots, random });
    else simulateStabilizerExactly(circuit, run);
    return { ...tally.result(), method };
  }
  const begin = (): QuantumState =>
    method.name === "sparse"
      ? new SparseState(parts.numQubits, { maxBytes, meter })
      : new StateVector(parts.numQubits, dense, meter);
  const wantsState = options.statevector ?? false;
  const statevector = simulateBranches(parts, {
    shots,
    maxBytes,
    random,
    meter,
    tally,
    begin,
    wantsState,
    onCourse,
  });
  return { ...tally.result(statevector), method };
}

function methodOf(
  circuit: Circuit,
  options: SimulateOptions,
  usedQubits: number,
  denseQubits: number,
): Method {
  const { method = "automatic", statevector = false, methods, precision } = options;
  if (method === "stabilizer" && statevector)
    throw new UnsuitedError("The stabilizer method gives no state vectors.", ["statevector", "sparse"]);
  const { name, reason } =
    method === "automatic"
      ? chooseMethod(circuit, { usedQubits, statevector, denseQubits, methods })
      : { name: method, reason: "It was asked for." };
  const isWide = name === "statevector" && usedQubits > FEW_QUBITS;
  return { name, reason: isWide ? `${reason} Amplitudes have ${precision} precision.` : reason };
}

/** Counts the qubits that an operation acts on. */
export function countUsed(circuit: Circuit): number {
  const used = new Uint8Array(circuit.numQubits);
  visitOperations(circuit.parts, (name, qubits) => {
    if (name !== "barrier") for (let i = 0; i < qubits.length; i++) used[qubits[i]!] = 1;
  });
  return used.reduce((sum, flag) => sum + flag, 0);
}

function checkWidth(usedQubits: number, maxQubits: number): void {
  if (usedQubits > maxQubits)
    throw new SimulationError(
      `The program uses ${usedQubits.toLocaleString("en-US")} qubits; at most ${maxQubits.toLocaleString("en-US")} are simulated here.`,
    );
}

/** Throws a {@link SimulationError} where a circuit cannot be simulated in the way that is asked for, by any method. */
export function checkOptions(
  circuit: Circuit,
  { shots, seed, statevector }: Pick<SimulateOptions, "shots" | "seed" | "statevector">,
): void {
  if (!Number.isInteger(shots) || shots < 0 || shots > MOST_SHOTS)
    throw new SimulationError(
      `The number of shots must be a whole number from 0 to ${MOST_SHOTS.toLocaleString("en-US")}, not ${shots}.`,
    );
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new SimulationError(`The seed must be a whole number, not ${seed}.`);
  if (shots > 0 && circuit.registers.classical.length === 0)
    throw new SimulationError(
      "The program has no classical bits, so that there is nothing to count; declare some, as in `bit[2] c;`, and measure into them.",
    );
  if (statevector && circuit.numQubits > MAX_STATEVECTOR_QUBITS)
    throw new SimulationError(
      `A state vector is given for at most ${MAX_STATEVECTOR_QUBITS} qubits; the program has ${circuit.numQubits}.`,
    );
}
