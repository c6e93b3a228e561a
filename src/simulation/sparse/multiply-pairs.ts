import type { Meter } from "../interpreter/meter.ts";
import type { Matrix } from "../linear-algebra/matrix.ts";
import { numbersOfAmplitude } from "./basis-states.ts";
import { PairTable } from "./pair-table.ts";

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
export interface PairProduct {
  /** How many amplitudes there are. */
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
  const partners = new PairTable(keys, words, size, flips).partners();
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
