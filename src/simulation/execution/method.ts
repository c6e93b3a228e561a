import type { Circuit } from "../circuit/circuit.ts";
import type { Gate } from "../circuit/gate.ts";
import { OPERATION } from "../circuit/operations.ts";
import { everyStatement, type Statement } from "../circuit/statement.ts";
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

/** Tells whether all gates of a circuit are known, and Clifford gates; angles that are multiples of π/2 are. */
export function isClifford({ parts }: Circuit): boolean {
  const { kinds, gates, operands, operandStarts, params, paramStarts } = parts.operations;
  for (let i = 0; i < parts.operations.length; i++) {
    if (kinds[i] !== OPERATION.gate) continue;
    const gate = parts.gates[gates[i]!]!;
    if (!doClifford(gate, params, paramStarts[i]!, operands, operandStarts[i]!, NOWHERE)) return false;
  }
  return everyStatement(
    parts.body,
    statement => statement.kind !== "gate" || isKnownClifford(parts.gates[statement.gate]!, statement),
  );
}

/** Whether a gate whose qubits are computed is itself known, with its parameters, and a Clifford gate. */
function isKnownClifford(gate: Gate, { modifiers, params }: Statement & { kind: "gate" }): boolean {
  const values = params.map(({ value }) => value);
  if (modifiers.length > 0 || values.includes(undefined)) return false;
  const qubits = Array.from({ length: gate.numQubits }, (_, i) => i);
  return doClifford(gate, values as number[], 0, qubits, 0, NOWHERE);
}
