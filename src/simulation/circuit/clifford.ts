import type { Matrix } from "../linear-algebra/matrix.ts";
import { numbersOf } from "../linear-algebra/one-qubit.ts";
import { memoized } from "../memoized.ts";
import { type ElementaryGate, type Gate, type Numbers, sizeOf, stepParams } from "./gate.ts";

/** The Clifford gates that others are made of. */
export interface CliffordTarget {
  h(qubit: number): void;
  s(qubit: number): void;
  x(qubit: number): void;
  z(qubit: number): void;
  cx(control: number, target: number): void;
  cz(a: number, b: number): void;
  swap(a: number, b: number): void;
}

const GATES = ["h", "s", "x", "z", "cx", "cz", "swap"] as const;

/** Maximum distance of a matrix from a Clifford gate's. */
const TOLERANCE = 1e-9;

/** Steps of a gate beyond which they are not kept. */
const MAX_KEPT_STEPS = 64;

interface CliffordStep {
  readonly name: keyof CliffordTarget;
  readonly a: number;
  readonly b: number;
}

/** Returns the steps of a gate without parameters; null if it is not a Clifford gate. */
const stepsOf = memoized((gate: Gate): readonly CliffordStep[] | null => {
  const found: CliffordStep[] = [];
  const record =
    (name: keyof CliffordTarget) =>
    (a: number, b = a) => {
      found.push({ name, a, b });
    };
  const recorder = Object.fromEntries(GATES.map(name => [name, record(name)])) as unknown as CliffordTarget;
  const places = Array.from({ length: gate.numQubits }, (_, i) => i);
  return decompose(gate, [], 0, places, 0, recorder) ? found : null;
});

/**
 * Does a gate as Clifford gates, and tells whether it is one. Angles count as multiples of π/2 where they are within
 * 10^-9 of one. Where it is none, some of its steps may have been done.
 */
export function applyClifford(
  gate: Gate,
  params: Numbers,
  at: number,
  qubits: Numbers,
  first: number,
  target: CliffordTarget,
): boolean {
  if (gate.numParams > 0 || sizeOf(gate) > MAX_KEPT_STEPS)
    return decompose(gate, params, at, qubits, first, target);
  const steps = stepsOf(gate);
  if (!steps) return false;
  for (const { name, a, b } of steps) target[name](qubits[first + a]!, qubits[first + b]!);
  return true;
}

function decompose(
  gate: Gate,
  params: Numbers,
  at: number,
  qubits: Numbers,
  first: number,
  target: CliffordTarget,
): boolean {
  if (gate.kind === "composite") {
    const given = Array.from({ length: gate.numParams }, (_, i) => params[at + i]!);
    return gate.steps.every(step =>
      applyClifford(
        step.gate,
        stepParams(step, given),
        0,
        step.qubits.map(qubit => qubits[first + qubit]!),
        0,
        target,
      ),
    );
  }
  const { controls } = gate;
  const places = Array.from({ length: gate.numQubits }, (_, i) => qubits[first + i]!);
  if (controls.every(Boolean)) return applyControlled(gate, params, at, places, target);
  const negative = places.filter((_, i) => controls[i] === false);
  for (const qubit of negative) target.x(qubit);
  const isClifford = applyControlled(gate, params, at, places, target);
  for (const qubit of negative) target.x(qubit);
  return isClifford;
}

function applyControlled(
  gate: ElementaryGate,
  params: Numbers,
  at: number,
  qubits: readonly number[],
  target: CliffordTarget,
): boolean {
  const numControls = gate.controls.length;
  if (gate.kind === "phase") return applyPhase(gate.scale * params[at]!, qubits, target);
  if (gate.kind === "swap") {
    if (numControls === 0) target.swap(qubits[0]!, qubits[1]!);
    return numControls === 0;
  }
  const m = gate.matrix(params, at);
  const last = qubits[numControls]!;
  if (numControls === 0) return applyMatrix(m, last, target);
  const pauli = pauliOf(m);
  if (!pauli) return false;
  if (numControls > 1)
    return !pauli.x && !pauli.z && applyPhase(pauli.angle, qubits.slice(0, numControls), target);
  if (!applyPhase(pauli.angle, [qubits[0]!], target)) return false;
  if (pauli.z) target.cz(qubits[0]!, last);
  if (pauli.x) target.cx(qubits[0]!, last);
  return true;
}

