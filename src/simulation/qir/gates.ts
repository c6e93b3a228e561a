import { constant } from "../circuit/expression.ts";
import {
  compositeGate,
  type ElementaryGate,
  type Gate,
  type GateStep,
  type MatrixGate,
  parameters,
} from "../circuit/gate.ts";
import { eulerAngles, type Primitive } from "../circuit/primitives.ts";
import { QELIB1, STDGATES } from "../circuit/standard.ts";
import { FLOAT } from "../circuit/values/types.ts";
import { SimulationError } from "../errors.ts";
import { adjoint, type Matrix } from "../linear-algebra/matrix.ts";
import { matrix2, power2, X } from "../linear-algebra/one-qubit.ts";

const MAX_CONTROLS = 6;
const DIRECT: Readonly<Record<string, string>> = {
  ...{ h: "h__body", x: "x__body", y: "y__body", z: "z__body", s: "s__body", sdg: "s__adj", t: "t__body" },
  ...{ tdg: "t__adj", rx: "rx__body", ry: "ry__body", rz: "rz__body", cx: "cnot__body", CX: "cnot__body" },
  ...{ cz: "cz__body", swap: "swap__body", ccx: "ccx__body" },
};

/** Writes gates as calls of QIR's instruction set; those that it does not have are decomposed. */
export class QirGates {
  readonly #call: (name: string, params: readonly number[], qubits: readonly number[]) => void;

  constructor(call: (name: string, params: readonly number[], qubits: readonly number[]) => void) {
    this.#call = call;
  }

  /** Writes a gate of one step. */
  write({ gate, params, qubits }: Primitive): void {
    const name = STDGATES.includes(gate) ? DIRECT[gate.name] : undefined;
    if (name) {
      this.#call(name, params, qubits);
      return;
    }
    const negative = gate.controls.flatMap((polarity, i) => (polarity ? [] : [qubits[i]!]));
    for (const qubit of negative) this.#call("x__body", [], [qubit]);
    this.#controlled(gate, params, qubits);
    for (const qubit of negative) this.#call("x__body", [], [qubit]);
  }

  #controlled(gate: ElementaryGate, params: readonly number[], qubits: readonly number[]): void {
    const count = gate.controls.length;
    if (count > MAX_CONTROLS)
      throw new SimulationError(
        `A gate with more than ${MAX_CONTROLS} controls is not decomposed into QIR's gates.`,
      );
    if (gate.kind === "swap") {
      const [a, b] = qubits.slice(count) as [number, number];
      this.#call("cnot__body", [], [b, a]);
      this.#unitary(X, [...qubits.slice(0, count), a], b);
      this.#call("cnot__body", [], [b, a]);
      return;
    }
    if (gate.kind === "phase") {
      const angle = gate.scale * params[0]!;
      if (count > 0) this.#unitary(phase(angle), qubits.slice(0, count - 1), qubits[count - 1]!);
      return;
    }
    this.#unitary((gate as MatrixGate).matrix(params, 0), qubits.slice(0, count), qubits[count]!);
  }

  /** Writes a one-qubit unitary with controls, each of which it decomposes into roots with one fewer. */
  #unitary(m: Matrix, controls: readonly number[], target: number): void {
    const isX = m.every((part, i) => Math.abs(part - X[i]!) < 1e-15);
    if (isX && controls.length <= 2) {
      this.#call(["x__body", "cnot__body", "ccx__body"][controls.length]!, [], [...controls, target]);
      return;
    }
    const last = controls.at(-1);
    if (last === undefined) {
      const { theta, phi, lambda } = eulerAngles(m);
      this.#turn("rz__body", lambda, target);
      this.#turn("ry__body", theta, target);
      this.#turn("rz__body", phi, target);
      return;
    }
    if (controls.length === 1) {
      const { theta, phi, lambda, gamma } = eulerAngles(m);
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

const NAMES: Readonly<Record<string, string>> = {
  h: "h",
  x: "x",
  y: "y",
  z: "z",
  s: "s",
  s__adj: "sdg",
  t: "t",
  t__adj: "tdg",
  sx: "sx",
  rx: "rx",
  ry: "ry",
  rz: "rz",
  cnot: "cx",
  cx: "cx",
  cy: "cy",
  cz: "cz",
  swap: "swap",
  ccx: "ccx",
  toffoli: "ccx",
  rxx: "rxx",
  ryy: "ryy",
  rzz: "rzz",
};
/** A rotation by ZZ, between gates that turn another axis into Z on both qubits and back. */
function ising(name: string, into: GateStep[], back: GateStep[]): Gate {
  const [cx, rz] = [named("cx"), named("rz")];
  const twist: GateStep = { gate: cx, params: [], qubits: [0, 1] };
  const turn: GateStep = { gate: rz, params: parameters(1), qubits: [1] };
  return compositeGate(name, 1, 2, [...into, twist, turn, twist, ...back]);
}

const named = (name: string): Gate => STDGATES.find(gate => gate.name === name)!;
const both = (gate: Gate, ...angles: number[]): GateStep[] =>
  [0, 1].map(qubit => ({ gate, params: angles.map(angle => constant(FLOAT, angle)), qubits: [qubit] }));

const ISING: readonly Gate[] = [
  ising("rzz", [], []),
  ising("rxx", both(named("h")), both(named("h"))),
  ising("ryy", both(named("rx"), Math.PI / 2), both(named("rx"), -Math.PI / 2)),
];

/** Returns the gate of QIR's instruction set that a name such as `h__body` or `s__adj` stands for, or undefined. */
export function qirGate(name: string): Gate | undefined {
  const own = NAMES[name.replace(/__body$/, "")];
  return ISING.find(gate => gate.name === own) ?? [...STDGATES, ...QELIB1].find(gate => gate.name === own);
}
