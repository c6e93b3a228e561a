import type { Circuit } from "../circuit/circuit.ts";
import { MAX_EXACT_BRANCHES } from "../execution/scheduler.ts";
import type { SimulationRequest } from "../execution/simulator.ts";
import { METHODS, type MeteredCost, type Method } from "../methods/index.ts";
import { isPauliNoise } from "../noise/model-noise.ts";
import { errorHazard } from "../noise/trajectories-simulator.ts";
import { estimateDense } from "../statevector/simulator.ts";
import { activeQubitCount, hasMidCircuitDependence, isClifford, operationCount } from "./profile.ts";

/* The cost model, in microseconds of one processor. Metered costs are in `methods/index.ts`. */

/** Microseconds of a gate that is read from the program, scheduled and handled. */
export const GATE = 1;
/** Microseconds for an amplitude of a state vector, for each gate. */
export const AMPLITUDE = 1 / 8192;
/** Microseconds for an amplitude in the end: its memory and its share in the sampling. */
const FINAL_AMPLITUDE = 0.004;
/** Microseconds for an amplitude and each expectation value. */
const OVERLAP = 0.012;
/** Microseconds for a qubit of a tableau, for each gate. */
export const TABLEAU_QUBIT = 1 / 256;
/** Microseconds for the outcome of a shot: its draw and its count. */
export const SHOT = 0.5;
/** Microseconds for an entry of a density matrix, for each gate of a program with Pauli errors, and where qubits decay. */
const DENSITY_ENTRY = { errors: 3 * AMPLITUDE, decay: AMPLITUDE };
/** Microseconds for an operation of a trajectory, and for an error of it, for each qubit that this may reach. */
export const TRAJECTORY_OPERATION = 1.2;
export const TRAJECTORY_ERROR = 1.3;
/** Microseconds for an entry of the larger tensors of a matrix product state. */
export const LARGE_TENSOR_ENTRY = 0.003;

/** Qubits up to which a state vector costs nothing besides the handling of gates. */
export const FEW_QUBITS = 12;
/** Qubits up to which the cost of a density matrix is negligible, and those between which errors decide. */
const FEW_DENSITY_QUBITS = 5;
const CONTESTED_QUBITS = [6, 10] as const;
/** Microseconds of a known cost, without noise and with it, below which no other method is tried. */
export const WORTH_TRYING = { pure: 2000, noisy: 10_000 };

/** Cost of a run as far as the program tells it. */
export interface Cost {
  readonly microseconds: number;
  /** Operations that the meter will count, if they are known. */
  readonly operations?: number;
}

/** Returns the cost of a run by a method; undefined if only a run can tell it. */
export function costOf(name: Method["name"], circuit: Circuit, request: SimulationRequest): Cost | undefined {
  const usedQubits = activeQubitCount(circuit);
  const gates = operationCount(circuit);
  const { noise, shots } = request;
  switch (name) {
    case "statevector":
      return costOfStateVector(circuit, request);
    case "stabilizer":
      return { microseconds: gates * (noise ? AMPLITUDE : GATE + usedQubits * TABLEAU_QUBIT) };
    case "density matrix": {
      if (usedQubits <= FEW_DENSITY_QUBITS) return { microseconds: 0 };
      const entry = DENSITY_ENTRY[noise && !isPauliNoise(noise) ? "decay" : "errors"];
      return { microseconds: gates * 2 ** usedQubits * (AMPLITUDE + entry * 2 ** usedQubits) };
    }
    case "trajectories": {
      const isContested = usedQubits >= CONTESTED_QUBITS[0] && usedQubits <= CONTESTED_QUBITS[1];
      const likelihood = isContested && !isClifford(circuit) ? -Math.expm1(-errorHazard(circuit, noise!)) : 1;
      return { microseconds: gates * 2 ** usedQubits * (1 + shots * likelihood) * AMPLITUDE };
    }
    default:
      METHODS[name].metered satisfies MeteredCost;
      return undefined;
  }
}

function costOfStateVector(circuit: Circuit, request: SimulationRequest): Cost | undefined {
  const gates = operationCount(circuit);
  const rough = gates * (GATE + 2 ** activeQubitCount(circuit) * AMPLITUDE);
  if (activeQubitCount(circuit) <= FEW_QUBITS || isClifford(circuit)) return { microseconds: rough };
  const isDynamic = hasMidCircuitDependence(circuit);
  const paths = isDynamic ? request.shots || MAX_EXACT_BRANCHES : 1;
  if (paths * rough < WORTH_TRYING.pure) return { microseconds: rough };
  const estimate = estimateDense(circuit);
  if (!estimate) return isDynamic ? undefined : { microseconds: rough };
  const final = (FINAL_AMPLITUDE + request.observables.length * OVERLAP) * 2 ** estimate.qubits;
  const { touched, operations } = estimate;
  return { microseconds: gates * GATE + touched * AMPLITUDE + final, operations };
}
