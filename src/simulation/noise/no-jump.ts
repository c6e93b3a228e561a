import type { MatrixGate } from "../circuit/gate.ts";
import { STDGATES } from "../circuit/standard.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import { matrix2 } from "../linear-algebra/one-qubit.ts";

const named = (name: string) => STDGATES.find(gate => gate.name === name)!;
const cry = named("cry");

/**
 * Applies the no-jump Kraus operator of amplitude damping: the amplitudes of the qubit's 1 shrink. The kernels of large
 * states apply unitary gates alone: there an ancilla is rotated by a controlled gate and projected on 0.
 */
export function applyNoJump(state: QuantumState, qubit: number, probability: number, ancilla: number): void {
  if (state.isClassical(qubit)) return;
  if (state.damp) {
    state.damp(qubit, probability);
    return;
  }
  if (ancilla >= 0) {
    state.apply(cry, [2 * Math.asin(Math.sqrt(probability))], 0, [qubit, ancilla], 0);
    state.project(ancilla, 0);
    return;
  }
  const scale = 1 / Math.sqrt(1 - probability * state.probabilityOfOne(qubit));
  const m = matrix2(scale, 0, 0, 0, 0, 0, scale * Math.sqrt(1 - probability), 0);
  const damping: MatrixGate = {
    kind: "matrix",
    name: "damping",
    symbol: "damping",
    numParams: 0,
    numQubits: 1,
    controls: [],
    diagonal: true,
    matrix: () => m,
  };
  state.apply(damping, [], 0, [qubit], 0);
}
