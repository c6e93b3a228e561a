import { positionsIn } from "./amplitudes.ts";
import type { Step } from "./gate-fuser.ts";

type Phase = readonly [re: number, im: number];

const times = ([a, b]: Phase, [c, d]: Phase): Phase => [a * c - b * d, a * d + b * c];
const ONE: Phase = [1, 0];
const isOne = ([re, im]: Phase) => re === 1 && im === 0;

/** Phases of single bits and of pairs, multiplied together into what a kernel needs to apply them all at once. */
export class DiagonalTables {
  /** Phases that depend on the tile's number: where its bits at `mask` are 1, of the tile's bit, or of all where it is -1. */
  readonly outside: { mask: number; bit: number; re: number; im: number }[] = [];
  readonly #bits: number;
  readonly #rowBits: number;
  readonly #inside: Int32Array;
  readonly #outsideBits: Int32Array;
  /** By bits of a tile: the phase of all where no bit is set, of single bits, and of pairs. */
  readonly #phases = new Map<number, Phase>();
  #all: Phase;

  constructor(bits: number, rowBits: number, inside: Int32Array, outside: Int32Array, scale: number) {
    this.#bits = bits;
    this.#rowBits = rowBits;
    this.#inside = inside;
    this.#outsideBits = outside;
    this.#all = [scale, 0];
  }

  /** Whether there is nothing to multiply. */
  get isTrivial(): boolean {
    return isOne(this.#all) && this.#phases.size === 0 && this.outside.length === 0;
  }

  /** Adds a phase of one or two bits. */
  add({ mask, on, re, im }: Step & { kind: "phase" }): void {
    const off = mask & ~on;
    const phase: Phase = [re, im];
    const inverse: Phase = [re, -im];
    if (off === 0) this.#addWhereSet(mask, phase);
    else if (off !== mask) {
      this.#addWhereSet(on, phase);
      this.#addWhereSet(mask, inverse);
    } else {
      this.#all = times(this.#all, phase);
      for (const position of positionsIn(mask)) this.#addWhereSet(1 << position, inverse);
      if (positionsIn(mask).length === 2) this.#addWhereSet(mask, phase);
    }
  }

  #addWhereSet(mask: number, phase: Phase): void {
    let within = 0;
    let tile = 0;
    for (const position of positionsIn(mask)) {
      if (this.#inside[position]! >= 0) within |= 1 << this.#inside[position]!;
      else tile |= 1 << this.#outsideBits[position]!;
    }
    if (tile === 0) this.#phases.set(within, times(this.#phases.get(within) ?? ONE, phase));
    else
      this.outside.push({
        mask: tile,
        bit: within ? 31 - Math.clz32(within) : -1,
        re: phase[0],
        im: phase[1],
      });
  }

  #phase(bit: number): Phase {
    return this.#phases.get(1 << bit) ?? ONE;
  }

  /** Returns the phases of a bit's pairs with others from `from` to `to`, as masks that count from `from`. */
  #partners(bit: number, from: number, to: number): { mask: number; re: number; im: number }[] {
    const partners: { mask: number; re: number; im: number }[] = [];
    for (let other = from; other < to; other++) {
      const phase = this.#phases.get((1 << bit) | (1 << other));
      if (phase) partners.push({ mask: 1 << (other - from), re: phase[0], im: phase[1] });
    }
    return partners;
  }

  /** Returns the products of the phases among bits `from` to `to`, real parts and imaginary parts apart. */
  #products(from: number, to: number, start: Phase): { re: Float64Array; im: Float64Array } {
    const size = 2 ** (to - from);
    const [re, im] = [new Float64Array(size), new Float64Array(size)];
    [re[0], im[0]] = start;
    for (let bit = from; bit < to; bit++) {
      const half = 1 << (bit - from);
      const [fr, fi] = this.#phase(bit);
      const partners = this.#partners(bit, from, bit);
      for (let i = 0; i < half; i++) {
        let x = re[i]! * fr - im[i]! * fi;
        let y = re[i]! * fi + im[i]! * fr;
        for (const { mask, re: pr, im: pi } of partners) {
          if ((i & mask) === 0) continue;
          [x, y] = [x * pr - y * pi, x * pi + y * pr];
        }
        re[half + i] = x;
        im[half + i] = y;
      }
    }
    return { re, im };
  }

  /** Returns the factors within a row, all real parts and then all imaginary ones, or null where they are all 1. */
  row(): Float64Array | null {
    const low = 2 ** this.#rowBits - 1;
    if (![...this.#phases.keys()].some(mask => (mask & ~low) === 0)) return null;
    const { re, im } = this.#products(0, this.#rowBits, ONE);
    const out = new Float64Array(2 * re.length);
    out.set(re);
    out.set(im, re.length);
    return out;
  }

  /** Returns the factor of each row, real and imaginary parts interleaved. */
  rowFactors(): Float64Array {
    const { re, im } = this.#products(this.#rowBits, this.#bits, this.#all);
    const out = new Float64Array(2 * re.length);
    for (let i = 0; i < re.length; i++) {
      out[2 * i] = re[i]!;
      out[2 * i + 1] = im[i]!;
    }
    return out;
  }

  /** Returns the bits of a row whose phase depends on the row or the tile, with the factor of each row. */
  coupled(): { bit: number; factors: Float64Array }[] {
    const found: { bit: number; factors: Float64Array }[] = [];
    const rows = 2 ** (this.#bits - this.#rowBits);
    for (let bit = 0; bit < this.#rowBits; bit++) {
      const partners = this.#partners(bit, this.#rowBits, this.#bits);
      if (partners.length === 0 && !this.outside.some(coupling => coupling.bit === bit)) continue;
      const factors = new Float64Array(2 * rows);
      for (let row = 0; row < rows; row++) {
        let [x, y] = ONE;
        for (const { mask, re, im } of partners) if (row & mask) [x, y] = [x * re - y * im, x * im + y * re];
        factors[2 * row] = x;
        factors[2 * row + 1] = y;
      }
      found.push({ bit, factors });
    }
    return found;
  }
}
