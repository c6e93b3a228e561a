import type { Circuit } from "../circuit/circuit.ts";
import { SimulationError } from "../errors.ts";
import { branches } from "../execution/branching.ts";
import { isClifford, type Method } from "../execution/method.ts";
import { formatBytes } from "../statevector/limits.ts";
import { isPauliNoise } from "./gate-noise.ts";
import type { NoiseModel } from "./model.ts";

/** The most qubits of a density matrix, and those up to which it is quicker than a run for each pattern of errors. */
const MOST_QUBITS = 12;
const QUICK_QUBITS = 7;
/** Bytes of an entry. */
const ENTRY = 16;

/** Chooses how a circuit is simulated under noise. Throws a {@link SimulationError} where there is no way. */
export function chooseNoisyMethod(
  circuit: Circuit,
  noise: NoiseModel,
  { shots, usedQubits, maxBytes }: { shots: number; usedQubits: number; maxBytes: number },
): Method {
  const bytes = ENTRY * 4 ** usedQubits;
  const few = `The program uses ${usedQubits} qubits, whose density matrix has all of the noise in it`;
  if (shots === 0) {
    if (usedQubits <= MOST_QUBITS && bytes <= maxBytes)
      return { name: "density matrix", reason: `${few}, as exact probabilities need.` };
    throw new SimulationError(
      `Exact probabilities under noise take a density matrix, which for ${usedQubits} qubits takes ${formatBytes(bytes)}; at most ${MOST_QUBITS} qubits and ${formatBytes(maxBytes)} are simulated so. Ask for shots instead.`,
    );
  }
  if (usedQubits <= QUICK_QUBITS && !branches(circuit))
    return { name: "density matrix", reason: `${few}: one run serves all shots.` };
  if (isPauliNoise(noise) && isClifford(circuit))
    return {
      name: "stabilizer",
      reason: "The program is made of Clifford gates, and the noise of Pauli errors, alone.",
    };
  return {
    name: "trajectories",
    reason: `Each pattern of errors that is drawn runs as a state vector of ${usedQubits} qubits.`,
  };
}
