import { checkWidth } from "../execution/check-width.ts";
import { runPure } from "../execution/run-branches.ts";
import { joinClauses, type Simulator } from "../execution/simulator.ts";
import { MpsState } from "./mps-state.ts";

/** Simulates with a chain of tensors, whose size grows with entanglement alone. */
export const mpsSimulator: Simulator = {
  name: "matrix product state",
  noise: [false],
  nanosecondsOfNumber: 2,

  supports: () => true,

  /** How entangled the qubits will be, only a run can tell. */
  cost: (_circuit, { maxBytes }) => ({ operations: Number.POSITIVE_INFINITY, bytes: maxBytes }),

  reason: (_circuit, _wishes, refusals) =>
    refusals.length > 0 ? joinClauses(refusals) : "Its qubits may be little entangled.",

  check: (circuit, { maxQubits }) => checkWidth(circuit, maxQubits),

  run(circuit, run) {
    const { maxBytes, maxBondDimension = Number.POSITIVE_INFINITY, meter } = run;
    let truncation = { bondDimension: 1, discardedWeight: 0 };
    const limits = {
      maxBytes,
      maxBondDimension,
      meter,
      onTruncation(found: typeof truncation) {
        const { bondDimension, discardedWeight } = truncation;
        truncation = {
          bondDimension: Math.max(bondDimension, found.bondDimension),
          discardedWeight: Math.max(discardedWeight, found.discardedWeight),
        };
      },
    };
    const statevector = runPure(circuit, run, () => new MpsState(circuit.numQubits, limits));
    run.onTruncation(truncation);
    return statevector;
  },
};
