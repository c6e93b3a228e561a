import type { Circuit } from "../circuit/circuit.ts";
import { CancelledError, SimulationError } from "../errors.ts";
import { startBudget } from "../execution/budget.ts";
import type { Method, NoisyMethodName } from "../execution/method.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import { startReport } from "../execution/report.ts";
import {
  checkOptions,
  countUsed,
  type SimulateOptions,
  type SimulationResult,
} from "../execution/simulate.ts";
import { Tally } from "../execution/tally.ts";
import { philox } from "../sampling/philox.ts";
import { simulateStabilizer } from "../stabilizer/simulate-stabilizer.ts";
import { checkMemory } from "../statevector/limits.ts";
import { StateVector } from "../statevector/state-vector.ts";
import { DensityMatrix } from "./density-matrix.ts";
import { Errors } from "./errors.ts";
import { hasDecays, isPauliNoise, noiseOfGates } from "./gate-noise.ts";
import type { NoiseModel } from "./model.ts";
import type { NoisyBranch } from "./noisy-branch.ts";
import { simulateCourses } from "./noisy-courses.ts";
import { chooseNoisyMethod } from "./noisy-method.ts";
import { NoisyTransfers } from "./noisy-transfer.ts";
import { PauliErrors } from "./pauli-errors.ts";
import { Readout } from "./readout.ts";

const MOST_DENSE_QUBITS = 24;
/** States of more qubits lie in the memory of the kernels, which know unitary gates alone. */
const MOST_SMALL_QUBITS = 12;

/** How a circuit is to be simulated under noise. */
export interface NoisyOptions extends Omit<SimulateOptions, "method" | "methods"> {
  /** How the noise is simulated; "automatic" chooses what suits the program, and says why. Default: "automatic". */
  method?: NoisyMethodName | "automatic";
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
  const { shots, maxOperations = 1e8, maxMilliseconds = 60_000, maxBytes = 2 ** 31, precision } = options;
  const { parts } = circuit;
  const { classical } = circuit.registers;
  checkFit(circuit, noise, options);
  checkOptions(circuit, options);
  const usedQubits = countUsed(circuit);
  const method =
    chosenMethod(noise, options) ?? chooseNoisyMethod(circuit, noise, { shots, usedQubits, maxBytes });
  const dense = { maxQubits: options.maxQubits ?? MOST_DENSE_QUBITS, maxBytes, precision };
  if (method.name === "trajectories") checkMemory(usedQubits, dense);
  if (options.signal?.aborted) throw new CancelledError();
  const random = philox(options.seed ?? Math.floor(Math.random() * Number.MAX_SAFE_INTEGER));
  const readout = new Readout(noise, classical, random);
  const noiseOf = noiseOfGates(noise);
  const tally = new Tally<NoisyBranch>(classical, {
    shots,
    keepsMemory: options.memory ?? false,
    variables: parts.outputs,
    misreading: readout,
  });
  const report = startReport(circuit, tally, options, method.name !== "trajectories");
  const meter = startBudget({
    maxOperations,
    maxMilliseconds,
    signal: options.signal,
    onLook: report.onLook,
  });
  const { onCourse } = report;
  if (method.name === "stabilizer") {
    const paulis = new PauliErrors(noiseOf, readout, random);
    simulateStabilizer(circuit, { shots, maxBytes, random, meter, tally, onCourse, noise: paulis });
    return { ...tally.result(), method };
  }
  const isDensity = method.name === "density matrix";
  const ancilla = !isDensity && usedQubits > MOST_SMALL_QUBITS ? parts.numQubits : -1;
  const numQubits = Math.max(parts.numQubits, ancilla + 1);
  const transfers = new NoisyTransfers(noiseOf);
  const begin = (): QuantumState =>
    isDensity
      ? new DensityMatrix(numQubits, { maxBytes, transfers, meter })
      : new StateVector(numQubits, { ...dense, maxQubits: dense.maxQubits + 1 }, meter);
  const errors = isDensity ? null : new Errors(noiseOf, parts, shots, random);
  const shared = { noiseOf, errors, hasDecay: hasDecays(noise), readout, random, ancilla };
  simulateCourses(parts, { shots, maxBytes, noise: shared, meter, tally, begin, onCourse });
  return { ...tally.result(), method };
}

/** Gives the method that was asked for, if any. */
function chosenMethod(noise: NoiseModel, { method, shots }: NoisyOptions): Method | null {
  if (!method || method === "automatic") return null;
  if (shots === 0 && method !== "density matrix")
    throw new SimulationError(`Under noise, ${method} give no exact probabilities; a density matrix does.`);
  if (method === "stabilizer" && !isPauliNoise(noise))
    throw new SimulationError("Stabilizers have Pauli errors alone; in this noise model qubits decay.");
  return { name: method, reason: "It was asked for." };
}

function checkFit(circuit: Circuit, noise: NoiseModel, { statevector }: NoisyOptions): void {
  const numQubits = noise.oneQubit.length;
  if (circuit.numQubits > numQubits)
    throw new SimulationError(
      `The program has ${circuit.numQubits} qubits; the device has ${numQubits}${numQubits > 0 ? ` (0 to ${numQubits - 1})` : ""}.`,
    );
  if (statevector)
    throw new SimulationError(
      "A program ends in a mixed state under noise, which has no state vector; choose a simulator without noise.",
    );
}
