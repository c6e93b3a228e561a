import { type ElementaryGate, type Gate, stepParams } from "../circuit/gate.ts";
import { unitaryOf } from "../circuit/unitary.ts";
import { adjoint, type Matrix } from "../linear-algebra/matrix.ts";
import { axisAngleOf, matrix2, power2, rotationZ, X } from "../linear-algebra/one-qubit.ts";
import type { Operation, SourceLocation } from "./operation.ts";
import { nativeGate } from "./target.ts";

const matrices = new WeakMap<Gate, Matrix>();

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
  const flips = controls.flatMap((qubit, i): Operation[] => (gate.controls[i] ? [] : [one(qubit, X)]));
  const [target, other] = qubits.slice(controls.length);
  const inner = (): Operation[] => {
    switch (gate.kind) {
      case "matrix":
        return controlledOperations(controls, gate.matrix(params, 0), target!, spare);
      case "phase":
        return phaseOperations(controls, gate.scale * params[0]!, spare);
      case "swap": {
        const turn = cx(other!, target!);
        return [turn, ...controlledOperations([...controls, target!], X, other!, spare), turn];
      }
    }
  };
  return [...flips, ...inner(), ...flips];
}

/** Returns the matrix of a gate on one or two qubits; that of a gate without parameters is made once. */
export function matrixOf(gate: Gate, params: readonly number[]): Matrix {
  const found = gate.numParams === 0 ? matrices.get(gate) : undefined;
  if (found) return found;
  const isPlain = gate.kind === "matrix" && gate.controls.length === 0;
  const matrix = isPlain ? gate.matrix(params, 0).slice() : unitaryOf(gate, params);
  if (gate.numParams === 0) matrices.set(gate, matrix);
  return matrix;
}

const { PI, cos, sin } = Math;
/** Qubits of a diagonal up to which a network of parities has fewer gates than a recursion. */
const MAX_PARITY_QUBITS = 5;

const cx = (control: number, target: number): Operation => ({
  kind: "two-qubit",
  qubits: [control, target],
  matrix: matrixOf(nativeGate("cx"), []),
  name: "cx",
});

const one = (qubit: number, matrix: Matrix): Operation => ({ kind: "one-qubit", qubits: [qubit], matrix });

/** Returns one- and two-qubit gates for a one-qubit unitary with controls that act on 1; all qubits are different. */
function controlledOperations(
  controls: readonly number[],
  matrix: Matrix,
  target: number,
  spare: readonly number[],
): Operation[] {
  if (controls.length + 1 > MAX_PARITY_QUBITS) return recursive(controls, matrix, target, spare);
  const { basis, phases } = eigenbasis(matrix);
  const size = 2 ** (controls.length + 1);
  const all = new Float64Array(size);
  all[size / 2 - 1] = phases[0];
  all[size - 1] = phases[1];
  return [one(target, adjoint(basis)), ...diagonalOperations([...controls, target], all), one(target, basis)];
}

/** Returns gates for a phase on the state in which all of the qubits are 1. */
function phaseOperations(qubits: readonly number[], angle: number, spare: readonly number[]): Operation[] {
  const phase = matrix2(1, 0, 0, 0, 0, 0, cos(angle), sin(angle));
  const [last, ...others] = qubits.toReversed();
  if (last === undefined) return [];
  return others.length === 0 ? [one(last, phase)] : controlledOperations(others, phase, last, spare);
}

/** Returns gates that multiply each basis state by a phase: rotations of parities, which a Gray code goes through. */
function diagonalOperations(qubits: readonly number[], phases: Float64Array): Operation[] {
  const coefficients = walsh(phases);
  const out: Operation[] = [];
  for (let top = qubits.length - 1; top >= 0; top--) {
    const half = 1 << top;
    if (coefficients.subarray(half, 2 * half).every(value => Math.abs(value) < 1e-14)) continue;
    for (let i = 0; i < half; i++) {
      const gray = i ^ (i >> 1);
      out.push(one(qubits[top]!, rotationZ(-2 * coefficients[half | gray]!)));
      if (half === 1) continue;
      const next = (i + 1) % half;
      const changed = gray ^ next ^ (next >> 1);
      out.push(cx(qubits[31 - Math.clz32(changed)]!, qubits[top]!));
    }
  }
  return out;
}

