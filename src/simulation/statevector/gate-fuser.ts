import { type Matrix, multiply } from "../linear-algebra/matrix.ts";
import { I, matrix2 } from "../linear-algebra/one-qubit.ts";
import { positionsIn } from "./amplitudes.ts";

/** Steps of the kernels. Masks and bits are those of the memory, not of the qubits. */
export type Step =
  /** Multiplies the amplitudes whose bits at `mask` are `on` by a phase. */
  | {
      readonly kind: "phase";
      readonly mask: number;
      readonly on: number;
      readonly re: number;
      readonly im: number;
    }
  /** Multiplies pairs by [[1, -t], [t, 1]], which is a rotation but for its cosine. */
  | {
      readonly kind: "rotation";
      readonly position: number;
      readonly tangent: number;
      readonly cosine: number;
    }
  /** Multiplies the pairs that are selected by a real matrix. */
  | {
      readonly kind: "transform";
      readonly position: number;
      readonly mask: number;
      readonly on: number;
      readonly matrix: readonly [number, number, number, number];
    };

/** Amplitudes below this are rounding; kept, they would become subnormals. */
const ROUNDING = 1e-15;

const snap = (x: number): number =>
  Math.abs(x) < ROUNDING ? 0 : Math.abs(x - 1) < ROUNDING ? 1 : Math.abs(x + 1) < ROUNDING ? -1 : x;

/** The state of a qubit that has not met others: `one` is the amplitude of 1 where that of 0 is 1. */
export interface FreshQubit {
  readonly re: number;
  readonly im: number;
}

/**
 * Turns gates into steps. One-qubit gates wait until another gate needs their qubit, so neighbours become one;
 * each is a phase, a real rotation by at most a right angle, and a phase. What is left of it, a flip, is no step: it
 * exchanges the meaning of the bit from there on. So X costs nothing, and a swap of qubits neither.
 */
export class GateFuser {
  steps: Step[] = [];
  /** The positions whose bit in memory is the opposite of the qubit's. */
  flips = 0;
  readonly #pending: (Matrix | null)[];
  readonly #fresh: (FreshQubit | null | undefined)[];

  constructor(numPositions = 0) {
    this.#pending = new Array(numPositions).fill(null);
    this.#fresh = new Array(numPositions).fill(null);
  }

  get numPositions(): number {
    return this.#pending.length;
  }

  /** Adds a qubit in the state 0 at the highest position. */
  addQubit(): void {
    this.#pending.push(null);
    this.#fresh.push(undefined);
  }

  /** Takes a position away, whose steps have been done. */
  remove(position: number): void {
    this.#pending.splice(position, 1);
    this.#fresh.splice(position, 1);
    const low = this.flips & ((1 << position) - 1);
    this.flips = low | ((this.flips >>> (position + 1)) << position);
  }

  /** Returns an independent copy of the pending gates after the steps. */
  copy(): GateFuser {
    const copy = new GateFuser();
    copy.flips = this.flips;
    copy.#pending.push(...this.#pending);
    copy.#fresh.push(...this.#fresh);
    return copy;
  }

  /** Lowers a gate on one position, with controls. */
  matrix(position: number, mask: number, on: number, m: Matrix): void {
    if (mask === 0) {
      const before = this.#pending[position];
      this.#pending[position] = before ? multiply(m, before) : m;
    } else this.#controlled(position, mask, on, m);
  }

  /** Lowers a phase, or the factor by which a Kraus operator changes the amplitudes that are selected. */
  phase(mask: number, on: number, re: number, im: number): void {
    const size = sizeOf(re, im);
    if (Math.abs(size - 1) > TIE) {
      for (const position of positionsIn(mask)) this.#flush(position, true);
      const position = 31 - Math.clz32(mask);
      const [controls, memoryOn] = [mask & ~(1 << position), on ^ (this.flips & mask)];
      const matrix = (memoryOn >>> position) & 1 ? ([1, 0, 0, size] as const) : ([size, 0, 0, 1] as const);
      this.steps.push({ kind: "transform", position, mask: controls, on: memoryOn & controls, matrix });
      if (size > 0) this.phase(mask, on, re / size, im / size);
      return;
    }
    if ((mask & (mask - 1)) === 0) {
      const m = on ? matrix2(1, 0, 0, 0, 0, 0, re, im) : matrix2(re, im, 0, 0, 0, 0, 1, 0);
      if (mask) this.matrix(31 - Math.clz32(mask), 0, 0, m);
      return;
    }
    for (const position of positionsIn(mask)) this.#flush(position, true);
    this.#pushPhase(mask, on, re, im);
  }

  /** Makes steps of all gates that wait, but for phases of single qubits where these may stay. */
  flush(keepsPhases: boolean): void {
    for (let position = 0; position < this.numPositions; position++) this.#flush(position, keepsPhases);
  }

  /** Returns the state of a qubit that was added after the memory was filled last, and forgets it. */
  takeFresh(position: number): FreshQubit {
    this.#flush(position, true);
    const fresh = this.#fresh[position] ?? { re: 0, im: 0 };
    this.#fresh[position] = null;
    return fresh;
  }

