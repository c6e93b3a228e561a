import type { Circuit } from "./circuit/circuit.ts";
import { CancelledError, formatBytes, SimulationError } from "./errors.ts";
import { ExpectationTally } from "./execution/expectation-tally.ts";
import { ascending, limitAttempt, progressOf, startBudget } from "./execution/limits.ts";
import type { PauliString, PauliSum } from "./execution/quantum-state.ts";
import { ReadoutError } from "./execution/readout-error.ts";
import type { Precision, SimulationRequest, Simulator } from "./execution/simulator.ts";
import type { SimulationResult } from "./execution/tally.ts";
import { Tally } from "./execution/tally.ts";
import type { Method, MethodName, NoisyMethodName, TruncationReport } from "./methods/index.ts";
import { withOperationMarkers } from "./noise/operation-markers.ts";
import { describeUnused, ruleNoiseOf } from "./noise/rule-noise.ts";
import type { NoiseModel } from "./noise-model.ts";
import { type Attempt, race } from "./plan/race.ts";
import { rankSimulators, simulatorNamed } from "./plan/rank.ts";
import { philox } from "./sampling/philox.ts";

/** Options of a simulation. */
export interface SimulateOptions {
  /** Number of runs of the program; 0 computes its exact distribution. */
  shots: number;
  /** A whole number; the same program, shots and seed give the same counts. Default: drawn at random. */
  seed?: number;
  /** Whether to return the outcome of each shot, in order. Default: false. */
  memory?: boolean;
  /** Whether to return the final amplitudes, of at most 12 qubits, before the measurements that end the program; "if single": unless it ends in several states. Default: false. */
  statevector?: boolean | "if single";
  /** Sums of Pauli strings whose expectation values are wanted, in the final state before the measurements that end the program. Default: none. */
  observables?: readonly PauliSum[];
  /** Method of simulation; "automatic" chooses one for the program, and says why. Default: "automatic". */
  method?: MethodName | "automatic";
  /** Methods that "automatic" may choose from. Default: every method. */
  methods?: readonly MethodName[];
  /** Precision of the amplitudes of 13 qubits and more; fewer are always kept in double. "reproducible" is double, and rounds alike on every machine, which is slower. Default: "single", in an exact run "double". */
  precision?: Precision;
  /** Maximum number of threads; the result is the same for any number. Default: one a core, at most 8. */
  threads?: number;
  /** Maximum number of qubits that are simulated. Default: 30 in superposition as a state vector, where memory allows it; 5,000 with the other methods. */
  maxQubits?: number;
  /** Maximum number of bytes that amplitudes may take up. Default: 2^31. */
  maxBytes?: number;
  /** Maximum number of Schmidt values of a bond of a matrix product state; the smallest are left out beyond it, which is reported. Default: 128 with that method, and none left out where it is chosen automatically. */
  maxBondDimension?: number;
  /** Maximum number of operations, over all branches; one that is applied to branches side by side counts once. Default: 10^8. */
  maxOperations?: number;
  /** Maximum number of milliseconds. Default: 60,000. */
  maxMilliseconds?: number;
  /** Is called now and then with the fraction of the work done, from 0 to 1. */
  onProgress?(fraction: number): void;
  /** Checked every few milliseconds; once aborted, a {@link CancelledError} is thrown. */
  signal?: { readonly aborted: boolean };
}

export interface NoisyOptions extends Omit<SimulateOptions, "method" | "methods"> {
  /** Method of simulation of the noise; "automatic" chooses one for the program, and says why. Default: "automatic". */
  method?: NoisyMethodName | "automatic";
}

const MAX_SHOTS = 10_000_000;
const MAX_STATEVECTOR_QUBITS = 12;
/** Bytes of a state from which on a result tells them. */
const WORTH_TELLING = 2 ** 16;

/**
 * Simulates a circuit. Where nothing depends on a measurement one simulation serves all shots; elsewhere the shots
 * share a simulation up to the first measurement in which they differ.
 * Throws a {@link SimulationError} where the circuit is too large or over a limit, and a {@link CancelledError} once the signal is raised.
 */
export function simulate(circuit: Circuit, options: SimulateOptions): SimulationResult {
  return run(circuit, null, options, options.methods);
}

