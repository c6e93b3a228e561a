/**
 * The counter-based generator Philox4x32-10 (Salmon et al., 2011): a number is a function of only key and counter,
 * so that draws do not depend on the order in which they are made.
 */
export interface Philox {
  /** The key, its lower and its upper 32 bits. */
  readonly key: readonly [low: number, high: number];
  /** Returns a number of [0, 1), with 53 random bits, for a counter of three whole numbers below 2^32. */
  uniform(a: number, b: number, stream: number): number;
  /** Returns a function that returns one number of [0, 1) after the other, with 53 random bits, for a stream and a whole number below 2^32: twice as quickly. */
  sequence(b: number, stream: number): () => number;
  /** Inverts each bit of a list of words with a probability of one half, for a counter of two whole numbers below 2^32. */
  flip(words: Uint32Array, b: number, stream: number): void;
}

const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
const ROUNDS = 10;

/** Returns the upper half of the 64-bit product of two numbers below 2^32. */
function highProduct(a: number, b: number): number {
  const a1 = a >>> 16;
  const a0 = a & 0xffff;
  const b1 = b >>> 16;
  const b0 = b & 0xffff;
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  const cross = a0 * b1 + (middle & 0xffff);
  return (a1 * b1 + Math.floor(middle / 65536) + Math.floor(cross / 65536)) >>> 0;
}

/** Derives the seed of a part of a run, from 0 to 2^53, by hashing the seed of the run, the part and its purpose. */
export const derivedSeed = (seed: number, part: number, stream: number): number =>
  philox(seed).uniform(part, 0, stream) * 2 ** 53;

/** Makes a generator of a seed, a whole number of which the lower 64 bits count. */
export function philox(seed: number): Philox {
  const key = BigInt.asUintN(64, BigInt(seed));
  const keyLow = Number(key & 0xffffffffn);
  const keyHigh = Number(key >> 32n);
  const out = new Uint32Array(4);
  const draw = (a: number, b: number, stream: number) => {
    let c0 = a >>> 0;
    let c1 = b >>> 0;
    let c2 = stream >>> 0;
    let c3 = 0;
    let k0 = keyLow;
    let k1 = keyHigh;
    for (let round = 0; round < ROUNDS; round++) {
      const high0 = highProduct(MULTIPLIER_0, c0);
      const low0 = Math.imul(MULTIPLIER_0, c0);
      const high1 = highProduct(MULTIPLIER_1, c2);
      const low1 = Math.imul(MULTIPLIER_1, c2);
      c0 = (high1 ^ c1 ^ k0) >>> 0;
      c1 = low1 >>> 0;
      c2 = (high0 ^ c3 ^ k1) >>> 0;
      c3 = low0 >>> 0;
      k0 = (k0 + WEYL_0) >>> 0;
      k1 = (k1 + WEYL_1) >>> 0;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
  };
  const numberAt = (place: number) =>
    ((out[place]! >>> 6) * 134217728 + (out[place + 1]! >>> 5)) / 9007199254740992;
  return {
    key: [keyLow, keyHigh],
    uniform(a, b, stream) {
      draw(a, b, stream);
      return numberAt(0);
    },
    sequence(b, stream) {
      let a = 0;
      let next = -1;
      return () => {
        const kept = next;
        next = -1;
        if (kept >= 0) return kept;
        draw(a % 2 ** 32, b + Math.floor(a / 2 ** 32), stream);
        a++;
        next = numberAt(2);
        return numberAt(0);
      };
    },
    flip(words, b, stream) {
      for (let i = 0; i < words.length; i++) {
        if (i % 4 === 0) draw(i / 4, b, stream);
        words[i]! ^= out[i % 4]!;
      }
    },
  };
}
