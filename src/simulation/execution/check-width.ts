import type { Circuit } from "../circuit/circuit.ts";
import { SimulationError } from "../errors.ts";
import { profileOf } from "../plan/profile.ts";

/** Maximum number of qubits of methods whose memory does not grow with all states. */
const MAX_QUBITS = 5000;

/** Throws a {@link SimulationError} where a program uses more qubits than are simulated. */
export function checkWidth(circuit: Circuit, maxQubits = MAX_QUBITS): void {
  const { usedQubits } = profileOf(circuit);
  if (usedQubits > maxQubits)
    throw new SimulationError(
      `The program uses ${usedQubits.toLocaleString("en-US")} qubits; at most ${maxQubits.toLocaleString("en-US")} are simulated here.`,
    );
}
