import type { Matrix } from "../linear-algebra/matrix.ts";
import { type ElementaryGate, type Gate, listed, type Numbers, stepParams } from "./gate.ts";

/** A gate of one step with its numbers. */
export interface Primitive {
  readonly gate: ElementaryGate;
  readonly params: readonly number[];
  readonly qubits: readonly number[];
}

/** Calls back for a gate, and where it returns true for each of its steps in their order, down to gates of one step. */
export function visitCalls(
  gate: Gate,
  params: readonly number[],
  qubits: readonly number[],
  visit: (gate: Gate, params: readonly number[], qubits: readonly number[]) => boolean,
): void {
  if (!visit(gate, params, qubits) || gate.kind !== "composite") return;
  for (const step of gate.steps)
    visitCalls(
      step.gate,
      stepParams(step, params),
      step.qubits.map(place => qubits[place]!),
      visit,
    );
}

/** Calls back for each gate of one step that a gate comes to, in their order. */
export function visitPrimitives(
  gate: Gate,
  params: readonly number[],
  qubits: readonly number[],
  visit: (primitive: Primitive) => void,
): void {
  visitCalls(gate, params, qubits, (call, values, on) => {
    if (call.kind !== "composite") visit({ gate: call, params: values, qubits: on });
    return true;
  });
}

/** The same for a gate whose parameters begin at `at` and whose qubits begin at `first` of the given lists. */
export function visitCall(
  gate: Gate,
  params: Numbers,
  at: number,
  qubits: Numbers,
  first: number,
  visit: (primitive: Primitive) => void,
): void {
  visitPrimitives(gate, listed(params, at, gate.numParams), listed(qubits, first, gate.numQubits), visit);
}

/** A qubit and the value that it must have for a gate to act. */
export interface Control {
  readonly qubit: number;
  readonly value: number;
}

/** The three kinds of gates of one step, each with any number of controls, as a state does them. */
export interface GateTarget {
  phase(controls: readonly Control[], angle: number): void;
  exchange(controls: readonly Control[], a: number, b: number): void;
  multiply(controls: readonly Control[], qubit: number, matrix: Matrix): void;
}

/** Applies a gate of one step whose parameters begin at `at` and whose qubits begin at `first` of the given lists. */
export function applyElementary(
  gate: ElementaryGate,
  params: Numbers,
  at: number,
  qubits: Numbers,
  first: number,
  target: GateTarget,
): void {
  const controls = gate.controls.map((on, i): Control => ({ qubit: qubits[first + i]!, value: on ? 1 : 0 }));
  const own = first + controls.length;
  if (gate.kind === "phase") target.phase(controls, gate.scale * params[at]!);
  else if (gate.kind === "swap") target.exchange(controls, qubits[own]!, qubits[own + 1]!);
  else target.multiply(controls, qubits[own]!, gate.matrix(params, at));
}

/** Angles of a one-qubit unitary: `e^{iγ}·[[cos θ/2, -e^{iλ} sin θ/2], [e^{iφ} sin θ/2, e^{i(φ+λ)} cos θ/2]]`. */
interface EulerAngles {
  readonly theta: number;
  readonly phi: number;
  readonly lambda: number;
  readonly gamma: number;
}

export function eulerAngles(m: Matrix): EulerAngles {
  const cosine = Math.hypot(m[0]!, m[1]!);
  const sine = Math.hypot(m[4]!, m[5]!);
  const theta = 2 * Math.atan2(sine, cosine);
  const arg = (i: number, sign = 1) => Math.atan2(sign * m[i + 1]!, sign * m[i]!);
  if (sine < 1e-15) return { theta: 0, phi: arg(6) - arg(0), lambda: 0, gamma: arg(0) };
  if (cosine < 1e-15) return { theta: Math.PI, phi: 0, lambda: arg(2, -1) - arg(4), gamma: arg(4) };
  const gamma = arg(0);
  // Entries near 0 have phases of rounding errors: those that say what the larger ones do are taken.
  const lambda = cosine > sine ? arg(6) - arg(4) : arg(2, -1) - gamma;
  return { theta, phi: arg(4) - gamma, lambda, gamma };
}
