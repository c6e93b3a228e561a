import { SimulationError } from "../errors.ts";
import { runPure } from "../execution/run-program.ts";
import { checkWidth, joinClauses, type Simulator } from "../execution/simulator.ts";
import { runNoisy } from "../noise/noisy-branch.ts";
import { ruleNoiseOf } from "../noise/rule-noise.ts";
import type { NoiseModel } from "../noise-model.ts";
import { MpsState } from "./mps-state.ts";
import { siteOrder } from "./site-order.ts";

const PAIR_JUMPS = "the noise jumps on pairs of qubits, which matrix product states do not do";
const jumpsOnPairs = (noise: NoiseModel | null): boolean =>
  noise?.rules !== undefined && ruleNoiseOf(noise.rules).needsPairs;

/** Simulates with a chain of tensors, whose size grows with entanglement alone. */
export const mpsSimulator: Simulator = {
  name: "matrix product state",
  noise: [false, true],

  supports: (_circuit, { noise, shots }) => {
    if (jumpsOnPairs(noise)) return PAIR_JUMPS;
    return noise === null || shots > 0 || "trajectories give no exact probabilities";
  },

  reason: (_circuit, _wishes, refusals) =>
    refusals.length > 0 ? joinClauses(refusals) : "Its qubits may be little entangled.",

  check(circuit, { maxQubits, noise }) {
    checkWidth(circuit, maxQubits);
    if (jumpsOnPairs(noise)) throw new SimulationError(joinClauses([PAIR_JUMPS]));
  },

  run(circuit, run) {
    run.onTruncation({ bondDimension: 1, fidelity: 1 });
    const sites = siteOrder(circuit);
    const begin = () => new MpsState(circuit.numQubits, run, sites);
    if (!run.noise) return runPure(circuit, run, begin);
    runNoisy(circuit, run, { begin });
    return undefined;
  },
};
