import { eulerAngles } from "../circuit/primitives.ts";
import type { Matrix } from "../linear-algebra/matrix.ts";
import { principal } from "../linear-algebra/one-qubit.ts";
import type { OneQubitBasis } from "./basis.ts";

/** A native one-qubit gate. */
export interface Pulse {
  readonly name: string;
  readonly params: readonly number[];
}

/** A one-qubit unitary as pulses followed by a rotation about Z, but for a phase. */
export interface Pulses {
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
export function tidy(angle: number): number {
  const reduced = principal(angle);
  const step = PI / 16;
  const nearest = Math.round(reduced / step) * step;
  return Math.abs(reduced - nearest) < 1e-11 ? nearest + 0 : reduced;
}
