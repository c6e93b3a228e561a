import { runPure } from "../execution/scheduler.ts";
import { checkWidth, type Simulator, withoutStateVectors } from "../execution/simulator.ts";
import { stateOptionsOf } from "../statevector/amplitudes.ts";
import { StateVector } from "../statevector/state-vector.ts";
import { ExtendedStabilizerState } from "./extended-stabilizer-state.ts";

/** Maximum number of qubits of the state vector within the frame of the Clifford gates. */
const MAX_POSITIONS = 28;

/** Simulates Clifford gates by a tableau, and a few others by a state vector of as many qubits as they bring into it. */
export const extendedStabilizerSimulator: Simulator = {
  name: "extended stabilizer",

  check: (_circuit, { statevector }) =>
    statevector ? withoutStateVectors("the extended stabilizer gives no state vectors") : null,

  reason: () => "Besides Clifford gates the program has few others.",

  run(circuit, run) {
    checkWidth(circuit, run.maxQubits);
    const options = stateOptionsOf(run, MAX_POSITIONS);
    return runPure(circuit, run, () => {
      const inner = new StateVector(circuit.numQubits, options, run.meter);
      return new ExtendedStabilizerState(inner, run.meter);
    });
  },
};
