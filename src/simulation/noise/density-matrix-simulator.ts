import type { Circuit } from "../circuit/circuit.ts";
import { formatBytes } from "../execution/format-bytes.ts";
import { profileOf } from "../execution/profile.ts";
import type { Simulator } from "../execution/simulator.ts";
import { DensityMatrix } from "./density-matrix.ts";
import { hasDecays, noiseOfGates } from "./gate-noise.ts";
import { runNoisy } from "./noisy-run.ts";
import { NoisyTransfers } from "./noisy-transfer.ts";

/** The most qubits of a density matrix for exact probabilities, and where shots are drawn. */
const MAX_EXACT_QUBITS = 12;
const MAX_QUBITS = 10;
/** Qubits for which a density matrix costs next to nothing. */
const FEW_QUBITS = 5;
/** How many runs of a state vector take as long as one of a density matrix, for each of its rows: where qubits decay, fewer. */
const RUNS = { errors: 3, decay: 1 };
/** Bytes of an entry. */
const ENTRY = 8;

/** Simulates few qubits under noise as a density matrix, from which all shots are drawn. */
export const densityMatrixSimulator: Simulator = {
  name: "density matrix",
  noise: [true],

  supports(circuit, { shots, maxBytes }) {
    const { usedQubits, qubits, hasMidCircuitDependence } = profileOf(circuit);
    const bytes = bytesOf(circuit);
    if (shots === 0)
      return (
        (usedQubits <= MAX_EXACT_QUBITS && bytes <= maxBytes) ||
        `exact probabilities under noise take a density matrix, which for ${qubits} takes ${formatBytes(bytes)}; at most ${MAX_EXACT_QUBITS} qubits and ${formatBytes(maxBytes)} are simulated so. Ask for shots instead`
      );
    if (usedQubits > MAX_QUBITS || bytes > maxBytes) return `a density matrix of ${qubits} is too large`;
    return !hasMidCircuitDependence || "the program goes on with what it has measured";
  },

  cost(circuit, { noise }) {
    const { usedQubits, gates } = profileOf(circuit);
    const runs = RUNS[noise && hasDecays(noise) ? "decay" : "errors"] * 2 ** usedQubits;
    const operations = usedQubits <= FEW_QUBITS ? 0 : gates * 2 ** usedQubits * (1 + runs);
    return { operations, bytes: bytesOf(circuit) };
  },

  reason(circuit, { shots }) {
    const few = `The program uses ${profileOf(circuit).qubits}, whose density matrix has all of the noise in it`;
    return shots === 0 ? `${few}, as exact probabilities need.` : `${few}: one run serves all shots.`;
  },

  check() {},

  run(circuit, run) {
    const noiseOf = noiseOfGates(run.noise!);
    const options = { maxBytes: run.maxBytes, transfers: new NoisyTransfers(noiseOf), meter: run.meter };
    const begin = () => new DensityMatrix(circuit.numQubits, options);
    runNoisy(circuit, run, { noiseOf, errors: null, ancilla: -1, begin });
    return undefined;
  },
};

const bytesOf = (circuit: Circuit): number => ENTRY * 4 ** profileOf(circuit).usedQubits;
