import { eulerAngles } from "../circuit/primitives.ts";
import { distanceUpToPhase, exchangeQubits, type Matrix, multiply } from "../linear-algebra/matrix.ts";
import { principal, rotationZ } from "../linear-algebra/one-qubit.ts";
import { memoized } from "../memoized.ts";
import { matrixOf } from "./gate-operations.ts";
import type { Operation, SourceLocation, TwoQubitOperation } from "./operation.ts";
import { nativeGate, ONE_QUBIT_GATES, type OneQubitBasis, type Target } from "./target.ts";
import { hasFreeAngle, synthesize } from "./two-qubit-synthesis.ts";
import { weylOf } from "./weyl.ts";

/** Qubits of a native two-qubit gate on which a rotation about Z can pass it. */
const Z_PASSES: Readonly<Record<string, readonly boolean[]>> = {
  cx: [true, false],
  cz: [true, true],
  zz: [true, true],
  rzz: [true, true],
  ecr: [false, false],
  ms: [true, true],
};

/**
 * Returns operations on coupled physical qubits as native gates, in the directions that the device has. Rotations about Z
 * wait until something does not commute with them: on most devices they cost nothing, and a measurement ends them.
 * `joins`: whether consecutive one-qubit gates are joined; else each gate of the program is translated separately.
 */
export function translate(operations: readonly Operation[], target: Target, joins: boolean): Operation[] {
  const pending: (Matrix | undefined)[] = [];
  const out: Operation[] = [];
  for (const operation of operations) addOperation(operation);
  pending.forEach((_, qubit) => {
    flush(qubit);
  });
  return out;

  function addOperation(operation: Operation): void {
    switch (operation.kind) {
      case "one-qubit":
        addOneQubit(operation);
        return;
      case "two-qubit":
        addTwoQubit(operation);
        return;
      case "measure":
      case "reset": {
        const [qubit] = operation.qubits;
        flush(qubit, operation, true);
        pending[qubit] = undefined;
        out.push(operation);
        return;
      }
      case "rotation":
      case "barrier":
        for (const qubit of operation.qubits) flush(qubit, operation, true);
        out.push(operation);
        return;
      case "statement": {
        for (const qubit of operation.qubits) flush(qubit, operation);
        const bodies = operation.bodies.map(body => translate(body, target, joins));
        out.push({ ...operation, bodies });
        return;
      }
      case "native":
        for (const qubit of operation.qubits) flush(qubit, operation);
        out.push(operation);
    }
  }

  function addOneQubit(operation: Operation & { kind: "one-qubit" }): void {
    const [qubit] = operation.qubits;
    if (joins) {
      append(qubit, operation.matrix);
      return;
    }
    const { gate } = operation;
    // A rotation about Z that waits can pass a gate about another axis, where writing it out would take pulses.
    const isFree = !pending[qubit] || target.basis.oneQubit === "zsx";
    if (gate && isFree && ONE_QUBIT_GATES[target.basis.oneQubit].includes(gate.name)) {
      flush(qubit, operation);
      out.push({ ...locationOf(operation), kind: "native", ...gate, qubits: [qubit] });
      return;
    }
    flush(qubit, operation, true);
    append(qubit, operation.matrix);
    flush(qubit, operation, true);
  }

  function append(qubit: number, matrix: Matrix): void {
    const before = pending[qubit];
    pending[qubit] = before ? multiply(matrix, before) : matrix;
  }

  function addTwoQubit(operation: TwoQubitOperation): void {
    const { basis } = target;
    const [a, b] = operation.qubits;
    const coupling = target.couplingOf(a, b)!;
    const isExchanged = !coupling.isSymmetric && coupling.qubits[0] !== a;
    const qubits = isExchanged ? ([b, a] as const) : operation.qubits;
    const matrix = isExchanged ? exchangedOf(operation.matrix) : operation.matrix;
    if (!hasFreeAngle(basis.twoQubit)) {
      const native = matrixOf(nativeGate(basis.twoQubit), []);
      if (distanceUpToPhase(matrix, native) < 4e-15) {
        addNative([], qubits, operation);
        return;
      }
    }
    const { locals, uses } = synthesize(weylOf(matrix), basis.twoQubit);
    locals.forEach((pair, i) => {
      qubits.forEach((qubit, place) => {
        append(qubit, pair[place]!);
      });
      const use = uses[i];
      if (use) addNative(use, qubits, operation);
    });
  }

  function addNative(params: readonly number[], qubits: readonly number[], place: SourceLocation): void {
    const { twoQubit } = target.basis;
    const passes = Z_PASSES[twoQubit]!;
    const given = params.map(tidy);
    qubits.forEach((qubit, i) => {
      flush(qubit, place, passes[i]);
      const left = pending[qubit];
      if (twoQubit === "ms" && left) given[i] = tidy(given[i]! - pulsesOf(left, target.basis.oneQubit).angle);
    });
    out.push({ ...locationOf(place), kind: "native", name: twoQubit, params: given, qubits });
  }

  /** Writes out what waits on a qubit; where `keepsRotation` is true, a rotation about Z at its end is kept back. */
  function flush(qubit: number, place: SourceLocation = {}, keepsRotation = false): void {
    const matrix = pending[qubit];
    if (!matrix) return;
    const { oneQubit } = target.basis;
    const { pulses, angle } = pulsesOf(matrix, oneQubit);
    pending[qubit] = keepsRotation && angle !== 0 ? rotationZ(angle) : undefined;
    const all: readonly Pulse[] = keepsRotation ? pulses : exactPulsesOf(matrix, oneQubit);
    for (const { name, params } of all)
      out.push({ ...locationOf(place), kind: "native", name, params, qubits: [qubit] });
  }
}