/** Returns the part of each product of Z in a diagonal of phases. */
function walsh(phases: Float64Array): Float64Array {
  const out = phases.slice();
  for (let step = 1; step < out.length; step *= 2)
    for (let i = 0; i < out.length; i++)
      if ((i & step) === 0) {
        const [a, b] = [out[i]!, out[i | step]!];
        out[i] = (a + b) / 2;
        out[i | step] = (a - b) / 2;
      }
  return out;
}

/** Returns the eigenvectors of a unitary as the image of 0 and 1, and their phases. */
function eigenbasis(m: Matrix): { basis: Matrix; phases: readonly [number, number] } {
  const { alpha, beta, x, y, z } = axisAngleOf(m);
  const isFlat = Math.hypot(x, y) < 1e-14;
  const theta = isFlat ? (z < 0 ? PI : 0) : Math.atan2(Math.hypot(x, y), z);
  const phi = isFlat ? 0 : Math.atan2(y, x);
  const [p, q] = [cos(theta / 2), sin(theta / 2)];
  const basis = matrix2(p, 0, -q, 0, q * cos(phi), q * sin(phi), p * cos(phi), p * sin(phi));
  return { basis, phases: [alpha - beta, alpha + beta] };
}

/** Barenco et al., Elementary gates for quantum computation, lemma 7.5: a root with one control fewer. */
function recursive(
  controls: readonly number[],
  matrix: Matrix,
  target: number,
  spare: readonly number[],
): Operation[] {
  const isNot = matrix.every((part, i) => Math.abs(part - X[i]!) < 1e-12);
  if (isNot && spare.length > 0) return manyControlled(controls, target, spare);
  const root = power2(matrix, 0.5);
  const last = controls.at(-1)!;
  const others = controls.slice(0, -1);
  const flip = manyControlled(others, last, [target, ...spare]);
  return [
    ...controlledOperations([last], root, target, []),
    ...flip,
    ...controlledOperations([last], adjoint(root), target, []),
    ...flip,
    ...controlledOperations(others, root, target, [last, ...spare]),
  ];
}

/** Returns an X with controls that borrows other qubits, whatever state they are in, and gives them back in it. */
function manyControlled(controls: readonly number[], target: number, spare: readonly number[]): Operation[] {
  if (controls.length < MAX_PARITY_QUBITS) return controlledOperations(controls, X, target, []);
  if (spare.length >= controls.length - 2) return chain(controls, target, spare);
  const [borrowed = target] = spare;
  const first = controls.slice(0, Math.ceil((controls.length + 1) / 2));
  const second = [...controls.slice(first.length), borrowed];
  const parts = [
    ...manyControlled(first, borrowed, [...second.slice(0, -1), target]),
    ...manyControlled(second, target, first),
  ];
  return [...parts, ...parts];
}

/** Lemma 7.2: Toffoli gates up and down a chain of borrowed qubits. */
function chain(controls: readonly number[], target: number, spare: readonly number[]): Operation[] {
  const length = controls.length - 2;
  const links = [...spare.slice(0, length), target];
  const toffoli = (i: number) =>
    controlledOperations([controls[i + 1]!, i === 0 ? controls[0]! : links[i - 1]!], X, links[i]!, []);
  const down = Array.from({ length }, (_, i) => length - i).flatMap(toffoli);
  const up = Array.from({ length: length - 1 }, (_, i) => i + 1);
  const inner = [...toffoli(0), ...up.flatMap(toffoli)];
  const without = [...up.toReversed().flatMap(toffoli), ...inner];
  return [...down, ...inner, ...toffoli(length), ...without];
}
