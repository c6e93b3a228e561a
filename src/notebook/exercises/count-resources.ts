import {
  type BranchOperation,
  executeBranches,
  type Gate,
  libraryGateOf,
  MAX_BRANCH_QUBITS,
  twoQubitGatesOf,
  visitCalls,
} from "../../simulation/index.ts";
import type { CheckedProgram } from "./exercise-check.ts";

/** A gate as it is executed: of the library, or of one step where the program defines it. @internal */
export interface ExecutedGate {
  /** Its name in the library, or as the program writes it. */
  readonly name: string;
  readonly gate: Gate;
  readonly qubits: readonly number[];
  readonly line: number | null;
}

/** The operations of each branch of a program, with the gates that it defines itself taken apart. @internal */
export interface ExecutedBranch {
  readonly gates: readonly ExecutedGate[];
  readonly operations: readonly BranchOperation[];
}

/** Executes all branches of a program, and takes its own gates apart, so that no definition or loop hides any. @internal */
export function executedBranches({ circuit }: CheckedProgram): ExecutedBranch[] {
  return executeBranches(circuit, {
    hasState: circuit.numQubits <= MAX_BRANCH_QUBITS,
    ignoresFinalMeasurements: true,
  }).map(({ operations }) => ({ operations, gates: operations.flatMap(gatesOf) }));
}

function gatesOf({ gate, params, qubits, line }: BranchOperation): ExecutedGate[] {
  if (!gate) return [];
  const gates: ExecutedGate[] = [];
  visitCalls(gate, params, qubits, (call, values, on) => {
    const known = libraryGateOf(call, values);
    if (known === undefined && call.kind === "composite") return true;
    gates.push({ name: known ?? call.name, gate: call, qubits: on, line });
    return false;
  });
  return gates;
}

/** Resources of a program: the maximum over its branches. @internal */
export interface ResourceCounts {
  readonly twoQubitGates: number;
  readonly gates: number;
  readonly depth: number;
  readonly tGates: number;
  readonly qubits: number;
}

/** Counts what a program takes. A gate on three or more qubits counts as the two-qubit gates that it comes to. @internal */
export function countResources(branches: readonly ExecutedBranch[]): ResourceCounts {
  const counts = branches.map(({ gates, operations }) => {
    const acting = gates.filter(({ name, qubits }) => qubits.length > 0 && name !== "id");
    const depths = new Map<number, number>();
    for (const { qubits } of acting) {
      const depth = 1 + Math.max(...qubits.map(qubit => depths.get(qubit) ?? 0));
      for (const qubit of qubits) depths.set(qubit, depth);
    }
    return {
      twoQubitGates: acting.reduce((sum, one) => sum + twoQubitGatesIn(one), 0),
      gates: acting.length,
      depth: Math.max(0, ...depths.values()),
      tGates: acting.filter(({ name }) => name === "t" || name === "tdg").length,
      qubits: new Set(operations.flatMap(({ qubits }) => qubits)).size,
    };
  });
  const most = (name: keyof ResourceCounts) => Math.max(0, ...counts.map(one => one[name]));
  return {
    twoQubitGates: most("twoQubitGates"),
    gates: most("gates"),
    depth: most("depth"),
    tGates: most("tGates"),
    qubits: most("qubits"),
  };
}

/** The two-qubit gates that a gate comes to. @internal */
export const twoQubitGatesIn = ({ gate, qubits }: ExecutedGate): number =>
  twoQubitGatesOf(qubits.length, gate.kind === "swap");
