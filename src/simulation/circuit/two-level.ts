import {
  type CompositeGate,
  compositeGate,
  type Gate,
  type GateStep,
  type MatrixGate,
  parameters,
} from "./gate.ts";
import { type Matrix2, matrix2 } from "./matrix.ts";
import { STDGATES } from "./standard.ts";
import type { Unitary } from "./unitary.ts";

const cx = STDGATES.find(gate => gate.name === "cx")!;

/** The parts that a unitary is the product of: rotations of two basis states each, after phases of single ones. */
interface Factors {
  readonly phases: readonly Matrix2[];
  readonly rotations: readonly Matrix2[];
}

/**
 * Makes a gate of a unitary matrix that depends on the gate's parameters. Each step turns two basis states into each
 * other, with controls on all other qubits, or of a diagonal gate the phase of one.
 */
export function gateOfUnitary(
  { name, numParams, numQubits, diagonal }: Pick<Gate, "name" | "numParams" | "numQubits" | "diagonal">,
  unitary: (params: readonly number[]) => Unitary,
): CompositeGate {
  const size = 2 ** numQubits;
  let last: { key: string; factors: Factors } | undefined;
  const factorsOf = (params: ArrayLike<number>, at: number): Factors => {
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
    const gate: Gate = {
      kind: "matrix",
      name,
      symbol: name,
      numParams,
      numQubits,
      controls,
      diagonal: isPhase,
      matrix,
    };
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

/** Clears a unitary column by column, so that it is the product of what undoes that. */
function factorise({ size, re, im }: Unitary): Factors {
  const rotations: Matrix2[] = [];
  for (const [column, row] of pairs(size).reverse()) {
    const [p, q] = [column * size, row * size];
    const [a, b, x, y] = [re[p + column]!, im[p + column]!, re[q + column]!, im[q + column]!];
    const norm = Math.hypot(a, b, x, y);
    if (Math.hypot(x, y) < 1e-15 * (1 + norm)) {
      rotations.push(matrix2(1, 0, 0, 0, 0, 0, 1, 0));
      continue;
    }
    const [u, v, w, z] = [a / norm, b / norm, x / norm, y / norm];
    for (let k = 0; k < size; k++) {
      const [d, e, f, g] = [re[p + k]!, im[p + k]!, re[q + k]!, im[q + k]!];
      re[p + k] = u * d + v * e + w * f + z * g;
      im[p + k] = u * e - v * d + w * g - z * f;
      re[q + k] = -w * d + z * e + u * f - v * g;
      im[q + k] = -w * e - z * d + u * g + v * f;
    }
    rotations.push(matrix2(u, v, -w, z, w, z, u, -v));
  }
  const phases = Array.from({ length: size }, (_, i) =>
    matrix2(1, 0, 0, 0, 0, 0, re[i * size + i]!, im[i * size + i]!),
  );
  return { phases, rotations: rotations.reverse() };
}
