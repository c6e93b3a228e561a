import type { Control } from "../circuit/primitives.ts";
import type { PauliString } from "../execution/quantum-state.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import type { Matrix } from "../linear-algebra/matrix.ts";
import { valueAt } from "../statevector/qubit-layout.ts";

/** Time of a gate that permutes basis states, relative to one that superposes them. */
export const SHARE_OF_PERMUTATION = 0.2;
/** Qubits whose values are moved in the time that an amplitude takes. */
const QUBITS_AT_A_TIME = 256;

/** Returns how many numbers are touched with an amplitude and the values of the given number of qubits. */
const numbersOfAmplitude = (numQubits: number): number => 1 + numQubits / QUBITS_AT_A_TIME;

/** Basis states in a list, each by the values of its qubits in words of 32. */
export interface BasisStates {
  readonly keys: Uint32Array;
  /** Words of each key. */
  readonly words: number;
  /** Number of basis states. */
  readonly size: number;
}

/** Returns 1 for each basis state that has the values of the controls, and 0 for the others. `among` are those that it selects from; default: all. */
export function selectStates(
  { keys, words, size }: BasisStates,
  controls: readonly Control[],
  among?: Uint8Array,
): Uint8Array {
  const selected = among?.slice() ?? new Uint8Array(size).fill(1);
  for (const { qubit, value } of controls) {
    const shift = qubit & 31;
    const other = 1 - value;
    for (let i = 0, at = qubit >> 5; i < size; i++, at += words)
      selected[i]! &= ((keys[at]! >>> shift) & 1) ^ other;
  }
  return selected;
}

export function flipSelected({ keys, words, size }: BasisStates, selected: Uint8Array, qubit: number): void {
  const shift = qubit & 31;
  for (let i = 0, at = qubit >> 5; i < size; i++, at += words) keys[at]! ^= selected[i]! << shift;
}

/** Exchanges two qubits in the basis states that are selected. */
export function exchangeSelected(
  { keys, words, size }: BasisStates,
  selected: Uint8Array,
  a: number,
  b: number,
): void {
  const [shiftOfA, shiftOfB] = [a & 31, b & 31];
  const step = (b >> 5) - (a >> 5);
  for (let i = 0, at = a >> 5; i < size; i++, at += words) {
    const differs = ((keys[at]! >>> shiftOfA) ^ (keys[at + step]! >>> shiftOfB)) & selected[i]!;
    keys[at]! ^= differs << shiftOfA;
    keys[at + step]! ^= differs << shiftOfB;
  }
}

/** Probability below which an amplitude is rounding and is left out. */
const NEGLIGIBLE = 1e-24;
/** Amplitudes after which the meter hears of them: a power of two. */
const REPORTED = 2 ** 16;

