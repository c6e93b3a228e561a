/** A qubit by its number, or several. */
export type Qubits = number | readonly number[];

/** An angle in radians: a number, or an expression of inputs such as `"2 * theta + pi / 4"`. */
export type Angle = number | string;

/** Gates of a program. Those on one qubit take a list of qubits, too; angles are in radians. Each returns the builder. */
export interface GateMethods {
  /** Pauli X: exchanges 0 and 1. */
  x(qubits: Qubits): this;
  /** Pauli Y. */
  y(qubits: Qubits): this;
  /** Pauli Z: the phase −1 on 1. */
  z(qubits: Qubits): this;
  /** Hadamard: turns 0 into (0 + 1)/√2. */
  h(qubits: Qubits): this;
  /** The phase i on 1, the square root of Z. */
  s(qubits: Qubits): this;
  /** The inverse of S. */
  sdg(qubits: Qubits): this;
  /** The phase π/4 on 1. */
  t(qubits: Qubits): this;
  /** The inverse of T. */
  tdg(qubits: Qubits): this;
  /** The square root of X. */
  sx(qubits: Qubits): this;
  /** The inverse of the square root of X. */
  sxdg(qubits: Qubits): this;
  /** The identity, which takes time on a device. */
  id(qubits: Qubits): this;
  /** The phase `angle` on 1. */
  p(angle: Angle, qubits: Qubits): this;
  /** Rotation about the x axis: exp(−i angle X/2). */
  rx(angle: Angle, qubits: Qubits): this;
  /** Rotation about the y axis: exp(−i angle Y/2). */
  ry(angle: Angle, qubits: Qubits): this;
  /** Rotation about the z axis: exp(−i angle Z/2). */
  rz(angle: Angle, qubits: Qubits): this;
  /** Any gate on one qubit, by its Euler angles: Rz(phi) Ry(theta) Rz(lambda) with the phase (theta + phi + lambda)/2, as `U` of OpenQASM 3. */
  u(theta: Angle, phi: Angle, lambda: Angle, qubits: Qubits): this;
  /** The phase exp(i angle) on the whole state, which matters in `controlled` programs. */
  gphase(angle: Angle): this;
  /** CNOT: X on the target where the control is 1. */
  cx(control: number, target: number): this;
  /** Y on the target where the control is 1. */
  cy(control: number, target: number): this;
  /** The phase −1 where both qubits are 1. */
  cz(control: number, target: number): this;
  /** Hadamard on the target where the control is 1. */
  ch(control: number, target: number): this;
  /** The phase `angle` where both qubits are 1. */
  cp(angle: Angle, control: number, target: number): this;
  /** Rx on the target where the control is 1. */
  crx(angle: Angle, control: number, target: number): this;
  /** Ry on the target where the control is 1. */
  cry(angle: Angle, control: number, target: number): this;
  /** Rz on the target where the control is 1. */
  crz(angle: Angle, control: number, target: number): this;
  /** Where the control is 1, Rz(phi) Ry(theta) Rz(lambda) on the target, with the phase gamma + (phi + lambda)/2. */
  cu(theta: Angle, phi: Angle, lambda: Angle, gamma: Angle, control: number, target: number): this;
  /** S on the target where the control is 1: the phase i where both qubits are 1. */
  cs(control: number, target: number): this;
  /** The inverse of CS. */
  csdg(control: number, target: number): this;
  /** The square root of X on the target where the control is 1. */
  csx(control: number, target: number): this;
  /** Exchanges two qubits. */
  swap(a: number, b: number): this;
  /** Exchanges two qubits, with the phase i where they differ. */
  iswap(a: number, b: number): this;
  /** Exchanges two qubits where the control is 1 (Fredkin). */
  cswap(control: number, a: number, b: number): this;
  /** X on the target where both controls are 1 (Toffoli). */
  ccx(control: number, other: number, target: number): this;
  /** The phase −1 where all three qubits are 1. */
  ccz(control: number, other: number, target: number): this;
  /** Rotates two qubits about XX: exp(−i angle XX/2). */
  rxx(angle: Angle, a: number, b: number): this;
  /** Rotates two qubits about YY: exp(−i angle YY/2). */
  ryy(angle: Angle, a: number, b: number): this;
  /** Rotates two qubits about ZZ: exp(−i angle ZZ/2). */
  rzz(angle: Angle, a: number, b: number): this;
  /** Rotates two qubits about Z on `a` and X on `b`: exp(−i angle ZX/2). */
  rzx(angle: Angle, a: number, b: number): this;
  /** X on the target where all controls are 1. */
  mcx(controls: readonly number[], target: number): this;
  /** The phase −1 where the controls and the target are 1. */
  mcz(controls: readonly number[], target: number): this;
  /** The phase `angle` where the controls and the target are 1. */
  mcp(angle: Angle, controls: readonly number[], target: number): this;
}

/** A class with the gates as its methods. */
export const GateCalls = class {} as new () => GateMethods;

/** Gates with a control, or any number of them, and what they control. */
export const CONTROLLED: { readonly [name: string]: string } = {
  ...{ cs: "s", csdg: "sdg", csx: "sx", ccz: "cz", mcx: "x", mcz: "z", mcp: "p" },
};

/** Names that methods have elsewhere, and theirs here. */
export const OTHER_NAMES: readonly (readonly [other: string, name: string])[] = (
  "H h, X x, Y y, Z z, S s, T t, RX rx, RY ry, RZ rz, Rx rx, Ry ry, Rz rz, U u, u2 u, u3 u, u1 p, phase p, " +
  "i id, v sx, sdag sdg, tdag tdg, cnot cx, CX cx, cv csx, cu1 cp, cphase cp, cu3 cu, toffoli ccx, ccnot ccx, " +
  "c3x mcx, fredkin cswap, iSwap iswap, M measure, measure_all measureAll, append apply"
)
  .split(", ")
  .map(pair => pair.split(" ") as [string, string]);
