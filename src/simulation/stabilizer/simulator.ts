import { SimulationError, UnsupportedMethodError } from "../errors.ts";
import { checkWidth, type Simulator } from "../execution/simulator.ts";
import { isPauliNoise, noiseOfModel } from "../noise/model-noise.ts";
import { isClifford } from "../plan/profile.ts";
import { PauliErrors } from "./shot-frames.ts";
import { simulateStabilizer } from "./simulate-stabilizer.ts";

/** Simulates Clifford gates, and Pauli errors, by a tableau and frames. */
export const stabilizerSimulator: Simulator = {
  name: "stabilizer",
  noise: [false, true],

  supports(circuit, { noise, shots, statevector }) {
    if (statevector) return "the stabilizer method gives no state vectors";
    if (noise && shots === 0) return "stabilizers give no exact probabilities under noise";
    if (noise && !isPauliNoise(noise)) return "the noise has non-Pauli errors";
    return isClifford(circuit) || "the program has non-Clifford gates";
  },

  reason: (_circuit, { noise }) =>
    noise
      ? "The program has only Clifford gates, and the noise only Pauli errors."
      : "The program has only Clifford gates.",

  check(circuit, { noise, shots, statevector, maxQubits }) {
    if (statevector)
      throw new UnsupportedMethodError("The stabilizer method gives no state vectors.", [
        "statevector",
        "matrix product state",
        "sparse",
      ]);
    if (noise && shots === 0)
      throw new SimulationError(
        "Under noise, stabilizer give no exact probabilities; a density matrix does.",
      );
    if (noise && !isPauliNoise(noise))
      throw new SimulationError(
        "The stabilizer simulator supports only Pauli errors, and this noise model has others.",
      );
    if (!noise) checkWidth(circuit, maxQubits);
  },

  run(circuit, run) {
    const { noise, readout, random } = run;
    const errors = noise && readout ? new PauliErrors(noiseOfModel(noise), readout, random) : undefined;
    simulateStabilizer(circuit, run, errors);
    return undefined;
  },
};