/** Amplitudes, and the basis state of each in words of 32 qubits. */
export interface AmplitudeList {
  readonly keys: Uint32Array;
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** A matrix for one qubit, and the amplitudes that it is for. */
interface PairProduct {
  readonly size: number;
  /** Words of each key. */
  readonly words: number;
  readonly qubit: number;
  readonly m: Matrix;
  /** 1 for each amplitude that is multiplied; the others are copied. */
  readonly selected: Uint8Array;
  readonly meter: Meter;
}

/**
 * Multiplies the pairs of amplitudes that differ in one qubit by a matrix. The products are written `to` other lists,
 * which have room for twice as many. Returns how many they are.
 */
export function multiplyPairs(
  { keys, re, im }: AmplitudeList,
  to: AmplitudeList,
  { size, words, qubit, m, selected, meter }: PairProduct,
): number {
  const word = qubit >> 5;
  const bit = 1 << (qubit & 31);
  const flips = new Uint32Array(words);
  flips[word] = bit;
  const partners = partnersOf(keys, words, size, flips);
  const numbers = numbersOfAmplitude(32 * words);
  let written = 0;
  const put = (from: number, value: number, x: number, y: number) => {
    if (x * x + y * y < NEGLIGIBLE) return;
    for (let i = 0; i < words; i++) to.keys[written * words + i] = keys[from * words + i]!;
    if (value) to.keys[written * words + word]! |= bit;
    else to.keys[written * words + word]! &= ~bit;
    to.re[written] = x;
    to.im[written] = y;
    written++;
  };
  for (let i = 0; i < size; i++) {
    if (i % REPORTED === REPORTED - 1) meter.work(REPORTED * numbers, 0);
    const value = keys[i * words + word]! & bit ? 1 : 0;
    if (!selected[i]) {
      put(i, value, re[i]!, im[i]!);
      continue;
    }
    const other = partners[i]!;
    if (other >= 0 && value === 1) continue;
    const [zero, one] = value ? [other, i] : [i, other];
    const [ar, ai] = zero >= 0 ? [re[zero]!, im[zero]!] : [0, 0];
    const [br, bi] = one >= 0 ? [re[one]!, im[one]!] : [0, 0];
    put(
      i,
      0,
      m[0]! * ar - m[1]! * ai + m[2]! * br - m[3]! * bi,
      m[0]! * ai + m[1]! * ar + m[2]! * bi + m[3]! * br,
    );
    put(
      i,
      1,
      m[4]! * ar - m[5]! * ai + m[6]! * br - m[7]! * bi,
      m[4]! * ai + m[5]! * ar + m[6]! * bi + m[7]! * br,
    );
  }
  meter.work((size % REPORTED) * numbers, 0);
  return written;
}

/**
 * Returns for each of `size` basis states the place of the one that differs from it in some bits, at least one, and no
 * others; -1 where there is none.
 */
function partnersOf(keys: Uint32Array, words: number, size: number, flips: Uint32Array): Int32Array {
  // A word and a bit in which partners differ.
  const place = flips.findIndex(word => word !== 0);
  const bit = flips[place]! & -flips[place]!;
  /** Returns a word of the one of two partners whose bit is 0. */
  const wordAt = (i: number, word: number): number => {
    const bits = keys[i * words + word]!;
    return keys[i * words + place]! & bit ? (bits ^ flips[word]!) >>> 0 : bits;
  };
  const hashOf = (i: number): number => {
    let hash = 0;
    for (let word = 0; word < words; word++) {
      hash = Math.imul(hash ^ wordAt(i, word), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash ^ (hash >>> 13);
  };
  const arePartners = (i: number, j: number): boolean => {
    for (let word = 0; word < words; word++) if (wordAt(i, word) !== wordAt(j, word)) return false;
    return true;
  };
  const partners = new Int32Array(size).fill(-1);
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * size + 1))).fill(-1);
  const last = slots.length - 1;
  for (let i = 0; i < size; i++) {
    let slot = hashOf(i) & last;
    while (slots[slot]! >= 0 && !arePartners(slots[slot]!, i)) slot = (slot + 1) & last;
    const other = slots[slot]!;
    if (other < 0) slots[slot] = i;
    else {
      partners[i] = other;
      partners[other] = i;
    }
  }
  return partners;
}

const ALL_BITS = { parity: -1, value: 0 };

/** Returns the expectation values of Pauli strings in a state, of which those that flip the same qubits share the search for pairs. */
export function pauliExpectations(
  { keys, re, im }: AmplitudeList,
  strings: readonly PauliString[],
  { size, words, meter }: Pick<PairProduct, "size" | "words" | "meter">,
): number[] {
  const maskOf = (string: PauliString, except: "X" | "Z") => {
    const mask = new Uint32Array(words);
    for (const { qubit, pauli } of string) if (pauli !== except) mask[qubit >> 5]! |= 1 << (qubit & 31);
    return mask;
  };
  const parityOf = (mask: Uint32Array, at: Uint32Array, first: number) => {
    let bits = 0;
    for (let word = 0; word < words; word++) bits ^= mask[word]! & at[first + word]!;
    return valueAt(bits, ALL_BITS);
  };
  const values = new Array<number>(strings.length);
  for (const own of Map.groupBy(strings.keys(), place => maskOf(strings[place]!, "Z").join()).values()) {
    const flips = maskOf(strings[own[0]!]!, "Z");
    const partners = flips.some(Boolean) ? partnersOf(keys, words, size, flips) : null;
    for (const place of own) {
      meter.work(size * words, 1);
      const signs = maskOf(strings[place]!, "X");
      const isImaginary = parityOf(signs, flips, 0) === 1;
      let sum = 0;
      for (let i = 0; i < size; i++) {
        const j = partners ? partners[i]! : i;
        if (j < 0) continue;
        const product = isImaginary ? im[i]! * re[j]! - re[i]! * im[j]! : re[i]! * re[j]! + im[i]! * im[j]!;
        sum += parityOf(signs, keys, i * words) ? -product : product;
      }
      const numY = strings[place]!.filter(({ pauli }) => pauli === "Y").length;
      values[place] = [1, -1, -1, 1][numY % 4]! * sum;
    }
  }
  return values;
}
