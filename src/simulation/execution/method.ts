import type { Circuit } from "../circuit/circuit.ts";
import { OPERATION } from "../circuit/operations.ts";
import { type CliffordTarget, doClifford } from "../stabilizer/clifford.ts";

/** How the state of a program is kept. */
export type MethodName = "statevector" | "stabilizer" | "sparse";

/** The method of a simulation, and why it was taken. */
export interface Method {
  readonly name: MethodName;
  readonly reason: string;
}

/** The most qubits for which a state vector costs nothing. */
const FEW_QUBITS = 12;

/** What the choice depends on besides the circuit. */
export interface MethodWishes {
  readonly shots: number;
  readonly usedQubits: number;
  readonly statevector: boolean;
  /** Most qubits of a state vector, by number and by memory. */
  readonly denseQubits: number;
}

/** Chooses the method that suits a circuit. */
export function chooseMethod(circuit: Circuit, wishes: MethodWishes): Method {
  const { shots, usedQubits, statevector, denseQubits } = wishes;
  if (usedQubits <= FEW_QUBITS)
    return {
      name: "statevector",
      reason: `The program uses ${usedQubits} qubits, which take little memory.`,
    };
  if (shots > 0 && !statevector && isClifford(circuit))
    return { name: "stabilizer", reason: "The program is made of Clifford gates alone." };
  if (usedQubits <= denseQubits)
    return {
      name: "statevector",
      reason: `The program has other than Clifford gates${shots === 0 ? ", or wants exact probabilities," : ""} and uses ${usedQubits} qubits, for which there is memory.`,
    };
  return {
    name: "sparse",
    reason: `A state vector of ${usedQubits} qubits does not fit (at most ${denseQubits}), and the program is not made of Clifford gates alone.`,
  };
}

const NOWHERE: CliffordTarget = {
  h: () => {},
  s: () => {},
  x: () => {},
  z: () => {},
  cx: () => {},
  cz: () => {},
  swap: () => {},
};

/** Tells whether all gates of a circuit are known, and Clifford gates; angles that are multiples of π/2 are. */
export function isClifford({ parts }: Circuit): boolean {
  const { kinds, gates, operands, operandStarts, params, paramStarts } = parts.operations;
  if (parts.instructions.some(({ kind }) => kind === "gate")) return false;
  for (let i = 0; i < parts.operations.length; i++) {
    if (kinds[i] !== OPERATION.gate) continue;
    const gate = parts.gates[gates[i]!]!;
    if (!doClifford(gate, params, paramStarts[i]!, operands, operandStarts[i]!, NOWHERE)) return false;
  }
  return true;
}
