import { checkWidth, refusal, type Simulator, withoutStateVectors } from "../execution/simulator.ts";
import { isPauliNoise, noiseOfModel } from "../noise/model-noise.ts";
import { isClifford } from "../plan/profile.ts";
import { PauliErrors } from "./shot-frames.ts";
import { simulateStabilizer } from "./simulate-stabilizer.ts";

/** Simulates Clifford gates, and Pauli errors, by a tableau and frames. */
export const stabilizerSimulator: Simulator = {
  name: "stabilizer",

  check(circuit, { noise, shots, statevector }) {
    if (statevector) return withoutStateVectors("the stabilizer method gives no state vectors");
    if (noise && shots === 0)
      return refusal("under noise, stabilizers give no exact probabilities; a density matrix does");
    if (noise && !isPauliNoise(noise))
      return refusal("the stabilizer supports only Pauli errors, and this noise has others");
    return isClifford(circuit) ? null : { clause: "the program has non-Clifford gates" };
  },

  reason: (_circuit, { noise }) =>
    noise
      ? "The program has only Clifford gates, and the noise only Pauli errors."
      : "The program has only Clifford gates.",

  run(circuit, run) {
    const { noise, readout, random } = run;
    if (!noise) checkWidth(circuit, run.maxQubits);
    const errors = noise && readout ? new PauliErrors(noiseOfModel(noise), readout, random) : undefined;
    simulateStabilizer(circuit, run, errors);
    return undefined;
  },
};
