import { profileOf } from "../execution/profile.ts";
import { runPure } from "../execution/run-branches.ts";
import type { SimulationWishes, Simulator } from "../execution/simulator.ts";
import { bytesOfState, checkMemory, mostQubits } from "./limits.ts";
import { StateVector } from "./state-vector.ts";

/** Most qubits of a state vector by default. */
export const MAX_DENSE_QUBITS = 26;
/** The most qubits for which a state vector costs nothing beside the handling of a gate. */
const FEW_QUBITS = 12;

/** Simulates with all amplitudes at hand. */
export const statevectorSimulator: Simulator = {
  name: "statevector",
  noise: [false],

  supports(circuit, wishes) {
    const { usedQubits, qubits } = profileOf(circuit);
    const most = mostQubits(limitsOf(wishes));
    return (
      usedQubits <= Math.max(most, FEW_QUBITS) || `a state vector of ${qubits} does not fit (at most ${most})`
    );
  },

  cost(circuit, wishes) {
    const { usedQubits, gates } = profileOf(circuit);
    return {
      operations: gates * Math.max(1, 2 ** (usedQubits - FEW_QUBITS)),
      bytes: bytesOfState(usedQubits, limitsOf(wishes).precision),
    };
  },

  reason(circuit, wishes) {
    const { usedQubits, qubits } = profileOf(circuit);
    if (usedQubits <= FEW_QUBITS) return `The program uses ${qubits}, which take little memory.`;
    const why = wishes.statevector
      ? "The final state is wanted"
      : "The program has other than Clifford gates";
    const fits = usedQubits <= mostQubits(limitsOf(wishes)) ? ", for which there is memory" : "";
    return `${why}, and uses ${qubits}${fits}.`;
  },

  remark: (circuit, wishes) =>
    profileOf(circuit).usedQubits > FEW_QUBITS
      ? `Amplitudes have ${limitsOf(wishes).precision} precision.`
      : "",

  check(circuit, wishes) {
    checkMemory(profileOf(circuit).usedQubits, limitsOf(wishes));
  },

  run(circuit, run) {
    const limits = { ...limitsOf(run), ...(run.threads === undefined ? {} : { threads: run.threads }) };
    return runPure(circuit, run, () => new StateVector(circuit.numQubits, limits, run.meter));
  },
};

const limitsOf = ({ shots, maxQubits = MAX_DENSE_QUBITS, maxBytes, precision }: SimulationWishes) => ({
  maxQubits,
  maxBytes,
  precision: precision ?? (shots > 0 ? ("single" as const) : ("double" as const)),
});
