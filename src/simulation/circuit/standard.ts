import type { Matrix } from "../linear-algebra/matrix.ts";
import { I, matrix2, X, Y, Z } from "../linear-algebra/one-qubit.ts";
import type { Expression } from "./expression.ts";
import {
  type CompositeGate,
  compositeGate,
  type Gate,
  type GateStep,
  type MatrixGate,
  parameters,
} from "./gate.ts";
import { FLOAT } from "./values/types.ts";

const { cos, sin, SQRT1_2, PI } = Math;

/** The matrix `[[cos θ/2, -e^{iλ} sin θ/2], [e^{iφ} sin θ/2, e^{i(φ+λ)} cos θ/2]]`, times `e^{iγ}`. */
function rotation(theta: number, phi: number, lambda: number, gamma: number): Matrix {
  const c = cos(theta / 2);
  const s = sin(theta / 2);
  return matrix2(
    c * cos(gamma),
    c * sin(gamma),
    -s * cos(gamma + lambda),
    -s * sin(gamma + lambda),
    s * cos(gamma + phi),
    s * sin(gamma + phi),
    c * cos(gamma + phi + lambda),
    c * sin(gamma + phi + lambda),
  );
}

const phaseMatrix = (angle: number) => matrix2(1, 0, 0, 0, 0, 0, cos(angle), sin(angle));

type OfParams = (params: ArrayLike<number>, at: number) => Matrix;

const H = matrix2(SQRT1_2, 0, SQRT1_2, 0, SQRT1_2, 0, -SQRT1_2, 0);
const S = matrix2(1, 0, 0, 0, 0, 0, 0, 1);
const SDG = matrix2(1, 0, 0, 0, 0, 0, 0, -1);
const T = matrix2(1, 0, 0, 0, 0, 0, SQRT1_2, SQRT1_2);
const TDG = matrix2(1, 0, 0, 0, 0, 0, SQRT1_2, -SQRT1_2);
const SX = matrix2(0.5, 0.5, 0.5, -0.5, 0.5, -0.5, 0.5, 0.5);
const SXDG = matrix2(0.5, -0.5, 0.5, 0.5, 0.5, 0.5, 0.5, -0.5);

const rx: OfParams = (p, i) => rotation(p[i]!, -PI / 2, PI / 2, 0);
const ry: OfParams = (p, i) => rotation(p[i]!, 0, 0, 0);
const rz: OfParams = (p, i) =>
  matrix2(cos(p[i]! / 2), -sin(p[i]! / 2), 0, 0, 0, 0, cos(p[i]! / 2), sin(p[i]! / 2));
const phase: OfParams = (p, i) => phaseMatrix(p[i]!);
const u: OfParams = (p, i) => rotation(p[i]!, p[i + 1]!, p[i + 2]!, 0);

function gate(
  name: string,
  symbol: string,
  controls: number,
  numParams: number,
  m: Matrix | OfParams,
): MatrixGate {
  const of: OfParams = typeof m === "function" ? m : () => m;
  const diagonal = of === rz || of === phase || [Z, S, SDG, T, TDG, I].includes(m as Matrix);
  return {
    kind: "matrix",
    name,
    symbol,
    numParams,
    numQubits: controls + 1,
    controls: new Array(controls).fill(true),
    diagonal,
    matrix: of,
  };
}

const swap = (name: string, controls: number): Gate => ({
  kind: "swap",
  name,
  symbol: "swap",
  numParams: 0,
  numQubits: controls + 2,
  controls: new Array(controls).fill(true),
  diagonal: false,
});

const one = (name: string, numParams: number, m: Matrix | OfParams) => gate(name, name, 0, numParams, m);