const locationOf = ({ at, end }: SourceLocation): SourceLocation => (at === undefined ? {} : { at, end });

/** Returns the matrix with its qubits exchanged, made once. */
const exchangedOf = memoized(exchangeQubits);

/** A native one-qubit gate. */
interface Pulse {
  readonly name: string;
  readonly params: readonly number[];
}

/** A one-qubit unitary as pulses followed by a rotation about Z, but for a phase. */
interface Pulses {
  readonly pulses: readonly Pulse[];
  readonly angle: number;
}

const { PI } = Math;
const TOLERANCE = 1e-10;

/** Returns the fewest pulses for a one-qubit unitary, and the rotation about Z that is left after them. */
export function pulsesOf(matrix: Matrix, basis: OneQubitBasis): Pulses {
  const { theta, phi, lambda } = eulerAngles(matrix);
  if (Math.abs(theta) < TOLERANCE) return { pulses: [], angle: tidy(phi + lambda) };
  const isHalf = Math.abs(theta - PI / 2) < TOLERANCE;
  const isWhole = Math.abs(theta - PI) < TOLERANCE;
  if (basis === "zsx") {
    if (isWhole) return { pulses: [pulse("x")], angle: tidy(phi - lambda + PI) };
    if (isHalf) return { pulses: [...rz(lambda - PI / 2), pulse("sx")], angle: tidy(phi + PI / 2) };
    return {
      pulses: [...rz(lambda), pulse("sx"), ...rz(theta + PI), pulse("sx")],
      angle: tidy(phi + PI),
    };
  }
  const axis = tidy(PI / 2 - lambda);
  const angle = tidy(phi + lambda);
  if (basis === "prx") return { pulses: [pulse("prx", tidy(theta), axis)], angle };
  if (isWhole) return { pulses: [pulse("gpi", axis)], angle };
  if (isHalf) return { pulses: [pulse("gpi2", axis)], angle };
  return {
    pulses: [pulse("gpi2", tidy(-lambda)), pulse("gpi2", tidy(-(lambda + theta + PI)))],
    angle: tidy(phi + theta + lambda + 2 * PI),
  };
}

/** Returns pulses whose product is a one-qubit unitary, but for a phase. */
export function exactPulsesOf(matrix: Matrix, basis: OneQubitBasis): readonly Pulse[] {
  const { pulses, angle } = pulsesOf(matrix, basis);
  if (angle === 0) return pulses;
  if (basis === "zsx") return [...pulses, ...rz(angle)];
  const { theta, phi, lambda } = eulerAngles(matrix);
  if (basis === "prx") {
    if (pulses.length === 0) return [pulse("prx", PI, 0), pulse("prx", PI, tidy(angle / 2))];
    if (Math.abs(theta - PI) < TOLERANCE) return [pulse("prx", PI, tidy(PI / 2 - lambda + angle / 2))];
    return twoRotations(matrix);
  }
  if (pulses.length === 0) return [pulse("gpi", 0), pulse("gpi", tidy(angle / 2))];
  if (Math.abs(theta - PI) < TOLERANCE) return [pulse("gpi", tidy(PI / 2 - lambda + angle / 2))];
  return [
    pulse("gpi2", tidy(PI - lambda)),
    pulse("gpi", tidy((theta + 2 * PI + phi - lambda) / 2)),
    pulse("gpi2", tidy(phi + PI)),
  ];
}

/** Returns a rotation by π and another equatorial one, whose product is the unitary. */
function twoRotations(m: Matrix): readonly Pulse[] {
  const { theta, phi, lambda } = eulerAngles(m);
  const [c, s] = [Math.cos(theta / 2), Math.sin(theta / 2)];
  const [sum, difference] = [(phi + lambda) / 2, (phi - lambda) / 2];
  const [w, x, y, z] = [
    c * Math.cos(sum),
    -s * Math.sin(difference),
    s * Math.cos(difference),
    c * Math.sin(sum),
  ];
  const first = Math.atan2(y, x);
  const [a, b] = [Math.cos(first), Math.sin(first)];
  const rest = { w: x * a + y * b, x: -w * a + z * b, y: -w * b - z * a };
  const angle = 2 * Math.atan2(Math.hypot(rest.x, rest.y), rest.w);
  return [pulse("prx", PI, tidy(first)), pulse("prx", tidy(angle), tidy(Math.atan2(rest.y, rest.x)))];
}

const pulse = (name: string, ...params: number[]): Pulse => ({ name, params });

function rz(angle: number): Pulse[] {
  const tidied = tidy(angle);
  return tidied === 0 ? [] : [pulse("rz", tidied)];
}

/** Brings an angle into (-π, π], and to a multiple of π/16 where it is one but for rounding. */
function tidy(angle: number): number {
  const reduced = principal(angle);
  const step = PI / 16;
  const nearest = Math.round(reduced / step) * step;
  return Math.abs(reduced - nearest) < 1e-11 ? nearest + 0 : reduced;
}
