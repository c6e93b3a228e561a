import type { Gate } from "../circuit/gate.ts";
import { STDGATES } from "../circuit/standard.ts";
import type { QuantumState } from "./quantum-state.ts";

/** A Pauli matrix on a qubit. */
export interface PauliFactor {
  readonly qubit: number;
  readonly pauli: "X" | "Y" | "Z";
}

/** A product of Pauli matrices on different qubits; without factors it is 1. */
export type PauliString = readonly PauliFactor[];

/** A sum of Pauli strings with real coefficients. */
export type PauliSum = readonly { readonly coefficient: number; readonly string: PauliString }[];

const named = (name: string): Gate => STDGATES.find(gate => gate.name === name)!;
const [H, SDG, CX] = ["h", "sdg", "cx"].map(named) as [Gate, Gate, Gate];
const NO_PARAMS: readonly number[] = [];

/** Returns the expectation values of Pauli strings in a state, which is kept. */
export function expectationsOf(state: QuantumState, strings: readonly PauliString[]): number[] {
  const found = strings.filter(string => string.length > 0);
  const values = (
    state.expectations?.(found) ?? found.map(string => measureParity(state.clone(), string))
  ).values();
  return strings.map(string => (string.length > 0 ? values.next().value! : 1));
}

/** Turns each qubit until its matrix is Z, and finds the parity of all, in a state of its own. */
function measureParity(state: QuantumState, string: PauliString): number {
  const target = string[0]!.qubit;
  try {
    for (const { qubit, pauli } of string) {
      if (pauli === "Y") state.apply(SDG, NO_PARAMS, 0, [qubit], 0);
      if (pauli !== "Z") state.apply(H, NO_PARAMS, 0, [qubit], 0);
      if (qubit !== target) state.apply(CX, NO_PARAMS, 0, [qubit, target], 0);
    }
    return 1 - 2 * state.probabilityOfOne(target);
  } finally {
    state.release();
  }
}
