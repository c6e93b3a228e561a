import { matrix2 } from "../linear-algebra/one-qubit.ts";
import type { Expression } from "./expression.ts";
import { compositeGate, type Gate, type GateStep, type MatrixGate, parameters } from "./gate.ts";
import { STDGATES } from "./standard.ts";
import { FLOAT } from "./values/types.ts";

const { cos, sin, PI } = Math;

/** The rotation by θ about the axis (cos φ, sin φ, 0). */
const equatorial = (theta: number, phi: number) => {
  const [c, s] = [cos(theta / 2), sin(theta / 2)];
  return matrix2(c, 0, -s * sin(phi), -s * cos(phi), s * sin(phi), -s * cos(phi), c, 0);
};

const oneQubit = (name: string, numParams: number, matrix: MatrixGate["matrix"]): Gate => ({
  ...{ kind: "matrix", name, symbol: name, numParams, numQubits: 1, controls: [], diagonal: false, matrix },
});

const step = (name: string, qubits: readonly number[], params: readonly Expression[] = []): GateStep => ({
  gate: STDGATES.find(gate => gate.name === name)!,
  params,
  qubits,
});

const negative = (operand: Expression): Expression => ({
  kind: "unary",
  operator: "-",
  type: FLOAT,
  operand,
});

const [first, second, third] = parameters(3) as [Expression, Expression, Expression];

/**
 * Gates of hardware that the libraries of OpenQASM lack, angles in radians: `prx(θ, φ)`, a rotation by θ about the
 * equatorial axis at φ; `gpi(φ)` and `gpi2(φ)`, the same by π and π/2; `ecr`, an echoed cross-resonance;
 * `zz(θ) = exp(-iθ/2 Z⊗Z)`; and `ms(φ0, φ1, θ)`, Mølmer and Sørensen's, with an equatorial axis for each qubit.
 */
export const NATIVE: readonly Gate[] = [
  oneQubit("prx", 2, (params, at) => equatorial(params[at]!, params[at + 1]!)),
  oneQubit("gpi", 1, (params, at) =>
    matrix2(0, 0, cos(params[at]!), -sin(params[at]!), cos(params[at]!), sin(params[at]!), 0, 0),
  ),
  oneQubit("gpi2", 1, (params, at) => equatorial(PI / 2, params[at]!)),
  compositeGate("ecr", 0, 2, [step("s", [0]), step("sx", [1]), step("cx", [0, 1]), step("x", [0])]),
  compositeGate("zz", 1, 2, [step("cx", [0, 1]), step("rz", [1], [first]), step("cx", [0, 1])]),
  compositeGate("ms", 3, 2, [
    step("rz", [0], [negative(first)]),
    step("rz", [1], [negative(second)]),
    ...["h 0", "h 1", "cx 0 1"].map(text => step(text.split(" ")[0]!, text.split(" ").slice(1).map(Number))),
    step("rz", [1], [third]),
    ...["cx 0 1", "h 0", "h 1"].map(text => step(text.split(" ")[0]!, text.split(" ").slice(1).map(Number))),
    step("rz", [0], [first]),
    step("rz", [1], [second]),
  ]),
];