/**
 * Simulates a circuit on the qubits of a noise model: qubit 0 of the program is qubit 0 of the model.
 * Few qubits are simulated as a density matrix, from which all shots are drawn, or exact probabilities where there are
 * 0 shots; Clifford circuits with Pauli noise by frames; all else as a state vector for each pattern of errors, with
 * shots sharing a simulation up to the first error or outcome in which they differ. Idle qubits take up no memory.
 * Throws a {@link SimulationError} where the circuit does not fit the model, is too large or over a limit, and a
 * {@link CancelledError} once the signal is raised.
 */
export function simulateNoisy(circuit: Circuit, noise: NoiseModel, options: NoisyOptions): SimulationResult {
  checkFit(circuit, noise, options);
  const { rules } = noise;
  if (!rules) return run(circuit, noise, options);
  ruleNoiseOf(rules).begin();
  const result = run(withOperationMarkers(circuit, rules), noise, options);
  const unusedNoise = describeUnused(rules, circuit.numQubits);
  const { method } = result;
  return Object.assign(result, {
    method: {
      ...method,
      reason: `${method.reason}${rules.isTwirled ? " The noise is twirled to Pauli errors." : ""}`,
      ...(unusedNoise ? { unusedNoise } : {}),
    },
  });
}

function run(
  circuit: Circuit,
  noise: NoiseModel | null,
  options: Omit<SimulateOptions, "method"> & { method?: Method["name"] | "automatic" },
  methods?: readonly MethodName[],
): SimulationResult {
  checkOptions(circuit, options);
  const { method = "automatic" } = options;
  const observables = options.observables ?? [];
  const request: SimulationRequest = {
    shots: options.shots,
    noise,
    statevector: options.statevector ?? false,
    observables: observables.length > 0 ? new ExpectationTally(observables, options.shots).strings : [],
    precision: options.precision,
    maxQubits: options.maxQubits,
    maxBytes: options.maxBytes ?? 2 ** 31,
    maxBondDimension: options.maxBondDimension ?? (method === "automatic" ? undefined : 128),
    threads: options.threads,
  };
  const seed = options.seed ?? Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  const report = options.onProgress && ascending(options.onProgress);
  const context = { circuit, request, options, report, seed, startTime: performance.now() };
  if (method !== "automatic") {
    const simulator = simulatorNamed(method, noise !== null);
    simulator.check(circuit, request)?.fail?.();
    return runOnce(context, { simulator, reason: "It was asked for." });
  }
  const ranking = rankSimulators(circuit, request, methods);
  if (ranking.openEnded.length > 0)
    return race(circuit, request, ranking, attempt => runOnce(context, attempt));
  const { simulator } = ranking.best!;
  return runOnce(context, { simulator, reason: simulator.reason(circuit, request, ranking.refusals) });
}

/** Context shared by all attempts at a simulation. */
interface RunContext {
  readonly circuit: Circuit;
  readonly request: SimulationRequest;
  readonly options: Omit<SimulateOptions, "method">;
  /** Is called with the fraction of the work done, over all attempts. Default: nobody asks. */
  readonly report: ((fraction: number) => void) | undefined;
  readonly seed: number;
  readonly startTime: number;
}

function runOnce(
  { circuit, request, options, report, seed, startTime }: RunContext,
  { simulator, reason, limit, reached = 0 }: Attempt,
): SimulationResult {
  const { maxOperations = 1e8, maxMilliseconds = 60_000, signal } = options;
  const { shots, noise } = request;
  if (signal?.aborted) throw new CancelledError();
  const random = philox(seed);
  const { classical } = circuit.registers;
  const readout = noise && new ReadoutError(noise, classical, random);
  const tally = new Tally(classical, {
    shots,
    keepsMemory: options.memory ?? false,
    variables: circuit.parts.outputs,
    readout,
    report,
  });
  let truncation: TruncationReport | undefined;
  const describe = () => describeNoisyRun(simulator, tally, shots, truncation);
  const budget = startBudget({
    maxOperations,
    maxMilliseconds,
    startTime,
    signal,
    reached,
    onCheck: report && progressOf(circuit, !simulator.runsEachShot, report),
    ...(noise ? { describe } : {}),
  });
  const observed = options.observables?.length ? new ExpectationTally(options.observables, shots) : undefined;
  const statevector = simulator.run(circuit, {
    ...request,
    random,
    meter: limit ? limitAttempt(budget, limit) : budget,
    tally,
    readout,
    onExpectations: (...found) => observed?.add(...found),
    onTruncation({ bondDimension, fidelity }) {
      truncation = {
        bondDimension: Math.max(bondDimension, truncation?.bondDimension ?? 1),
        fidelity: Math.min(fidelity, truncation?.fidelity ?? 1),
      };
    },
  });
  const remarks = [
    simulator.remark?.(circuit, request),
    truncation && describeTruncation(truncation),
    tally.bytes >= WORTH_TELLING && `The state took ${formatBytes(tally.bytes)}.`,
  ];
  const method = {
    name: simulator.name,
    reason: [reason, ...remarks].filter(Boolean).join(" "),
    ...(truncation ? { truncation } : {}),
  };
  return Object.assign(tally.result(statevector), {
    ...(observed ? { expectations: observed.means() } : {}),
    method,
  });
}

