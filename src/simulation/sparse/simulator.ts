import { checkWidth } from "../execution/check-width.ts";
import { profileOf } from "../execution/profile.ts";
import { runPure } from "../execution/run-branches.ts";
import { joinClauses, type Simulator } from "../execution/simulator.ts";
import { SparseState } from "./sparse-state.ts";

/** How many times as long an amplitude takes as one of a state vector. */
const SLOWNESS = 4;

/** Simulates with the amplitudes that are not zero. */
export const sparseSimulator: Simulator = {
  name: "sparse",
  noise: [false],

  supports: () => true,

  /** At worst no amplitude is zero. */
  cost(circuit) {
    const { usedQubits, gates } = profileOf(circuit);
    const amplitudes = 2 ** usedQubits;
    return { operations: gates * amplitudes * SLOWNESS, bytes: amplitudes * (16 + usedQubits / 8) };
  },

  reason: (_circuit, _wishes, refusals) =>
    refusals.length > 0 ? joinClauses(refusals) : "Most amplitudes may be zero.",

  check: (circuit, { maxQubits }) => checkWidth(circuit, maxQubits),

  run: (circuit, run) =>
    runPure(
      circuit,
      run,
      () => new SparseState(circuit.numQubits, { maxBytes: run.maxBytes, meter: run.meter }),
    ),
};
