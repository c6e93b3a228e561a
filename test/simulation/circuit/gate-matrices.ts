import {
  adjoint,
  apply,
  controlled,
  H,
  identity,
  kron,
  type Matrix,
  multiply,
  phase,
  rotation,
  SWAP,
  SX,
  scaled,
  turn,
  u,
  X,
  Y,
  Z,
} from "../reference.ts";

const [a, b, c, d] = [0.7, -1.3, 2.1, 0.4];
const su2 = (theta: number, phi: number, lambda: number) =>
  scaled(u(theta, phi, lambda), turn(-(phi + lambda) / 2));
const S = phase(Math.PI / 2);
const T = phase(Math.PI / 4);
const ON_3 = (m: Matrix) => controlled(controlled(controlled(m)));

const common: Record<string, Matrix> = {
  x: X,
  y: Y,
  z: Z,
  h: H,
  s: S,
  sdg: adjoint(S),
  t: T,
  tdg: adjoint(T),
  sx: SX,
  id: identity(2),
  [`p(${a})`]: phase(a),
  [`rx(${a})`]: rotation(X, a),
  [`ry(${a})`]: rotation(Y, a),
  [`rz(${a})`]: rotation(Z, a),
  [`u1(${a})`]: phase(a),
  cx: controlled(X),
  cy: controlled(Y),
  cz: controlled(Z),
  ch: controlled(H),
  swap: SWAP,
  [`cp(${a})`]: controlled(phase(a)),
  [`crx(${a})`]: controlled(rotation(X, a)),
  [`cry(${a})`]: controlled(rotation(Y, a)),
  [`crz(${a})`]: controlled(rotation(Z, a)),
  [`cu(${a}, ${b}, ${c}, ${d})`]: controlled(scaled(u(a, b, c), turn(d))),
  ccx: controlled(controlled(X)),
  cswap: controlled(SWAP),
};

export const stdgates: Record<string, Matrix> = {
  ...common,
  [`phase(${a})`]: phase(a),
  [`cphase(${a})`]: controlled(phase(a)),
  [`u2(${a}, ${b})`]: su2(Math.PI / 2, a, b),
  [`u3(${a}, ${b}, ${c})`]: su2(a, b, c),
  CX: controlled(X),
  [`U(${a}, ${b}, ${c})`]: scaled(u(a, b, c), turn(a / 2)),
};

const steps = (numQubits: number, list: [Matrix, ...number[]][]): Matrix => {
  const columns = identity(2 ** numQubits).map(basis =>
    list.reduce(
      (state, [m, ...qubits]) =>
        apply(
          state,
          m,
          qubits.map(qubit => numQubits - 1 - qubit),
        ),
      [...basis],
    ),
  );
  return columns.map((_, i) => columns.map(column => column[i]!));
};
const Tdg = adjoint(T);
const CX = controlled(X);

export const qelib1: Record<string, Matrix> = {
  ...common,
  CX,
  [`U(${a}, ${b}, ${c})`]: u(a, b, c),
  [`u2(${a}, ${b})`]: u(Math.PI / 2, a, b),
  [`u3(${a}, ${b}, ${c})`]: u(a, b, c),
  [`u(${a}, ${b}, ${c})`]: u(a, b, c),
  "u0(1)": identity(2),
  sxdg: adjoint(SX),
  [`cu1(${a})`]: controlled(phase(a)),
  [`cu3(${a}, ${b}, ${c})`]: controlled(u(a, b, c)),
  csx: controlled(SX),
  [`rxx(${a})`]: rotation(kron(X, X), a),
  [`rzz(${a})`]: rotation(kron(Z, Z), a),
  c3x: ON_3(X),
  c3sqrtx: ON_3(SX),
  c4x: controlled(ON_3(X)),
  rccx: steps(3, [
    [H, 2],
    [T, 2],
    [CX, 1, 2],
    [Tdg, 2],
    [CX, 0, 2],
    [T, 2],
    [CX, 1, 2],
    [Tdg, 2],
    [H, 2],
  ]),
  rc3x: steps(4, [
    ...([
      [H, 3],
      [T, 3],
      [CX, 2, 3],
      [Tdg, 3],
      [H, 3],
      [CX, 0, 3],
      [T, 3],
      [CX, 1, 3],
      [Tdg, 3],
    ] as [Matrix, ...number[]][]),
    ...([
      [CX, 0, 3],
      [T, 3],
      [CX, 1, 3],
      [Tdg, 3],
      [H, 3],
      [T, 3],
      [CX, 2, 3],
      [Tdg, 3],
      [H, 3],
    ] as [Matrix, ...number[]][]),
  ]),
};

export const modified: Record<string, Matrix> = {
  "ctrl @ h": controlled(H),
  "negctrl @ x": controlled(X, 0),
  "ctrl(2) @ y": controlled(controlled(Y)),
  "negctrl @ ctrl @ sx": controlled(controlled(SX), 0),
  [`ctrl @ U(${a}, ${b}, ${c})`]: controlled(scaled(u(a, b, c), turn(a / 2))),
  [`ctrl @ gphase(${a})`]: phase(a),
  [`negctrl @ gphase(${a})`]: scaled(phase(-a), turn(a)),
  [`ctrl(2) @ gphase(${a})`]: controlled(phase(a)),
  "inv @ sx": adjoint(SX),
  [`inv @ U(${a}, ${b}, ${c})`]: adjoint(scaled(u(a, b, c), turn(a / 2))),
  [`inv @ ctrl @ rx(${a})`]: controlled(rotation(X, -a)),
  "pow(1/2) @ x": SX,
  "pow(0.5) @ z": S,
  "pow(-1/4) @ z": adjoint(T),
  [`pow(0.3) @ ry(${a})`]: rotation(Y, 0.3 * a),
  "pow(3) @ sx": multiply(X, SX),
  "pow(-2) @ s": Z,
  "pow(2) @ swap": identity(4),
  "inv @ pow(1/2) @ ctrl @ x": controlled(adjoint(SX)),
  "pow(1/2) @ pow(2) @ h": identity(2),
  "ctrl @ swap": controlled(SWAP),
  "ctrl @ foo(0.9)": controlled(multiply(rotation(Z, -0.9), multiply(H, rotation(X, 0.9)))),
  "inv @ foo(0.9)": adjoint(multiply(rotation(Z, -0.9), multiply(H, rotation(X, 0.9)))),
  "pow(3) @ inv @ bar": steps(
    2,
    Array.from(
      { length: 3 },
      () =>
        [
          [CX, 0, 1],
          [adjoint(T), 1],
          [H, 0],
        ] as [Matrix, ...number[]][],
    ).flat(),
  ),
  "ctrl @ inv @ bar": controlled(
    steps(2, [
      [CX, 0, 1],
      [adjoint(T), 1],
      [H, 0],
    ]),
  ),
};
export const DEFINITIONS =
  "gate foo(t) q { rx(t) q; h q; rz(-t) q; }\ngate bar a, b { h a; t b; cx a, b; }\n";
