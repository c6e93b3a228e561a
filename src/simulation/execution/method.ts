import type { Circuit, Instruction } from "../circuit/circuit.ts";
import { type Memory, Undecided } from "../circuit/memory.ts";
import { OPERATION } from "../circuit/operations.ts";
import { type CliffordTarget, doClifford } from "../stabilizer/clifford.ts";

/** How the state of a program is kept. */
export type MethodName = "statevector" | "stabilizer" | "sparse";

/** How noise is simulated. */
export type NoisyMethodName = "stabilizer" | "density matrix" | "trajectories";

/** The method of a simulation, and why it was taken. */
export interface Method {
  readonly name: MethodName | NoisyMethodName;
  readonly reason: string;
}

/** The most qubits for which a state vector costs nothing. */
export const FEW_QUBITS = 12;

/** What the choice depends on besides the circuit. */
export interface MethodWishes {
  readonly usedQubits: number;
  readonly statevector: boolean;
  /** Most qubits of a state vector, by number and by memory. */
  readonly denseQubits: number;
  /** What there is to choose from. Default: every method. */
  readonly methods?: readonly MethodName[] | undefined;
}

const EVERY_METHOD: readonly MethodName[] = ["statevector", "stabilizer", "sparse"];

/** Chooses the method that suits a circuit. */
export function chooseMethod(circuit: Circuit, wishes: MethodWishes): Method {
  const { usedQubits, statevector, denseQubits, methods = EVERY_METHOD } = wishes;
  const qubits = `${usedQubits} qubit${usedQubits === 1 ? "" : "s"}`;
  if (usedQubits <= FEW_QUBITS)
    return { name: "statevector", reason: `The program uses ${qubits}, which take little memory.` };
  if (methods.includes("stabilizer") && !statevector && isClifford(circuit))
    return { name: "stabilizer", reason: "The program is made of Clifford gates alone." };
  const why = statevector ? "The final state is wanted" : "The program has other than Clifford gates";
  if (usedQubits <= denseQubits || !methods.includes("sparse"))
    return {
      name: "statevector",
      reason: `${why}, and uses ${qubits}${usedQubits <= denseQubits ? ", for which there is memory" : ""}.`,
    };
  return {
    name: "sparse",
    reason: `A state vector of ${qubits} does not fit (at most ${denseQubits}), and the program is not made of Clifford gates alone.`,
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

/** A memory of which nothing is known before the run. */
const UNKNOWN: Memory = {
  get slots(): never {
    throw new Undecided();
  },
  readBit: () => {
    throw new Undecided();
  },
  writeBit: () => {},
};

/** Tells whether all gates of a circuit are known, and Clifford gates; angles that are multiples of π/2 are. */
export function isClifford({ parts }: Circuit): boolean {
  const { kinds, gates, operands, operandStarts, params, paramStarts } = parts.operations;
  for (let i = 0; i < parts.operations.length; i++) {
    if (kinds[i] !== OPERATION.gate) continue;
    const gate = parts.gates[gates[i]!]!;
    if (!doClifford(gate, params, paramStarts[i]!, operands, operandStarts[i]!, NOWHERE)) return false;
  }
  return parts.instructions.every(instruction => instruction.kind !== "gate" || isKnownClifford(instruction));
}

/** Tells whether a gate whose qubits are computed is itself known, with its parameters, and a Clifford gate. */
function isKnownClifford(instruction: Instruction & { kind: "gate" }): boolean {
  try {
    const gate = instruction.gate(UNKNOWN);
    const params = instruction.params.map(compute => compute(UNKNOWN));
    const qubits = Array.from({ length: gate.numQubits }, (_, i) => i);
    return doClifford(gate, params, 0, qubits, 0, NOWHERE);
  } catch {
    return false;
  }
}
