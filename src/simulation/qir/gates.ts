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

/** Writes gates as calls of QIR's instruction set; those that it does not have are decomposed. */
export class QirGates {
  readonly #call: (name: string, params: readonly number[], qubits: readonly number[]) => void;

  constructor(call: (name: string, params: readonly number[], qubits: readonly number[]) => void) {
    this.#call = call;
  }

  write({ gate, params, qubits }: Primitive): void {
    const { qir } = factsOf(gate);
    if (qir) {
      this.#call(qir.includes("__") ? qir : `${qir}__body`, params, qubits);
      return;
    }
    if (gate.controls.length > MAX_CONTROLS)
      throw new SimulationError(
        `A gate with more than ${MAX_CONTROLS} controls is not decomposed into QIR's gates.`,
      );
    const negative = gate.controls.flatMap((polarity, i) => (polarity ? [] : [qubits[i]!]));
    for (const qubit of negative) this.#call("x__body", [], [qubit]);
    const places = qubits.slice(0, gate.controls.length);
    applyElementary(gate, params, 0, qubits, 0, {
      phase: (_, angle) => {
        const last = places.at(-1);
        if (last !== undefined) this.#unitary(phase(angle), places.slice(0, -1), last);
      },
      exchange: (_, a, b) => {
        this.#call("cnot__body", [], [b, a]);
        this.#unitary(X, [...places, a], b);
        this.#call("cnot__body", [], [b, a]);
      },
      multiply: (_, qubit, matrix) => this.#unitary(matrix, places, qubit),
    });
    for (const qubit of negative) this.#call("x__body", [], [qubit]);
  }

  /**
   * Writes a one-qubit unitary with controls: with one by A·CX·B·CX·C, with more by controlled square roots that have
   * one control fewer (Barenco et al., Phys. Rev. A 52, 3457 (1995), lemmas 5.1 and 7.5).
   */
  #unitary(m: Matrix, controls: readonly number[], target: number): void {
    const isX = m.every((part, i) => Math.abs(part - X[i]!) < 1e-15);
    if (isX && controls.length <= 2) {
      this.#call(["x__body", "cnot__body", "ccx__body"][controls.length]!, [], [...controls, target]);
      return;
    }
    const last = controls.at(-1);
    const { theta, phi, lambda, gamma } = eulerAngles(m);
    if (last === undefined) {
      this.#turn("rz__body", lambda, target);
      this.#turn("ry__body", theta, target);
      this.#turn("rz__body", phi, target);
      return;
    }
    if (controls.length === 1) {
      this.#turn("rz__body", (lambda - phi) / 2, target);
      this.#call("cnot__body", [], [last, target]);
      this.#turn("rz__body", -(phi + lambda) / 2, target);
      this.#turn("ry__body", -theta / 2, target);
      this.#call("cnot__body", [], [last, target]);
      this.#turn("ry__body", theta / 2, target);
      this.#turn("rz__body", phi, target);
      this.#turn("rz__body", gamma + (phi + lambda) / 2, last);
      return;
    }
    const rest = controls.slice(0, -1);
    const root = power2(m, 0.5);
    this.#unitary(root, [last], target);
    this.#unitary(X, rest, last);
    this.#unitary(adjoint(root), [last], target);
    this.#unitary(X, rest, last);
    this.#unitary(root, rest, target);
  }

  #turn(name: string, angle: number, qubit: number): void {
    if (Math.abs(angle) > 1e-15) this.#call(name, [angle], [qubit]);
  }
}

const phase = (angle: number): Matrix => matrix2(1, 0, 0, 0, 0, 0, Math.cos(angle), Math.sin(angle));
