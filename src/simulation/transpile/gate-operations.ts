import { type ElementaryGate, type Gate, stepParams } from "../circuit/gate.ts";
import { unitaryOf } from "../circuit/unitary.ts";
import type { Matrix } from "../linear-algebra/matrix.ts";
import { X } from "../linear-algebra/one-qubit.ts";
import { nativeGate } from "./basis.ts";
import { controlledOperations, phaseOperations } from "./larger-gates.ts";
import type { Operation, SourceLocation } from "./operation.ts";

const matrices = new WeakMap<Gate, Matrix | Matrix>();

/** Returns a call of a gate as one- and two-qubit gates; `spare` are qubits that larger ones may borrow. */
export function gateOperations(
  gate: Gate,
  params: readonly number[],
  qubits: readonly number[],
  spare: readonly number[],
  place: SourceLocation,
): Operation[] {
  const [a, b] = qubits;
  if (a === undefined) return [];
  if (b === undefined) {
    const { name } = gate;
    const own = gate.kind === "matrix" ? { gate: { name, params } } : {};
    return [{ ...place, kind: "one-qubit", qubits: [a], matrix: matrixOf(gate, params), ...own }];
  }
  if (qubits.length === 2)
    return [{ ...place, kind: "two-qubit", qubits: [a, b], matrix: matrixOf(gate, params), name: gate.name }];
  if (gate.kind === "composite")
    return gate.steps.flatMap(step =>
      gateOperations(
        step.gate,
        stepParams(step, params),
        step.qubits.map(at => qubits[at]!),
        [...spare, ...qubits.filter((_, at) => !step.qubits.includes(at))],
        place,
      ),
    );
  return elementary(gate, params, qubits, spare).map(operation => ({ ...operation, ...place }));
}

function elementary(
  gate: ElementaryGate,
  params: readonly number[],
  qubits: readonly number[],
  spare: readonly number[],
): Operation[] {
  const controls = qubits.slice(0, gate.controls.length);
  const flips = controls.flatMap((qubit, i): Operation[] =>
    gate.controls[i] ? [] : [{ kind: "one-qubit", qubits: [qubit], matrix: X }],
  );
  const [target, other] = qubits.slice(controls.length);
  const inner = (): Operation[] => {
    switch (gate.kind) {
      case "matrix":
        return controlledOperations(controls, gate.matrix(params, 0), target!, spare);
      case "phase":
        return phaseOperations(controls, gate.scale * params[0]!, spare);
      case "swap": {
        const turn: Operation = {
          kind: "two-qubit",
          qubits: [other!, target!],
          matrix: matrixOf(nativeGate("cx"), []),
          name: "cx",
        };
        return [turn, ...controlledOperations([...controls, target!], X, other!, spare), turn];
      }
    }
  };
  return [...flips, ...inner(), ...flips];
}

/** Returns the matrix of a gate on one or two qubits; that of a gate without parameters is made once. */
function matrixOf(gate: Gate, params: readonly number[]): Matrix {
  const found = gate.numParams === 0 ? matrices.get(gate) : undefined;
  if (found) return found;
  const matrix = computed(gate, params);
  if (gate.numParams === 0) matrices.set(gate, matrix);
  return matrix;
}

function computed(gate: Gate, params: readonly number[]): Matrix {
  if (gate.kind === "matrix" && gate.controls.length === 0) return gate.matrix(params, 0).slice();
  return unitaryOf(gate, params);
}