  #pushPhase(mask: number, on: number, re: number, im: number): void {
    const [x, y] = [snap(re), snap(im)];
    if (x !== 1 || y !== 0)
      this.steps.push({ kind: "phase", mask, on: on ^ (this.flips & mask), re: x, im: y });
  }

  #flush(position: number, keepsPhase: boolean): void {
    const pending = this.#pending[position];
    if (this.#fresh[position] === undefined) {
      this.#fresh[position] = this.#freshState(position, pending ?? I);
      this.#pending[position] = null;
      return;
    }
    if (!pending) return;
    const bit = 1 << position;
    this.#pending[position] = null;
    const own = this.flips & bit ? flipped(pending) : pending;
    const { swaps, before, sine, cosine, zero, one } = factorRotation(own);
    if (sine !== 0) {
      this.#pushPhase(bit, bit ^ (this.flips & bit), before[0], before[1]);
      this.steps.push({ kind: "rotation", position, tangent: snap(sine / cosine), cosine });
    }
    const rest = times(one, [zero[0], -zero[1]]);
    if (swaps) this.flips ^= bit;
    if (!keepsPhase) this.#pushPhase(bit, bit ^ (this.flips & bit), rest[0], rest[1]);
    else if (!isOne(rest))
      this.#pending[position] =
        this.flips & bit ? matrix2(...rest, 0, 0, 0, 0, 1, 0) : matrix2(1, 0, 0, 0, 0, 0, ...rest);
  }

  /** Returns the state that a gate makes of 0, with the likelier value as the memory's 0. */
  #freshState(position: number, m: Matrix): FreshQubit {
    const [ar, ai, br, bi] = [m[0]!, m[1]!, m[4]!, m[5]!];
    const swaps = br * br + bi * bi > ar * ar + ai * ai;
    if (swaps) this.flips |= 1 << position;
    const [pr, pi, qr, qi] = swaps ? [br, bi, ar, ai] : [ar, ai, br, bi];
    const norm = pr * pr + pi * pi;
    return { re: snap((qr * pr + qi * pi) / norm), im: snap((qi * pr - qr * pi) / norm) };
  }

  #controlled(position: number, mask: number, on: number, m: Matrix): void {
    for (const control of positionsIn(mask)) this.#flush(control, true);
    const bit = 1 << position;
    const isDiagonal = sizeOf(m[2]!, m[3]!) + sizeOf(m[4]!, m[5]!) < ROUNDING;
    this.#flush(position, isDiagonal);
    if (isDiagonal) {
      this.#pushPhase(mask | bit, on, m[0]!, m[1]!);
      this.#pushPhase(mask | bit, on | bit, m[6]!, m[7]!);
      return;
    }
    const own = this.flips & bit ? flipped(m) : m;
    const isFlip = sizeOf(own[0]!, own[1]!) < ROUNDING;
    const { before, sine, cosine, zero, one } = factor(isFlip ? rowsSwapped(own) : own);
    const memoryOn = on ^ (this.flips & mask);
    const memoryPhase = (value: number, [re, im]: Phase) =>
      this.#pushPhase(mask | bit, on | ((value << position) ^ (this.flips & bit)), re, im);
    memoryPhase(1, before);
    this.steps.push({
      kind: "transform",
      position,
      mask,
      on: memoryOn,
      matrix: isFlip ? [0, 1, 1, 0] : [snap(cosine), snap(-sine), snap(sine), snap(cosine)],
    });
    memoryPhase(0, isFlip ? one : zero);
    memoryPhase(1, isFlip ? zero : one);
  }
}

type Phase = readonly [re: number, im: number];

/** Whether a phase is 1 but for rounding: its real part alone would be so for angles of 10⁻⁸ too. */
const isOne = ([re, im]: Phase): boolean => snap(re) === 1 && snap(im) === 0;

const times = ([a, b]: Phase, [c, d]: Phase): Phase => [a * c - b * d, a * d + b * c];

const flipped = (m: Matrix): Matrix => matrix2(m[6]!, m[7]!, m[4]!, m[5]!, m[2]!, m[3]!, m[0]!, m[1]!);
const rowsSwapped = (m: Matrix): Matrix => matrix2(m[4]!, m[5]!, m[6]!, m[7]!, m[0]!, m[1]!, m[2]!, m[3]!);

/** The absolute value of a number of at most 1: `Math.hypot` takes care of larger ones, and several times as long. */
const sizeOf = (re: number, im: number): number => Math.sqrt(re * re + im * im);

function unit(re: number, im: number): Phase {
  const size = sizeOf(re, im);
  return size < ROUNDING ? [1, 0] : [snap(re / size), snap(im / size)];
}

/** Relative difference below which two rows of a matrix count as equally large. */
const TIE = 1e-12;

/** Factors a unitary matrix whose rows are exchanged where that makes the angle of its rotation smaller. */
function factorRotation(m: Matrix): ReturnType<typeof factor> & { swaps: boolean } {
  const swaps = sizeOf(m[4]!, m[5]!) - sizeOf(m[0]!, m[1]!) > TIE;
  return { ...factor(swaps ? rowsSwapped(m) : m), swaps };
}

/** Writes a unitary matrix as diag(zero, one)·[[cosine, -sine], [sine, cosine]]·diag(1, before). */
function factor(m: Matrix): { before: Phase; sine: number; cosine: number; zero: Phase; one: Phase } {
  const cosine = sizeOf(m[0]!, m[1]!);
  const sine = sizeOf(m[4]!, m[5]!);
  const zero = unit(m[0]!, m[1]!);
  if (sine < ROUNDING) return { before: [1, 0], sine: 0, cosine: 1, zero, one: unit(m[6]!, m[7]!) };
  const [re, im] = times(unit(-m[2]!, -m[3]!), [zero[0], -zero[1]]);
  const before: Phase = [snap(re), snap(im)];
  // Of small entries the phases are rounding: they come from the larger ones.
  const [x, y] = times(unit(m[6]!, m[7]!), [before[0], -before[1]]);
  const one: Phase = cosine < sine ? unit(m[4]!, m[5]!) : [snap(x), snap(y)];
  // A turn by half the circle before a rotation is one after the opposite rotation.
  if (before[0] === -1 && before[1] === 0)
    return { before: [1, 0], sine: -sine, cosine, zero, one: [-one[0], -one[1]] };
  return { before, sine, cosine, zero, one };
}
