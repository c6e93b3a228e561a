import type { Matrix } from "../linear-algebra/matrix.ts";
import { I, isDiagonal, matrix2, rotationZ, X, Y, Z } from "../linear-algebra/one-qubit.ts";
import { constant, type Expression } from "./expression.ts";
import { compositeGate, type Gate, type MatrixGate, matrixGate, parameters } from "./gate.ts";
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
const rz: OfParams = (p, i) => rotationZ(p[i]!);
const phase: OfParams = (p, i) => matrix2(1, 0, 0, 0, 0, 0, cos(p[i]!), sin(p[i]!));
const u: OfParams = (p, i) => rotation(p[i]!, p[i + 1]!, p[i + 2]!, 0);

/** Facts about a gate beside its matrix. */
interface GateFacts {
  /** A description without a full stop, for readers of a program. */
  readonly about?: string;
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

function gate(name: string, about: string, m: Matrix | OfParams, shape: Shape = {}): Gate {
  const { symbol = name, controls = 0, params = 0, ...own } = shape;
  const matrix: OfParams = typeof m === "function" ? m : () => m;
  const made = matrixGate(name, matrix, {
    ...{ symbol, numParams: params, controls: new Array<boolean>(controls).fill(true) },
    diagonal: isDiagonal(matrix(GENERIC, 0)),
  });
  return withFacts(made, { ...own, about });
}

function swap(name: string, about: string, controls: number, own: GateFacts): Gate {
  const shape = { name, symbol: "swap", numParams: 0, numQubits: controls + 2, diagonal: false };
  return withFacts(
    { kind: "swap", ...shape, controls: new Array<boolean>(controls).fill(true) },
    { ...own, about },
  );
}

const SELF = { inverse: "self" };
const NEGATED = { inverse: "negated" };
const ANGLE = { ...NEGATED, params: 1 };
/** Controls of the gate with a symbol. */
const on = (symbol: string, controls = 1) => ({ symbol, controls });
const CX = { ...SELF, ...on("x"), controlled: "ccx", qir: "cnot", qirAliases: ["cx"] };

const common: readonly Gate[] = [
  gate("x", "Pauli X: flips 0 and 1", X, { ...SELF, controlled: "cx", qir: "x" }),
  gate("y", "Pauli Y", Y, { ...SELF, controlled: "cy", qir: "y" }),
  gate("z", "Pauli Z: changes the sign of 1", Z, { ...SELF, controlled: "cz", qir: "z" }),
  gate("h", "Hadamard: equal superposition of 0 and 1", H, { ...SELF, controlled: "ch", qir: "h" }),
  gate("s", "Phase of π/2, the square root of Z", S, { inverse: "sdg", qir: "s" }),
  gate("sdg", "Phase of -π/2, the inverse of S", SDG, { inverse: "s", qir: "s__adj" }),
  gate("t", "Phase of π/4, the square root of S", T, { inverse: "tdg", qir: "t" }),
  gate("tdg", "Phase of -π/4, the inverse of T", TDG, { inverse: "t", qir: "t__adj" }),
  gate("sx", "Square root of X", SX, { inverse: "sxdg", qirAliases: ["sx"] }),
  gate("id", "Identity: changes nothing", I, SELF),
  gate("p", "Phase of an angle on 1", phase, { ...ANGLE, controlled: "cp" }),
  gate("rx", "Rotation by an angle about the X axis", rx, { ...ANGLE, controlled: "crx", qir: "rx" }),
  gate("ry", "Rotation by an angle about the Y axis", ry, { ...ANGLE, controlled: "cry", qir: "ry" }),
  gate("rz", "Rotation by an angle about the Z axis", rz, { ...ANGLE, controlled: "crz", qir: "rz" }),
  gate("u1", "Phase of an angle on 1", phase, { ...ANGLE, controlled: "cp" }),
  gate("cx", "Controlled X (CNOT): flips the second qubit where the first is 1", X, CX),
  gate("cy", "Controlled Y", Y, { ...SELF, ...on("y"), qirAliases: ["cy"] }),
  gate("cz", "Controlled Z: changes the sign where both qubits are 1", Z, { ...SELF, ...on("z"), qir: "cz" }),
  gate("ch", "Controlled Hadamard", H, { ...SELF, ...on("h") }),
  gate("cp", "Controlled phase of an angle", phase, { ...ANGLE, ...on("p") }),
  gate("crx", "Controlled rotation about the X axis", rx, { ...ANGLE, ...on("rx") }),
  gate("cry", "Controlled rotation about the Y axis", ry, { ...ANGLE, ...on("ry") }),
  gate("crz", "Controlled rotation about the Z axis", rz, { ...ANGLE, ...on("rz") }),
  gate(
    "cu",
    "Controlled rotation of one qubit by three Euler angles, with a phase",
    (p, i) => rotation(p[i]!, p[i + 1]!, p[i + 2]!, p[i + 3]!),
    { ...on("u"), params: 4 },
  ),
  gate("ccx", "Toffoli: flips the third qubit where the first two are 1", X, {
    ...SELF,
    ...on("x", 2),
    qir: "ccx",
    qirAliases: ["toffoli"],
  }),
  swap("swap", "Exchanges two qubits", 0, { ...SELF, controlled: "cswap", qir: "swap" }),
  swap("cswap", "Fredkin: exchanges two qubits where the first is 1", 1, SELF),
];

const EULER = "Any rotation of one qubit, by three Euler angles";
const U3_DEFINITION = "gate NAME(theta, phi, lambda) q { U(theta, phi, lambda) q; gphase(-theta / 2); }";

const U3_MATRIX: OfParams = (p, i) => rotation(p[i]!, p[i + 1]!, p[i + 2]!, p[i]! / 2);

/** The built-in gate `U` of OpenQASM 3, whose matrix has the phase `e^{iθ/2}`. */
export const U3 = gate("U", `${EULER}; built into the language`, U3_MATRIX, { params: 3 });

/** The built-in gates `U` and `CX` of OpenQASM 2. */
export const QASM2_BUILT_IN: readonly Gate[] = [
  gate("U", `${EULER}; built into the language`, u, {
    params: 3,
    definition: U3_DEFINITION,
  }),
  gate("CX", "Controlled X (CNOT): flips the second qubit where the first is 1", X, CX),
];

export const GPHASE: Gate = withFacts(
  {
    ...{ kind: "phase", name: "gphase", symbol: "gphase", numParams: 1, numQubits: 0 },
    ...{ controls: [], diagonal: true, scale: 1 },
  },
  { ...NEGATED, controlled: "p", about: "Global phase of an angle; built into the language" },
);

/** Gates of `include "stdgates.inc"`. */
export const STDGATES: readonly Gate[] = [
  ...common,
  gate("phase", "Phase of an angle on 1", phase, { ...ANGLE, controlled: "cp" }),
  gate("CX", "Controlled X (CNOT): flips the second qubit where the first is 1", X, CX),
  gate("cphase", "Controlled phase of an angle", phase, { ...ANGLE, ...on("p") }),
  gate(
    "u2",
    "Rotation of one qubit by π/2, with two angles",
    (p, i) => rotation(PI / 2, p[i]!, p[i + 1]!, -(p[i]! + p[i + 1]!) / 2),
    { params: 2 },
  ),
  gate("u3", EULER, (p, i) => rotation(p[i]!, p[i + 1]!, p[i + 2]!, -(p[i + 1]! + p[i + 2]!) / 2), {
    params: 3,
  }),
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

const aboutZZ = "Rotation of two qubits about ZZ";

/** Gates of `qelib1.inc` that many tools have in `stdgates.inc` too. */
const shared: readonly Gate[] = [
  gate("sxdg", "Inverse of the square root of X", SXDG, { inverse: "sx" }),
  sequence("rxx", 1, 2, "h 0; h 1; cx 0 1; rz 1; cx 0 1; h 0; h 1", {
    ...{ ...NEGATED, qirAliases: ["rxx"], about: "Rotation of two qubits about XX" },
  }),
];

/** Gates of `include "qelib1.inc"`. Its rotation about ZZ has a phase. */
export const QELIB1: readonly Gate[] = [
  ...common,
  ...shared,
  sequence("rzz", 1, 2, "cx 0 1; p 1; cx 0 1", { ...NEGATED, about: aboutZZ }),
  gate(
    "u2",
    "Rotation of one qubit by π/2, with two angles",
    (p, i) => rotation(PI / 2, p[i]!, p[i + 1]!, 0),
    {
      params: 2,
      definition: "gate NAME(phi, lambda) q { U(pi / 2, phi, lambda) q; gphase(-pi / 4); }",
    },
  ),
  gate("u3", EULER, u, { params: 3, definition: U3_DEFINITION }),
  gate("u", EULER, u, { params: 3, definition: U3_DEFINITION }),
  gate("u0", "Waits for some lengths of a gate", I, {
    params: 1,
    definition: "gate NAME(gamma) q { id q; }",
  }),
  gate("cu1", "Controlled phase of an angle", phase, {
    ...{ ...on("p"), params: 1, definition: "gate NAME(lambda) a, b { cp(lambda) a, b; }" },
  }),
  gate("cu3", "Controlled rotation of one qubit by three Euler angles", u, {
    ...{ ...on("u"), params: 3 },
    definition: "gate NAME(theta, phi, lambda) a, b { ctrl @ U(theta, phi, lambda) a, b; p(-theta / 2) a; }",
  }),
  gate("csx", "Controlled square root of X", SX, on("sx")),
  gate("c3x", "Flips the fourth qubit where the first three are 1", X, on("x", 3)),
  gate("c4x", "Flips the fifth qubit where the first four are 1", X, on("x", 4)),
  gate("c3sqrtx", "Square root of X with three controls", SX, on("sx", 3)),
  sequence("rccx", 0, 3, "h 2; t 2; cx 1 2; tdg 2; cx 0 2; t 2; cx 1 2; tdg 2; h 2", {
    about: "Toffoli up to relative phases, of fewer gates",
  }),
  sequence(
    "rc3x",
    0,
    4,
    "h 3; t 3; cx 2 3; tdg 3; h 3; cx 0 3; t 3; cx 1 3; tdg 3; cx 0 3; t 3; cx 1 3; tdg 3; h 3; t 3; cx 2 3; tdg 3; h 3",
    { about: "X with three controls up to relative phases, of fewer gates" },
  ),
];

/** The rotation about ZZ of OpenQASM 3, `exp(-iθ/2 Z⊗Z)`. */
export const RZZ = sequence("rzz", 1, 2, "cx 0 1; rz 1; cx 0 1", {
  ...NEGATED,
  qirAliases: ["rzz"],
  about: aboutZZ,
});

/** Gates of OpenQASM 3 and of its `stdgates.inc`. */
export const QASM3_GATES: readonly Gate[] = [...STDGATES, RZZ, ...shared, U3, GPHASE];

const quarter = (sign: number): Expression => constant(FLOAT, (sign * PI) / 2);

const RYY = sequence("ryy", 1, 2, "rx 0; rx 1; cx 0 1; rz 1; cx 0 1; rx 0; rx 1", { qirAliases: ["ryy"] }, [
  ...[quarter(1), quarter(1), first, quarter(-1), quarter(-1)],
]);

/** Rotations of QIR about ZZ and YY. */
export const QIR_ROTATIONS: readonly Gate[] = [RZZ, RYY];

/** Well-known gates that the libraries of OpenQASM lack. */
export const OTHER_GATES: readonly Gate[] = [
  RYY,
  sequence("rzx", 1, 2, "h 1; cx 0 1; rz 1; cx 0 1; h 1"),
  sequence("iswap", 0, 2, "s 0; s 1; h 0; cx 0 1; cx 1 0; h 1"),
];

/**
 * Native gates of devices that the libraries of OpenQASM lack, with angles in radians: `zz(θ) = exp(-iθ/2 Z⊗Z)`, Mølmer and
 * Sørensen's `ms(φ0, φ1, θ)`, and others.
 */
export const NATIVE: readonly Gate[] = [
  gate("prx", "Rotation by θ about the equatorial axis at φ", (p, i) => equatorial(p[i]!, p[i + 1]!), {
    params: 2,
    definition: "gate prx(theta, phi) q { rz(-phi) q; rx(theta) q; rz(phi) q; }",
  }),
  gate(
    "gpi",
    "Rotation by π about the equatorial axis at φ",
    (p, i) => matrix2(0, 0, cos(p[i]!), -sin(p[i]!), cos(p[i]!), sin(p[i]!), 0, 0),
    {
      ...{ ...SELF, params: 1, definition: "gate gpi(phi) q { rz(-phi) q; x q; rz(phi) q; }" },
    },
  ),
  gate("gpi2", "Rotation by π/2 about the equatorial axis at φ", (p, i) => equatorial(PI / 2, p[i]!), {
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