function checkFit(circuit: Circuit, noise: NoiseModel, { statevector }: NoisyOptions): void {
  const numQubits = noise.zeroGivenOne.length;
  if (circuit.numQubits > numQubits)
    throw new SimulationError(
      `The program has ${circuit.numQubits} qubits; the device has ${numQubits}${numQubits > 0 ? ` (0 to ${numQubits - 1})` : ""}.`,
    );
  if (statevector)
    throw new SimulationError(
      "A program ends in a mixed state under noise, which has no state vector; choose a simulator without noise.",
    );
}

/** Throws a {@link SimulationError} where a circuit cannot be simulated in the way that is asked for, by any method. */
function checkOptions(
  circuit: Circuit,
  {
    shots,
    seed,
    statevector,
    memory,
    observables = [],
  }: Pick<SimulateOptions, "shots" | "seed" | "statevector" | "memory" | "observables">,
): void {
  for (const { string } of observables.flat()) checkPauliString(string, circuit.numQubits);
  if (!Number.isInteger(shots) || shots < 0 || shots > MAX_SHOTS)
    throw new SimulationError(
      `The number of shots must be a whole number from 0 to ${MAX_SHOTS.toLocaleString("en-US")}, not ${shots}.`,
    );
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new SimulationError(`The seed must be a whole number, not ${seed}.`);
  const hasOutputs = circuit.parts.outputs.length > 0;
  const hasResult =
    circuit.registers.classical.length > 0 || observables.length > 0 || (memory && hasOutputs);
  if (shots > 0 && !hasResult)
    throw new SimulationError(
      `The program has no classical bits, so there is nothing to count. Declare some, as in \`bit[2] c;\`, and measure into them${hasOutputs ? ", or ask for the memory, which has its output variables shot by shot" : ""}.`,
    );
  if (statevector && circuit.numQubits > MAX_STATEVECTOR_QUBITS)
    throw new SimulationError(
      `A state vector is given for at most ${MAX_STATEVECTOR_QUBITS} qubits; the program has ${circuit.numQubits}.`,
    );
}

function checkPauliString(string: PauliString, numQubits: number): void {
  const seen = new Set<number>();
  for (const { qubit } of string) {
    if (!Number.isInteger(qubit) || qubit < 0 || qubit >= numQubits)
      throw new SimulationError(
        `A Pauli string acts on qubit ${qubit}; the program has ${numQubits}${numQubits > 0 ? ` (0 to ${numQubits - 1})` : ""}.`,
      );
    if (seen.has(qubit)) throw new SimulationError(`A Pauli string names qubit ${qubit} twice.`);
    seen.add(qubit);
  }
}

/** Says how far a run under noise is, as the end of a sentence. */
function describeNoisyRun(
  { name, averagesNoise }: Simulator,
  { shotsDone }: Tally,
  shots: number,
  truncation: TruncationReport | undefined,
): string {
  const bonds = truncation ? `, whose bonds have at most ${countOfValues(truncation)}` : "";
  const times = averagesNoise ? "" : "again for each pattern of errors, ";
  return `with ${shotsDone.toLocaleString("en-US")} of ${shots.toLocaleString("en-US")} shots done: it runs ${times}as a ${name}${bonds}`;
}

/** Says in a sentence how large the bonds of a matrix product state were, and what was left out. */
function describeTruncation(truncation: TruncationReport): string {
  const { fidelity } = truncation;
  const bonds = `Bonds have at most ${countOfValues(truncation)}`;
  return fidelity < 1
    ? `${bonds}; others were left out. The state is approximate: estimated fidelity ${Number(fidelity.toPrecision(6))}.`
    : `${bonds}, and none was left out.`;
}

const countOfValues = ({ bondDimension }: TruncationReport): string =>
  `${bondDimension.toLocaleString("en-US")} Schmidt value${bondDimension === 1 ? "" : "s"}`;
