import type { Gate } from "../circuit/gate.ts";
import { applyElementary, eulerAngles, type Primitive } from "../circuit/primitives.ts";
import { factsOf, QELIB1, QIR_ROTATIONS, STDGATES } from "../circuit/standard.ts";
import { SimulationError } from "../errors.ts";
import { adjoint, type Matrix } from "../linear-algebra/matrix.ts";
import { matrix2, power2, X } from "../linear-algebra/one-qubit.ts";

const MAX_CONTROLS = 6;

const READ: ReadonlyMap<string, Gate> = new Map(
  [...QIR_ROTATIONS, ...STDGATES, ...QELIB1].toReversed().flatMap(gate => {
    const { qir, qirAliases = [] } = factsOf(gate);
    return [...(qir ? [qir] : []), ...qirAliases].map(name => [name, gate] as const);
  }),
);

/** Returns the gate of QIR's instruction set that a name such as `h__body` or `s__adj` stands for, or undefined. */
export const qirGate = (name: string): Gate | undefined => READ.get(name.replace(/__body$/, ""));

/** Writes a call of a gate of QIR's instruction set. */
type WriteCall = (name: string, params: readonly number[], qubits: readonly number[]) => void;

/** Writes a gate as calls of QIR's instruction set; one that it does not have is decomposed. */
export function writeGate({ gate, params, qubits }: Primitive, call: WriteCall): void {
  const { qir } = factsOf(gate);
  if (qir) {
    call(qir.includes("__") ? qir : `${qir}__body`, params, qubits);
    return;
  }
  if (gate.controls.length > MAX_CONTROLS)
    throw new SimulationError(
      `A gate with more than ${MAX_CONTROLS} controls is not decomposed into QIR's gates.`,
    );
  const negative = gate.controls.flatMap((polarity, i) => (polarity ? [] : [qubits[i]!]));
  for (const qubit of negative) call("x__body", [], [qubit]);
  const places = qubits.slice(0, gate.controls.length);
  applyElementary(gate, params, 0, qubits, 0, {
    phase: (_, angle) => {
      const last = places.at(-1);
      if (last !== undefined) unitary(phase(angle), places.slice(0, -1), last);
    },
    exchange: (_, a, b) => {
      call("cnot__body", [], [b, a]);
      unitary(X, [...places, a], b);
      call("cnot__body", [], [b, a]);
    },
    multiply: (_, qubit, matrix) => unitary(matrix, places, qubit),
  });
  for (const qubit of negative) call("x__body", [], [qubit]);

  /**
   * Writes a one-qubit unitary with controls: with one by A·CX·B·CX·C, with more by controlled square roots that have
   * one control fewer (Barenco et al., Phys. Rev. A 52, 3457 (1995), lemmas 5.1 and 7.5).
   */
  function unitary(m: Matrix, controls: readonly number[], target: number): void {
    const isX = m.every((part, i) => Math.abs(part - X[i]!) < 1e-15);
    if (isX && controls.length <= 2) {
      call(["x__body", "cnot__body", "ccx__body"][controls.length]!, [], [...controls, target]);
      return;
    }
    const last = controls.at(-1);
    const { theta, phi, lambda, gamma } = eulerAngles(m);
    if (last === undefined) {
      turn("rz__body", lambda, target);
      turn("ry__body", theta, target);
      turn("rz__body", phi, target);
      return;
    }
    if (controls.length === 1) {
      turn("rz__body", (lambda - phi) / 2, target);
      call("cnot__body", [], [last, target]);
      turn("rz__body", -(phi + lambda) / 2, target);
      turn("ry__body", -theta / 2, target);
      call("cnot__body", [], [last, target]);
      turn("ry__body", theta / 2, target);
      turn("rz__body", phi, target);
      turn("rz__body", gamma + (phi + lambda) / 2, last);
      return;
    }
    const rest = controls.slice(0, -1);
    const root = power2(m, 0.5);
    unitary(root, [last], target);
    unitary(X, rest, last);
    unitary(adjoint(root), [last], target);
    unitary(X, rest, last);
    unitary(root, rest, target);
  }

  function turn(name: string, angle: number, qubit: number): void {
    if (Math.abs(angle) > 1e-15) call(name, [angle], [qubit]);
  }
}

const phase = (angle: number): Matrix => matrix2(1, 0, 0, 0, 0, 0, Math.cos(angle), Math.sin(angle));