const common: Gate[] = [
  one("x", 0, X),
  one("y", 0, Y),
  one("z", 0, Z),
  one("h", 0, H),
  one("s", 0, S),
  one("sdg", 0, SDG),
  one("t", 0, T),
  one("tdg", 0, TDG),
  one("sx", 0, SX),
  one("id", 0, I),
  one("p", 1, phase),
  one("rx", 1, rx),
  one("ry", 1, ry),
  one("rz", 1, rz),
  one("u1", 1, phase),
  gate("cx", "x", 1, 0, X),
  gate("cy", "y", 1, 0, Y),
  gate("cz", "z", 1, 0, Z),
  gate("ch", "h", 1, 0, H),
  gate("cp", "p", 1, 1, phase),
  gate("crx", "rx", 1, 1, rx),
  gate("cry", "ry", 1, 1, ry),
  gate("crz", "rz", 1, 1, rz),
  gate("cu", "u", 1, 4, (p, i) => rotation(p[i]!, p[i + 1]!, p[i + 2]!, p[i + 3]!)),
  gate("ccx", "x", 2, 0, X),
  swap("swap", 0),
  swap("cswap", 1),
];

/** The built-in gate `U` of OpenQASM 3, whose matrix has the phase `e^{iθ/2}`. */
export const U3: Gate = one("U", 3, (p, i) => rotation(p[i]!, p[i + 1]!, p[i + 2]!, p[i]! / 2));

/** The built-in gates `U` and `CX` of OpenQASM 2. */
export const QASM2_BUILT_IN: readonly Gate[] = [one("U", 3, u), gate("CX", "x", 1, 0, X)];

/** The built-in gate `gphase`. */
export const GPHASE: Gate = {
  kind: "phase",
  name: "gphase",
  symbol: "gphase",
  numParams: 1,
  numQubits: 0,
  controls: [],
  diagonal: true,
  scale: 1,
};

/** Gates of `include "stdgates.inc"`. */
export const STDGATES: readonly Gate[] = [
  ...common,
  one("phase", 1, phase),
  gate("CX", "x", 1, 0, X),
  gate("cphase", "p", 1, 1, phase),
  one("u2", 2, (p, i) => rotation(PI / 2, p[i]!, p[i + 1]!, -(p[i]! + p[i + 1]!) / 2)),
  one("u3", 3, (p, i) => rotation(p[i]!, p[i + 1]!, p[i + 2]!, -(p[i + 1]! + p[i + 2]!) / 2)),
];

/** The gates of one step that `include "qelib1.inc"` declares. */
const qelib1: readonly Gate[] = [
  ...common,
  one("u2", 2, (p, i) => rotation(PI / 2, p[i]!, p[i + 1]!, 0)),
  one("u3", 3, u),
  one("u", 3, u),
  one("u0", 1, I),
  one("sxdg", 0, SXDG),
  gate("cu1", "p", 1, 1, phase),
  gate("cu3", "u", 1, 3, u),
  gate("csx", "sx", 1, 0, SX),
  gate("c3x", "x", 3, 0, X),
  gate("c4x", "x", 4, 0, X),
  gate("c3sqrtx", "sx", 3, 0, SX),
];

/** Makes a gate of others by their names and qubits; those with a parameter take that of the gate. */
function sequence(name: string, numParams: number, numQubits: number, steps: string): CompositeGate {
  return compositeGate(
    name,
    numParams,
    numQubits,
    steps.split("; ").map(step => {
      const [gateName, ...qubits] = step.split(" ");
      const gate = common.find(one => one.name === gateName)!;
      return { gate, params: parameters(gate.numParams), qubits: qubits.map(Number) };
    }),
  );
}

/** Gates of `include "qelib1.inc"`. */
export const QELIB1: readonly Gate[] = [
  ...qelib1,
  sequence("rzz", 1, 2, "cx 0 1; p 1; cx 0 1"),
  sequence("rxx", 1, 2, "h 0; h 1; cx 0 1; rz 1; cx 0 1; h 0; h 1"),
  sequence("rccx", 0, 3, "h 2; t 2; cx 1 2; tdg 2; cx 0 2; t 2; cx 1 2; tdg 2; h 2"),
  sequence(
    "rc3x",
    0,
    4,
    "h 3; t 3; cx 2 3; tdg 3; h 3; cx 0 3; t 3; cx 1 3; tdg 3; cx 0 3; t 3; cx 1 3; tdg 3; h 3; t 3; cx 2 3; tdg 3; h 3",
  ),
];

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
