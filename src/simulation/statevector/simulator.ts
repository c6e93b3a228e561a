import { profileOf } from "../execution/profile.ts";
import { runPure } from "../execution/run-branches.ts";
import type { SimulationRequest, Simulator } from "../execution/simulator.ts";
import { bytesOfState, checkMemory, maxFittingQubits } from "./limits.ts";
import { StateVector } from "./state-vector.ts";

/** Maximum number of qubits of a state vector by default. */
export const MAX_DENSE_QUBITS = 26;
/** The maximum number of qubits for which a state vector costs nothing beside the handling of a gate. */
const FEW_QUBITS = 12;

/** Simulates with all amplitudes at hand. */
export const statevectorSimulator: Simulator = {
  name: "statevector",
  noise: [false],

  supports(circuit, request) {
    const { usedQubits, qubits } = profileOf(circuit);
    const max = maxFittingQubits(limitsOf(request));
    return (
      usedQubits <= Math.max(max, FEW_QUBITS) || `a state vector of ${qubits} does not fit (at most ${max})`
    );
  },

  cost(circuit, request) {
    const { usedQubits, gates } = profileOf(circuit);
    return {
      operations: gates * Math.max(1, 2 ** (usedQubits - FEW_QUBITS)),
      bytes: bytesOfState(usedQubits, limitsOf(request).precision),
    };
  },

  reason(circuit, request) {
    const { usedQubits, qubits } = profileOf(circuit);
    if (usedQubits <= FEW_QUBITS) return `The program uses ${qubits}, which take little memory.`;
    const why = request.statevector
      ? "The final state is wanted"
      : "The program has other than Clifford gates";
    const fits = usedQubits <= maxFittingQubits(limitsOf(request)) ? ", for which there is memory" : "";
    return `${why}, and uses ${qubits}${fits}.`;
  },

  remark: (circuit, request) =>
    profileOf(circuit).usedQubits > FEW_QUBITS
      ? `Amplitudes have ${limitsOf(request).precision} precision.`
      : "",

  check(circuit, request) {
    checkMemory(profileOf(circuit).usedQubits, limitsOf(request));
  },

  run(circuit, run) {
    const limits = { ...limitsOf(run), ...(run.threads === undefined ? {} : { threads: run.threads }) };
    return runPure(circuit, run, () => new StateVector(circuit.numQubits, limits, run.meter));
  },
};

const limitsOf = ({ shots, maxQubits = MAX_DENSE_QUBITS, maxBytes, precision }: SimulationRequest) => ({
  maxQubits,
  maxBytes,
  precision: precision ?? (shots > 0 ? ("single" as const) : ("double" as const)),
});
