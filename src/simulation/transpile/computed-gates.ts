import { constant, type Expression } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import { standardGate } from "../circuit/standard.ts";
import { FLOAT } from "../circuit/values/types.ts";
import { gateOperations } from "./gate-operations.ts";
import type { Operation, SourceLocation } from "./operation.ts";

/** Gates with parameters as rotations about Z: `rz 0 1/2 1` turns qubit 0 by half of parameter 1. */
const ROTATIONS: Readonly<Record<string, readonly string[]>> = {
  rz: ["rz 0 1 0"],
  p: ["rz 0 1 0"],
  u1: ["rz 0 1 0"],
  phase: ["rz 0 1 0"],
  rx: ["h 0", "rz 0 1 0", "h 0"],
  ry: ["sdg 0", "h 0", "rz 0 1 0", "h 0", "s 0"],
  u2: ["rz 0 1 1", "z 0", "h 0", "rz 0 1 0"],
  U: ["rz 0 1 2", "sdg 0", "h 0", "rz 0 1 0", "h 0", "s 0", "rz 0 1 1"],
  crz: ["rz 1 0.5 0", "cx 0 1", "rz 1 -0.5 0", "cx 0 1"],
  cp: ["rz 0 0.5 0", "rz 1 0.5 0", "cx 0 1", "rz 1 -0.5 0", "cx 0 1"],
};
const ALIASES: Readonly<Record<string, string>> = { u3: "U", u: "U", cphase: "cp", cu1: "cp" };

/** Returns a gate whose parameters are computed while the program runs as rotations about Z; null where it is not known how. */
export function computedOperations(
  gate: Gate,
  params: readonly Expression[],
  qubits: readonly number[],
  place: SourceLocation,
): Operation[] | null {
  if (gate.kind === "composite") return compositeOperations(gate, params, qubits, place);
  const steps = ROTATIONS[ALIASES[gate.name] ?? gate.name];
  if (!steps) return null;
  return steps.flatMap(step => {
    const [name, ...numbers] = step.split(" ") as [string, ...string[]];
    if (name === "rz") {
      const [qubit, scale, param] = numbers.map(Number) as [number, number, number];
      const angle = scaled(params[param]!, scale);
      return [{ ...place, kind: "rotation", qubits: [qubits[qubit]!], angle } as const];
    }
    const on = numbers.map(at => qubits[Number(at)]!);
    return gateOperations(standardGate(name), [], on, [], place);
  });
}

function compositeOperations(
  gate: Gate & { kind: "composite" },
  params: readonly Expression[],
  qubits: readonly number[],
  place: SourceLocation,
): Operation[] | null {
  const out: Operation[] = [];
  for (const step of gate.steps) {
    const on = step.qubits.map(at => qubits[at]!);
    const given = step.params.map(param => substituted(param, params));
    const known = given.every(({ kind }) => kind === "constant")
      ? gateOperations(
          step.gate,
          given.map(param => Number((param as Expression & { kind: "constant" }).value)),
          on,
          [],
          place,
        )
      : computedOperations(step.gate, given, on, place);
    if (!known) return null;
    out.push(...known);
  }
  return out;
}

/** Returns an expression of a gate's parameters with what they stand for. */
function substituted(node: Expression, params: readonly Expression[]): Expression {
  switch (node.kind) {
    case "slot":
      return params[node.slot]!;
    case "unary":
    case "cast":
      return { ...node, operand: substituted(node.operand, params) };
    case "binary":
      return { ...node, left: substituted(node.left, params), right: substituted(node.right, params) };
    case "chain": {
      const steps = node.steps.map(step => ({ ...step, operand: substituted(step.operand, params) }));
      return { ...node, first: substituted(node.first, params), steps };
    }
    case "call":
      return { ...node, args: node.args.map(arg => substituted(arg, params)) };
    default:
      return node;
  }
}

export function scaled(angle: Expression, by: number): Expression {
  if (by === 1) return angle;
  return { kind: "binary", operator: "*", type: FLOAT, left: constant(FLOAT, by), right: angle };
}
