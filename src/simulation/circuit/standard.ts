import type { Matrix } from "../linear-algebra/matrix.ts";
import { I, isDiagonal, matrix2, X, Y, Z } from "../linear-algebra/one-qubit.ts";
import { constant, type Expression } from "./expression.ts";
import { compositeGate, type Gate, type MatrixGate, parameters } from "./gate.ts";
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

/** The rotation by θ about the axis (cos φ, sin φ, 0). */
function equatorial(theta: number, phi: number): Matrix {
  const [c, s] = [cos(theta / 2), sin(theta / 2)];
  return matrix2(c, 0, -s * sin(phi), -s * cos(phi), s * sin(phi), -s * cos(phi), c, 0);
}

const H = matrix2(SQRT1_2, 0, SQRT1_2, 0, SQRT1_2, 0, -SQRT1_2, 0);
const S = matrix2(1, 0, 0, 0, 0, 0, 0, 1);
const SDG = matrix2(1, 0, 0, 0, 0, 0, 0, -1);
const T = matrix2(1, 0, 0, 0, 0, 0, SQRT1_2, SQRT1_2);
const TDG = matrix2(1, 0, 0, 0, 0, 0, SQRT1_2, -SQRT1_2);
const SX = matrix2(0.5, 0.5, 0.5, -0.5, 0.5, -0.5, 0.5, 0.5);
const SXDG = matrix2(0.5, -0.5, 0.5, 0.5, 0.5, 0.5, 0.5, -0.5);

type OfParams = MatrixGate["matrix"];
const rx: OfParams = (p, i) => rotation(p[i]!, -PI / 2, PI / 2, 0);
const ry: OfParams = (p, i) => rotation(p[i]!, 0, 0, 0);
const rz: OfParams = (p, i) =>
  matrix2(cos(p[i]! / 2), -sin(p[i]! / 2), 0, 0, 0, 0, cos(p[i]! / 2), sin(p[i]! / 2));
const phase: OfParams = (p, i) => matrix2(1, 0, 0, 0, 0, 0, cos(p[i]!), sin(p[i]!));
const u: OfParams = (p, i) => rotation(p[i]!, p[i + 1]!, p[i + 2]!, 0);

/** Facts about a gate, beside what it does. */
interface GateFacts {
  /** Its inverse: itself, itself with negated angles, or the name of another gate. */
  readonly inverse?: string;
  /** The name of the gate with one more control. */
  readonly controlled?: string;
  /** Its name in QIR's instruction set, without `__body`. */
  readonly qir?: string;
  /** Other names by which QIR programs call it. */
  readonly qirAliases?: readonly string[];
  /** Its definition in OpenQASM 3, if `stdgates.inc` lacks it or has it with another phase; `NAME` stands for its name. */
  readonly definition?: string;
}

const facts = new Map<Gate, GateFacts>();
const NO_FACTS: GateFacts = {};

export const factsOf = (gate: Gate): GateFacts => facts.get(gate) ?? NO_FACTS;

function withFacts<T extends Gate>(gate: T, own: GateFacts): T {
  facts.set(gate, own);
  return gate;
}

interface Shape extends GateFacts {
  /** The name without controls. Default: the name. */
  readonly symbol?: string;
  readonly controls?: number;
  readonly params?: number;
}

/** Parameters at which only a gate that is diagonal for all of them is diagonal. */
const GENERIC = [0.3, 0.5, 0.7, 0.9];

function gate(name: string, m: Matrix | OfParams, shape: Shape = {}): Gate {
  const { symbol = name, controls = 0, params = 0, ...own } = shape;
  const matrix: OfParams = typeof m === "function" ? m : () => m;
  const made: Gate = {
    ...{ kind: "matrix", name, symbol, numParams: params, numQubits: controls + 1, matrix },
    ...{ controls: new Array<boolean>(controls).fill(true), diagonal: isDiagonal(matrix(GENERIC, 0)) },
  };
  return withFacts(made, own);
}

function swap(name: string, controls: number, own: GateFacts): Gate {
  const shape = { name, symbol: "swap", numParams: 0, numQubits: controls + 2, diagonal: false };
  return withFacts({ kind: "swap", ...shape, controls: new Array<boolean>(controls).fill(true) }, own);
}

const SELF = { inverse: "self" };
const NEGATED = { inverse: "negated" };
const ANGLE = { ...NEGATED, params: 1 };
const CX = { ...SELF, symbol: "x", controls: 1, controlled: "ccx", qir: "cnot", qirAliases: ["cx"] };

