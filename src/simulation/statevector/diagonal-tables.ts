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

  /**
   * Writes the products of the phases that a bit has with each selection of the bits from `from` to `to`, times
   * `start`, real and imaginary parts interleaved.
   */
  #writePartners(bit: number, from: number, to: number, start: Phase, out: Float64Array, at: number): void {
    [out[at], out[at + 1]] = start;
    for (let other = from, size = 2; other < to; other++, size *= 2) {
      const [re, im] = this.#phases.get((1 << bit) | (1 << other)) ?? ONE;
      if (re === 1 && im === 0) out.copyWithin(at + size, at, at + size);
      else
        for (let i = at; i < at + size; i += 2) {
          const [x, y] = [out[i]!, out[i + 1]!];
          out[size + i] = x * re - y * im;
          out[size + i + 1] = x * im + y * re;
        }
    }
  }

  /** Writes the products of the phases among bits `from` to `to`, real and imaginary parts interleaved. */
  #writeProducts(from: number, to: number, start: Phase, out: Float64Array, at: number): void {
    [out[at], out[at + 1]] = start;
    for (let bit = from, size = 2; bit < to; bit++, size *= 2) {
      this.#writePartners(bit, from, bit, this.#phase(bit), out, at + size);
      for (let i = at; i < at + size; i += 2) {
        const [x, y, re, im] = [out[i]!, out[i + 1]!, out[size + i]!, out[size + i + 1]!];
        out[size + i] = x * re - y * im;
        out[size + i + 1] = x * im + y * re;
      }
    }
  }

  /** Real and imaginary parts of the factors of all rows. */
  get factorNumbers(): number {
    return 2 ** (this.#bits - this.#rowBits + 1);
  }

  /** Returns the factors within a row, all real parts and then all imaginary ones, or null where they are all 1. */
  row(): Float64Array | null {
    const low = 2 ** this.#rowBits - 1;
    let isTrivial = true;
    for (const mask of this.#phases.keys()) isTrivial &&= (mask & ~low) !== 0;
    if (isTrivial) return null;
    const size = 2 ** (this.#rowBits + 1);
    const factors = new Float64Array(2 * size);
    this.#writeProducts(0, this.#rowBits, ONE, factors, size);
    for (let i = 0; i < size / 2; i++) {
      factors[i] = factors[size + 2 * i]!;
      factors[size / 2 + i] = factors[size + 2 * i + 1]!;
    }
    return factors.subarray(0, size);
  }

  /** Writes the factor of each row, real and imaginary parts interleaved. */
  writeRowFactors(out: Float64Array, at: number): void {
    this.#writeProducts(this.#rowBits, this.#bits, this.#all, out, at);
  }

  /** Returns the bits of a row whose phase depends on the row or the tile. */
  coupledBits(): number[] {
    const high = 2 ** this.#bits - 2 ** this.#rowBits;
    let found = 0;
    for (const mask of this.#phases.keys()) if (mask & high) found |= mask & ~high;
    for (const { bit } of this.outside) if (bit >= 0 && bit < this.#rowBits) found |= 1 << bit;
    return positionsIn(found);
  }

  /** Writes the factor that a coupled bit has in each row, real and imaginary parts interleaved. */
  writeCoupled(bit: number, out: Float64Array, at: number): void {
    this.#writePartners(bit, this.#rowBits, this.#bits, ONE, out, at);
  }
}