/** Multiplies by a phase where all of the qubits are 1. */
function applyPhase(angle: number, qubits: readonly number[], target: CliffordTarget): boolean {
  const quarter = angle / (Math.PI / 2);
  const turns = ((Math.round(quarter) % 4) + 4) % 4;
  if (qubits.length === 0) return true;
  if (Math.abs(quarter - Math.round(quarter)) > TOLERANCE) return false;
  if (turns === 0) return true;
  if (qubits.length === 1) {
    if (turns >= 2) target.z(qubits[0]!);
    if (turns % 2 === 1) target.s(qubits[0]!);
    return true;
  }
  if (qubits.length > 2 || turns !== 2) return false;
  target.cz(qubits[0]!, qubits[1]!);
  return true;
}

/** Writes a matrix as e^{i·angle}·X^x·Z^z, where it is a Pauli matrix but for a phase. */
function pauliOf(m: Matrix): { x: boolean; z: boolean; angle: number } | null {
  const x = Math.hypot(m[0]!, m[1]!) < TOLERANCE;
  if (!x && Math.hypot(m[2]!, m[3]!) > TOLERANCE) return null;
  const [ar, ai] = x ? [m[4]!, m[5]!] : [m[0]!, m[1]!];
  const [br, bi] = x ? [m[2]!, m[3]!] : [m[6]!, m[7]!];
  const z = Math.hypot(ar + br, ai + bi) < TOLERANCE;
  if (!z && Math.hypot(ar - br, ai - bi) > TOLERANCE) return null;
  return { x, z, angle: Math.atan2(ai, ar) };
}

/** A signed Pauli matrix: 1 X, 2 Z, 3 Y, negative with a minus; 0 where it is none. */
type Signed = number;

/** Returns U·P·U† for P = X or Z, read off U's columns. */
function image(m: Matrix, ofX: boolean): Signed {
  const [ar, ai, br, bi, cr, ci, dr, di] = numbersOf(m);
  const off = ofX
    ? [ar * dr + ai * di + br * cr + bi * ci, ai * dr - ar * di + bi * cr - br * ci]
    : [ar * cr + ai * ci - br * dr - bi * di, ai * cr - ar * ci - bi * dr + br * di];
  const diagonal = ofX ? 2 * (ar * br + ai * bi) : ar * ar + ai * ai - br * br - bi * bi;
  for (const [value, pauli] of [
    [off[0]!, 1],
    [-off[1]!, 3],
    [diagonal, 2],
  ] as const)
    if (Math.abs(Math.abs(value) - 1) < TOLERANCE) return value > 0 ? pauli : -pauli;
  return 0;
}

/** A word of gates for each of the 24 one-qubit Clifford gates, by its images of X and Z. */
const words = new Map<string, string>();

/** Applies a one-qubit Clifford gate as a word in H and S that has the same effect on X and Z. */
function applyMatrix(m: Matrix, qubit: number, target: CliffordTarget): boolean {
  if (words.size === 0) fillWords();
  const word = words.get(`${image(m, true)} ${image(m, false)}`);
  if (word === undefined) return false;
  for (const letter of word) target[letter as "h" | "s" | "x" | "z"](qubit);
  return true;
}

/** Finds a shortest word for each of the 24 gates. */
function fillWords(): void {
  const act: Record<string, Record<number, number>> = {
    h: { 1: 2, 2: 1, 3: -3 },
    s: { 1: 3, 2: 2, 3: -1 },
    x: { 1: 1, 2: -2, 3: -3 },
    z: { 1: -1, 2: 2, 3: -3 },
  };
  let front: [number, number, string][] = [[1, 2, ""]];
  while (front.length > 0) {
    const next: typeof front = [];
    for (const [x, z, word] of front) {
      const key = `${x} ${z}`;
      if (words.has(key)) continue;
      words.set(key, word);
      for (const [letter, map] of Object.entries(act))
        next.push([Math.sign(x) * map[Math.abs(x)]!, Math.sign(z) * map[Math.abs(z)]!, word + letter]);
    }
    front = next;
  }
}
