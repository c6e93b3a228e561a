import type { Circuit } from "../circuit/circuit.ts";
import { OPERATION } from "../circuit/operations.ts";
import { visitPrimitives } from "../circuit/primitives.ts";
import { SimulationError } from "../errors.ts";
import { branches } from "../execution/branching.ts";
import { isClifford, type Method } from "../execution/method.ts";
import { formatBytes } from "../statevector/limits.ts";
import { hasDecays, isPauliNoise, noiseOfGates } from "./gate-noise.ts";
import type { NoiseModel } from "./model.ts";

/** The most qubits of a density matrix for exact probabilities, and where shots are drawn. */
const MOST_EXACT_QUBITS = 12;
const MOST_QUBITS = 10;
/** Qubits for which a density matrix costs next to nothing. */
const FEW_QUBITS = 5;
/** How many runs of a state vector take as long as one of a density matrix, for each of its rows: where qubits decay, fewer. */
const RUNS = { errors: 3, decay: 1 };
/** Bytes of an entry. */
const ENTRY = 8;

/** Chooses how a circuit is simulated under noise. Throws a {@link SimulationError} where there is no way. */
export function chooseNoisyMethod(
  circuit: Circuit,
  noise: NoiseModel,
  { shots, usedQubits, maxBytes }: { shots: number; usedQubits: number; maxBytes: number },
): Method {
  const bytes = ENTRY * 4 ** usedQubits;
  const qubits = `${usedQubits} qubit${usedQubits === 1 ? "" : "s"}`;
  const few = `The program uses ${qubits}, whose density matrix has all of the noise in it`;
  if (shots === 0) {
    if (usedQubits <= MOST_EXACT_QUBITS && bytes <= maxBytes)
      return { name: "density matrix", reason: `${few}, as exact probabilities need.` };
    throw new SimulationError(
      `Exact probabilities under noise take a density matrix, which for ${qubits} takes ${formatBytes(bytes)}; at most ${MOST_EXACT_QUBITS} qubits and ${formatBytes(maxBytes)} are simulated so. Ask for shots instead.`,
    );
  }
  const density: Method = { name: "density matrix", reason: `${few}: one run serves all shots.` };
  const isOneRun = bytes <= maxBytes && !branches(circuit);
  if (isOneRun && usedQubits <= FEW_QUBITS) return density;
  if (isPauliNoise(noise) && isClifford(circuit))
    return {
      name: "stabilizer",
      reason: "The program is made of Clifford gates, and the noise of Pauli errors, alone.",
    };
  const runs = RUNS[hasDecays(noise) ? "decay" : "errors"] * 2 ** usedQubits;
  if (isOneRun && usedQubits <= MOST_QUBITS && runs <= shots * probabilityOfErrors(circuit, noise))
    return density;
  return {
    name: "trajectories",
    reason: `Each pattern of errors that is drawn runs as a state vector of ${qubits}.`,
  };
}

/** Gives how likely it is that a shot has any errors; the bodies of loops count once. */
function probabilityOfErrors({ parts }: Circuit, noise: NoiseModel): number {
  const { kinds, gates, operandStarts, operands, paramStarts, params } = parts.operations;
  const noiseOf = noiseOfGates(noise);
  let hazard = 0;
  for (let i = 0; i < parts.operations.length; i++) {
    if (kinds[i] !== OPERATION.gate) continue;
    const given = Array.from(params.subarray(paramStarts[i]!, paramStarts[i + 1]!));
    const places = Array.from(operands.subarray(operandStarts[i]!, operandStarts[i + 1]!));
    visitPrimitives(parts.gates[gates[i]!]!, given, places, ({ gate, qubits }) => {
      const { errors, decays } = noiseOf(gate, qubits, 0);
      for (const error of errors) hazard += error.hazard;
      for (const { probability } of decays) hazard += probability / 2;
    });
  }
  return -Math.expm1(-hazard);
}
