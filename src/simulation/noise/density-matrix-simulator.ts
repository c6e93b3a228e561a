import type { Circuit } from "../circuit/circuit.ts";
import { formatBytes } from "../errors.ts";
import type { Simulator } from "../execution/simulator.ts";
import { activeQubitCount, describeQubits, hasMidCircuitDependence } from "../plan/profile.ts";
import { DensityMatrix } from "./density-matrix.ts";
import type { NoiseOfGates } from "./gate-noise.ts";
import { runNoisy } from "./noisy-branch.ts";
import { NoisyTransferMatrices } from "./transfer-matrix.ts";

/** Max qubits of a density matrix for exact probabilities, and for shots. */
const MAX_EXACT_QUBITS = 12;
const MAX_QUBITS = 10;
const ENTRY_BYTES = 8;

/** Simulates a few qubits under noise as a density matrix, from which all shots are sampled. */
export const densityMatrixSimulator: Simulator = {
  name: "density matrix",
  noise: [true],
  averagesNoise: true,

  supports(circuit, { shots, maxBytes }) {
    const usedQubits = activeQubitCount(circuit);
    const qubits = describeQubits(circuit);
    const bytes = bytesOf(circuit);
    if (shots === 0)
      return (
        (usedQubits <= MAX_EXACT_QUBITS && bytes <= maxBytes) ||
        `exact probabilities under noise take a density matrix, which for ${qubits} takes ${formatBytes(bytes)}; at most ${MAX_EXACT_QUBITS} qubits and ${formatBytes(maxBytes)} are simulated so. Ask for shots instead`
      );
    if (usedQubits > MAX_QUBITS || bytes > maxBytes) return `a density matrix of ${qubits} is too large`;
    return !hasMidCircuitDependence(circuit) || "the program continues with what it has measured";
  },

  reason(circuit, { shots }) {
    const few = `The program uses ${describeQubits(circuit)}, whose density matrix has all of the noise in it`;
    return shots === 0 ? `${few}, as exact probabilities need.` : `${few}: one run serves all shots.`;
  },

  check() {},

  run(circuit, run) {
    const { maxBytes, meter } = run;
    const begin = (noiseOf: NoiseOfGates) =>
      new DensityMatrix(circuit.numQubits, {
        maxBytes,
        meter,
        transfers: new NoisyTransferMatrices(noiseOf),
      });
    runNoisy(circuit, run, { begin, drawsErrors: false });
    return undefined;
  },
};

const bytesOf = (circuit: Circuit): number => ENTRY_BYTES * 4 ** activeQubitCount(circuit);
