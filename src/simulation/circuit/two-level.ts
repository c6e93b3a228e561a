import { type Matrix, sizeOf } from "../linear-algebra/matrix.ts";
import { I, matrix2 } from "../linear-algebra/one-qubit.ts";
import {
  type CompositeGate,
  compositeGate,
  type Gate,
  type GateStep,
  type MatrixGate,
  matrixGate,
  type Numbers,
  parameters,
} from "./gate.ts";
import { standardGate } from "./standard.ts";

const cx = standardGate("cx");

/** The parts that a unitary is the product of: rotations of two basis states each, after phases of single ones. */
interface Factors {
  readonly phases: readonly Matrix[];
  readonly rotations: readonly Matrix[];
}

/**
 * Makes a gate of a unitary matrix that depends on the gate's parameters. Each step turns two basis states into each
 * other, with controls on all other qubits, or of a diagonal gate the phase of one.
 */
export function gateOfUnitary(
  { name, numParams, numQubits, diagonal }: Pick<Gate, "name" | "numParams" | "numQubits" | "diagonal">,
  unitary: (params: readonly number[]) => Matrix,
): CompositeGate {
  const size = 2 ** numQubits;
  let last: { key: string; factors: Factors } | undefined;
  const factorsOf = (params: Numbers, at: number): Factors => {
    const own = Array.from({ length: numParams }, (_, i) => params[at + i]!);
    const key = own.join();
    if (last?.key !== key) last = { key, factors: factorise(unitary(own)) };
    return last.factors;
  };
  const params = parameters(numParams);
  const steps: GateStep[] = [];
  const all = [...Array(numQubits).keys()];
  const apply = (state: number, target: number, matrix: MatrixGate["matrix"], isPhase: boolean) => {
    const others = all.filter(qubit => qubit !== target);
    const controls = others.map(qubit => ((state >> qubit) & 1) === 1);
    const gate = matrixGate(name, matrix, { numParams, controls, diagonal: isPhase });
    steps.push({ gate, params, qubits: [...others, target] });
  };
  for (let state = 0; state < size; state++)
    apply(
      state,
      0,
      (given, at) => {
        const phase = factorsOf(given, at).phases[state]!;
        return state & 1 ? phase : matrix2(phase[6]!, phase[7]!, 0, 0, 0, 0, phase[0]!, phase[1]!);
      },
      true,
    );
  const turned = diagonal ? [] : pairs(size);
  turned.forEach(([low, high], place) => {
    const differing = all.filter(qubit => ((low ^ high) >> qubit) & 1);
    const target = differing[0]!;
    const swapped = ((low >> target) & 1) === 1;
    const moves = differing.slice(1).map(qubit => ({ gate: cx, params: [], qubits: [target, qubit] }));
    steps.push(...moves);
    apply(
      swapped ? high : low,
      target,
      (given, at) => {
        const m = factorsOf(given, at).rotations[place]!;
        return swapped ? matrix2(m[6]!, m[7]!, m[4]!, m[5]!, m[2]!, m[3]!, m[0]!, m[1]!) : m;
      },
      false,
    );
    steps.push(...moves.toReversed());
  });
  return compositeGate(name, numParams, numQubits, steps);
}

/** The pairs of basis states in the order in which their rotations are applied, after the phases. */
function pairs(size: number): [number, number][] {
  const list: [number, number][] = [];
  for (let column = 0; column < size - 1; column++)
    for (let row = size - 1; row > column; row--) list.push([column, row]);
  return list.reverse();
}

/** Clears a unitary column by column, so it is the product of what undoes that. */
function factorise(unitary: Matrix): Factors {
  const size = sizeOf(unitary);
  const rotations: Matrix[] = [];
  for (const [column, row] of pairs(size).reverse()) {
    const [p, q] = [2 * column * size, 2 * row * size];
    const at = 2 * column;
    const [a, b, x, y] = [unitary[p + at]!, unitary[p + at + 1]!, unitary[q + at]!, unitary[q + at + 1]!];
    const norm = Math.hypot(a, b, x, y);
    if (Math.hypot(x, y) < 1e-15 * (1 + norm)) {
      rotations.push(I);
      continue;
    }
    const [u, v, w, z] = [a / norm, b / norm, x / norm, y / norm];
    for (let k = 0; k < 2 * size; k += 2) {
      const [d, e, f, g] = [unitary[p + k]!, unitary[p + k + 1]!, unitary[q + k]!, unitary[q + k + 1]!];
      unitary[p + k] = u * d + v * e + w * f + z * g;
      unitary[p + k + 1] = u * e - v * d + w * g - z * f;
      unitary[q + k] = -w * d + z * e + u * f - v * g;
      unitary[q + k + 1] = -w * e - z * d + u * g + v * f;
    }
    rotations.push(matrix2(u, v, -w, z, w, z, u, -v));
  }
  const phases = Array.from({ length: size }, (_, i) =>
    matrix2(1, 0, 0, 0, 0, 0, unitary[2 * i * (size + 1)]!, unitary[2 * i * (size + 1) + 1]!),
  );
  return { phases, rotations: rotations.reverse() };
}
