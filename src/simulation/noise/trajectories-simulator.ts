import type { Circuit } from "../circuit/circuit.ts";
import { operationAt } from "../circuit/operations.ts";
import { visitPrimitives } from "../circuit/primitives.ts";
import { formatBytes } from "../errors.ts";
import { NO_EXACT_NOISE, type Simulator } from "../execution/simulator.ts";
import type { NoiseModel } from "../noise-model.ts";
import { activeQubitCount, describeQubits } from "../plan/profile.ts";
import { bytesOfState, checkMemory, stateOptionsOf } from "../statevector/amplitudes.ts";
import { StateVector } from "../statevector/state-vector.ts";
import { isError } from "./gate-noise.ts";
import { jumpProbability } from "./jumps.ts";
import { noiseOfModel } from "./model-noise.ts";
import { runNoisy } from "./noisy-branch.ts";

/** Simulates noise as a statevector trajectory for each sampled pattern of errors. */
export const trajectoriesSimulator: Simulator = {
  name: "trajectories",
  runsEachShot: true,

  check(circuit, request) {
    if (request.shots === 0) return NO_EXACT_NOISE;
    const usedQubits = activeQubitCount(circuit);
    const limits = stateOptionsOf(request);
    const bytes = bytesOfState(usedQubits, limits.precision);
    if (usedQubits <= limits.maxQubits && bytes <= limits.maxBytes) return null;
    const clause = `a state vector of ${describeQubits(circuit)} takes ${formatBytes(bytes)}, of which at most ${limits.maxQubits} qubits and ${formatBytes(limits.maxBytes)} are simulated`;
    return { clause, fail: () => checkMemory(usedQubits, limits) };
  },

  reason: circuit =>
    `Each pattern of errors that is drawn runs as a state vector of ${describeQubits(circuit)}.`,

  run(circuit, run) {
    const limits = stateOptionsOf(run);
    runNoisy(circuit, run, () => new StateVector(circuit.numQubits, limits, run.meter));
    return undefined;
  },
};

/** Returns the expected number of errors of a shot, as far as errors are rare; the bodies of loops count once. */
export function errorHazard({ parts }: Circuit, noise: NoiseModel): number {
  const noiseOf = noiseOfModel(noise);
  let hazard = 0;
  for (let i = 0; i < parts.operations.length; i++) {
    const operation = operationAt(parts, i);
    if (operation.kind !== "gate") continue;
    visitPrimitives(operation.gate, operation.params, operation.qubits, ({ gate, params, qubits }) => {
      for (const site of noiseOf(gate, qubits, 0, params, 0))
        hazard += isError(site) ? site.hazard : jumpProbability(site);
    });
  }
  return hazard;
}
