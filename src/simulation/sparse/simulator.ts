import { runPure } from "../execution/scheduler.ts";
import { checkWidth, joinClauses, type Simulator } from "../execution/simulator.ts";
import { SparseState } from "./sparse-state.ts";

/** Simulates with the amplitudes that are not zero. */
export const sparseSimulator: Simulator = {
  name: "sparse",
  noise: [false],

  supports: () => true,

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
