import type { Circuit } from "../circuit/circuit.ts";
import type { Precision } from "../execution/precision.ts";
import { profileOf } from "../execution/profile.ts";
import { MAX_EXACT_BRANCHES, runPure } from "../execution/run-branches.ts";
import { AMPLITUDES_OF_OPERATION, type SimulationRequest, type Simulator } from "../execution/simulator.ts";
import { type DenseEstimate, estimateDense } from "./estimate.ts";
import { bytesOfState, checkMemory, maxFittingQubits } from "./limits.ts";
import { StateVector } from "./state-vector.ts";

/** Maximum number of qubits of a state vector by default; memory may allow fewer. */
export const MAX_DENSE_QUBITS = 30;
/** The maximum number of qubits for which a state vector costs nothing beside the handling of a gate. */
const FEW_QUBITS = 12;
/** Operations below which it is not estimated how many qubits are in superposition at a time. */
const WORTH_ESTIMATING = 2000;
/** Operations that an amplitude takes for its memory and its share in the sampling, and in each expectation value. */
const OPERATIONS_OF_AMPLITUDE = 0.004;
const OPERATIONS_OF_EXPECTATION = 0.012;

/** Simulates with all amplitudes at hand. */
export const statevectorSimulator: Simulator = {
  name: "statevector",
  noise: [false],

  supports(circuit, request) {
    const max = maxFittingQubits(limitsOf(request));
    return (
      denseQubits(circuit, request) <= Math.max(max, FEW_QUBITS) ||
      `a state vector of ${profileOf(circuit).qubits} does not fit (at most ${max})`
    );
  },

  cost(circuit, request) {
    const { gates } = profileOf(circuit);
    const estimate = estimateOf(circuit, request);
    const each = OPERATIONS_OF_AMPLITUDE + request.observables.length * OPERATIONS_OF_EXPECTATION;
    const known = estimate
      ? gates + estimate.touched / AMPLITUDES_OF_OPERATION + each * 2 ** estimate.qubits
      : roughOperations(circuit);
    return {
      operations: !estimate && mayBranch(circuit, request) ? Number.POSITIVE_INFINITY : known,
      bytes: bytesOfState(denseQubits(circuit, request), limitsOf(request).precision),
    };
  },

  reason(circuit, request) {
    const { usedQubits, qubits } = profileOf(circuit);
    if (usedQubits <= FEW_QUBITS) return `The program uses ${qubits}, which take little memory.`;
    const why = request.statevector
      ? "The final state is wanted"
      : "The program has other than Clifford gates";
    const needed = denseQubits(circuit, request);
    if (needed < usedQubits)
      return `${why}, and of the ${qubits} that it uses at most ${needed} are in superposition at a time.`;
    const fits = usedQubits <= maxFittingQubits(limitsOf(request)) ? ", for which there is memory" : "";
    return `${why}, and uses ${qubits}${fits}.`;
  },

  remark: (circuit, request) =>
    profileOf(circuit).usedQubits > FEW_QUBITS ? describePrecision(limitsOf(request).precision) : "",

  check(circuit, request) {
    const limits = limitsOf(request);
    if (profileOf(circuit).usedQubits > maxFittingQubits(limits))
      checkMemory(denseQubits(circuit, request), limits);
  },

  run(circuit, run) {
    const limits = { ...limitsOf(run), ...(run.threads === undefined ? {} : { threads: run.threads }) };
    const { numQubits } = circuit;
    return runPure(circuit, run, () => new StateVector(numQubits, limits, run.meter));
  },
};

const describePrecision = (precision: Precision): string =>
  precision === "reproducible"
    ? "Amplitudes have double precision, rounded alike on every machine."
    : `Amplitudes have ${precision} precision.`;

/** Returns the qubits of a state vector: those in superposition at a time, or all that are used where these are not known. */
const denseQubits = (circuit: Circuit, request: SimulationRequest): number =>
  estimateOf(circuit, request)?.qubits ?? profileOf(circuit).usedQubits;

/** Returns an estimate for a program that is worth one: it takes long if all qubits are in superposition, and no stabilizer takes it. */
function estimateOf(circuit: Circuit, request: SimulationRequest): DenseEstimate | null {
  const { usedQubits, isClifford } = profileOf(circuit);
  if (usedQubits <= FEW_QUBITS || isClifford) return null;
  const isWorthwhile = roughOperations(circuit) >= WORTH_ESTIMATING || mayBranch(circuit, request);
  return isWorthwhile ? estimateDense(circuit) : null;
}

/** Whether shots may take ways of their own, how many only a run can tell, and take long with each. */
function mayBranch(circuit: Circuit, { shots }: SimulationRequest): boolean {
  const { usedQubits, hasMidCircuitDependence } = profileOf(circuit);
  const ways = shots || MAX_EXACT_BRANCHES;
  return (
    usedQubits > FEW_QUBITS && hasMidCircuitDependence && ways * roughOperations(circuit) >= WORTH_ESTIMATING
  );
}

/** Returns the operations of a program that has all qubits in superposition from its beginning to its end. */
function roughOperations(circuit: Circuit): number {
  const { usedQubits, gates } = profileOf(circuit);
  return gates * (1 + 2 ** usedQubits / AMPLITUDES_OF_OPERATION);
}

const limitsOf = ({ shots, maxQubits = MAX_DENSE_QUBITS, maxBytes, precision }: SimulationRequest) => ({
  maxQubits,
  maxBytes,
  precision: precision ?? (shots > 0 ? ("single" as const) : ("double" as const)),
});