const common: readonly Gate[] = [
  gate("x", X, { ...SELF, controlled: "cx", qir: "x" }),
  gate("y", Y, { ...SELF, controlled: "cy", qir: "y" }),
  gate("z", Z, { ...SELF, controlled: "cz", qir: "z" }),
  gate("h", H, { ...SELF, controlled: "ch", qir: "h" }),
  gate("s", S, { inverse: "sdg", qir: "s" }),
  gate("sdg", SDG, { inverse: "s", qir: "s__adj" }),
  gate("t", T, { inverse: "tdg", qir: "t" }),
  gate("tdg", TDG, { inverse: "t", qir: "t__adj" }),
  gate("sx", SX, { inverse: "sxdg", qirAliases: ["sx"] }),
  gate("id", I, SELF),
  gate("p", phase, { ...ANGLE, controlled: "cp" }),
  gate("rx", rx, { ...ANGLE, controlled: "crx", qir: "rx" }),
  gate("ry", ry, { ...ANGLE, controlled: "cry", qir: "ry" }),
  gate("rz", rz, { ...ANGLE, controlled: "crz", qir: "rz" }),
  gate("u1", phase, { ...ANGLE, controlled: "cp" }),
  gate("cx", X, CX),
  gate("cy", Y, { ...SELF, symbol: "y", controls: 1, qirAliases: ["cy"] }),
  gate("cz", Z, { ...SELF, symbol: "z", controls: 1, qir: "cz" }),
  gate("ch", H, { ...SELF, symbol: "h", controls: 1 }),
  gate("cp", phase, { ...ANGLE, symbol: "p", controls: 1 }),
  gate("crx", rx, { ...ANGLE, symbol: "rx", controls: 1 }),
  gate("cry", ry, { ...ANGLE, symbol: "ry", controls: 1 }),
  gate("crz", rz, { ...ANGLE, symbol: "rz", controls: 1 }),
  gate("cu", (p, i) => rotation(p[i]!, p[i + 1]!, p[i + 2]!, p[i + 3]!), {
    ...{ symbol: "u", controls: 1, params: 4 },
  }),
  gate("ccx", X, { ...SELF, symbol: "x", controls: 2, qir: "ccx", qirAliases: ["toffoli"] }),
  swap("swap", 0, { ...SELF, controlled: "cswap", qir: "swap" }),
  swap("cswap", 1, SELF),
];

const U3_DEFINITION = "gate NAME(theta, phi, lambda) q { U(theta, phi, lambda) q; gphase(-theta / 2); }";

/** The built-in gate `U` of OpenQASM 3, whose matrix has the phase `e^{iθ/2}`. */
export const U3 = gate("U", (p, i) => rotation(p[i]!, p[i + 1]!, p[i + 2]!, p[i]! / 2), { params: 3 });

/** The built-in gates `U` and `CX` of OpenQASM 2. */
export const QASM2_BUILT_IN: readonly Gate[] = [
  gate("U", u, { params: 3, definition: U3_DEFINITION }),
  gate("CX", X, CX),
];

export const GPHASE: Gate = withFacts(
  {
    ...{ kind: "phase", name: "gphase", symbol: "gphase", numParams: 1, numQubits: 0 },
    ...{ controls: [], diagonal: true, scale: 1 },
  },
  { ...NEGATED, controlled: "p" },
);

/** Gates of `include "stdgates.inc"`. */
export const STDGATES: readonly Gate[] = [
  ...common,
  gate("phase", phase, { ...ANGLE, controlled: "cp" }),
  gate("CX", X, CX),
  gate("cphase", phase, { ...ANGLE, symbol: "p", controls: 1 }),
  gate("u2", (p, i) => rotation(PI / 2, p[i]!, p[i + 1]!, -(p[i]! + p[i + 1]!) / 2), { params: 2 }),
  gate("u3", (p, i) => rotation(p[i]!, p[i + 1]!, p[i + 2]!, -(p[i + 1]! + p[i + 2]!) / 2), { params: 3 }),
];

const standard = new Map(STDGATES.map(one => [one.name, one]));

/** Returns a gate of `stdgates.inc`, which has to have it. */
export const standardGate = (name: string): Gate => standard.get(name)!;

const [first, second, third] = parameters(3) as [Expression, Expression, Expression];
const negative = (operand: Expression): Expression => ({
  ...{ kind: "unary", operator: "-", type: FLOAT, operand },
});

/**
 * Makes a gate of standard ones by their names and qubits, such as `rz 1`. Each angle of a step is the next one of
 * `angles`, by default the first parameter.
 */
function sequence(
  name: string,
  numParams: number,
  numQubits: number,
  steps: string,
  own: GateFacts = {},
  angles: readonly Expression[] = [],
): Gate {
  const rest = [...angles];
  const made = steps.split("; ").map(step => {
    const [gateName, ...qubits] = step.split(" ");
    const gate = standardGate(gateName!);
    return { gate, params: gate.numParams > 0 ? [rest.shift() ?? first] : [], qubits: qubits.map(Number) };
  });
  return withFacts(compositeGate(name, numParams, numQubits, made), own);
}

/** Gates of `include "qelib1.inc"`. */
export const QELIB1: readonly Gate[] = [
  ...common,
  gate("u2", (p, i) => rotation(PI / 2, p[i]!, p[i + 1]!, 0), {
    params: 2,
    definition: "gate NAME(phi, lambda) q { U(pi / 2, phi, lambda) q; gphase(-pi / 4); }",
  }),
  gate("u3", u, { params: 3, definition: U3_DEFINITION }),
  gate("u", u, { params: 3, definition: U3_DEFINITION }),
  gate("u0", I, { params: 1, definition: "gate NAME(gamma) q { id q; }" }),
  gate("sxdg", SXDG, { inverse: "sx" }),
  gate("cu1", phase, {
    ...{ symbol: "p", controls: 1, params: 1, definition: "gate NAME(lambda) a, b { cp(lambda) a, b; }" },
  }),
  gate("cu3", u, {
    ...{ symbol: "u", controls: 1, params: 3 },
    definition: "gate NAME(theta, phi, lambda) a, b { ctrl @ U(theta, phi, lambda) a, b; p(-theta / 2) a; }",
  }),
  gate("csx", SX, { symbol: "sx", controls: 1 }),
  gate("c3x", X, { symbol: "x", controls: 3 }),
  gate("c4x", X, { symbol: "x", controls: 4 }),
  gate("c3sqrtx", SX, { symbol: "sx", controls: 3 }),
  sequence("rzz", 1, 2, "cx 0 1; p 1; cx 0 1", NEGATED),
  sequence("rxx", 1, 2, "h 0; h 1; cx 0 1; rz 1; cx 0 1; h 0; h 1", { ...NEGATED, qirAliases: ["rxx"] }),
  sequence("rccx", 0, 3, "h 2; t 2; cx 1 2; tdg 2; cx 0 2; t 2; cx 1 2; tdg 2; h 2"),
  sequence(
    "rc3x",
    0,
    4,
    "h 3; t 3; cx 2 3; tdg 3; h 3; cx 0 3; t 3; cx 1 3; tdg 3; cx 0 3; t 3; cx 1 3; tdg 3; h 3; t 3; cx 2 3; tdg 3; h 3",
  ),
];

/** Gates of OpenQASM 3 and of its `stdgates.inc`, with those of `qelib1.inc` that other tools have in it. */
export const QASM3_GATES: readonly Gate[] = [
  ...STDGATES,
  ...QELIB1.filter(({ name }) => ["rxx", "rzz", "sxdg"].includes(name)),
  ...[U3, GPHASE],
];

const quarter = (sign: number): Expression => constant(FLOAT, (sign * PI) / 2);

/** Rotations of QIR by YY, and by ZZ without the phase of the one in `qelib1.inc`. */
export const QIR_ROTATIONS: readonly Gate[] = [
  sequence("rzz", 1, 2, "cx 0 1; rz 1; cx 0 1", { qirAliases: ["rzz"] }),
  sequence("ryy", 1, 2, "rx 0; rx 1; cx 0 1; rz 1; cx 0 1; rx 0; rx 1", { qirAliases: ["ryy"] }, [
    ...[quarter(1), quarter(1), first, quarter(-1), quarter(-1)],
  ]),
];

/**
 * Gates of hardware that the libraries of OpenQASM lack, angles in radians: `prx(θ, φ)`, a rotation by θ about the
 * equatorial axis at φ; `gpi(φ)` and `gpi2(φ)`, the same by π and π/2; `ecr`, an echoed cross-resonance;
 * `zz(θ) = exp(-iθ/2 Z⊗Z)`; and `ms(φ0, φ1, θ)`, Mølmer and Sørensen's, with an equatorial axis for each qubit.
 */
export const NATIVE: readonly Gate[] = [
  gate("prx", (p, i) => equatorial(p[i]!, p[i + 1]!), {
    params: 2,
    definition: "gate prx(theta, phi) q { rz(-phi) q; rx(theta) q; rz(phi) q; }",
  }),
  gate("gpi", (p, i) => matrix2(0, 0, cos(p[i]!), -sin(p[i]!), cos(p[i]!), sin(p[i]!), 0, 0), {
    ...{ ...SELF, params: 1, definition: "gate gpi(phi) q { rz(-phi) q; x q; rz(phi) q; }" },
  }),
  gate("gpi2", (p, i) => equatorial(PI / 2, p[i]!), {
    ...{ params: 1, definition: "gate gpi2(phi) q { rz(-phi) q; rx(pi / 2) q; rz(phi) q; }" },
  }),
  sequence("ecr", 0, 2, "s 0; sx 1; cx 0 1; x 0", {
    ...{ ...SELF, definition: "gate ecr a, b { s a; sx b; cx a, b; x a; }" },
  }),
  sequence("zz", 1, 2, "cx 0 1; rz 1; cx 0 1", {
    ...{ ...NEGATED, definition: "gate zz(theta) a, b { cx a, b; rz(theta) b; cx a, b; }" },
  }),
  sequence(
    "ms",
    3,
    2,
    "rz 0; rz 1; h 0; h 1; cx 0 1; rz 1; cx 0 1; h 0; h 1; rz 0; rz 1",
    {
      definition:
        "gate ms(phi0, phi1, theta) a, b { rz(-phi0) a; rz(-phi1) b; h a; h b; cx a, b; rz(theta) b; cx a, b; h a; h b; rz(phi0) a; rz(phi1) b; }",
    },
    [negative(first), negative(second), third, first, second],
  ),
];
