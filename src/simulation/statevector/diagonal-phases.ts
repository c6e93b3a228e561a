import type { Step } from "./gate-fuser.ts";
import type { Kernels } from "./kernel-memory.ts";
import type { PassMemory, TileBits } from "./pass-memory.ts";

/** Factors of single bits and of pairs, multiplied together into what a kernel needs to apply them all at once. */
export class DiagonalPhases {
  readonly #memory: PassMemory;
  readonly #tile: TileBits;
  /** Address of the factors of a tile's bits and of their pairs, as a square of complex numbers. */
  readonly #squareAt: number;
  /** For each bit the bits with which it has a factor, itself among them. */
  readonly #partners: Uint32Array;
  /** Factors where all bits of the tile's number at `mask` are 1: of a bit of the tile, or of all where it is -1. */
  readonly #outside: { mask: number; bit: number; re: number; im: number }[] = [];
  #re: number;
  #im = 0;

  constructor(memory: PassMemory, tile: TileBits, scale: number) {
    const { tileBits } = tile;
    this.#memory = memory;
    this.#tile = tile;
    this.#re = scale;
    this.#partners = new Uint32Array(tileBits);
    this.#squareAt = memory.table(16 * tileBits * tileBits);
    const from = this.#squareAt / 8;
    memory.doubles.fill(0, from, from + 2 * tileBits * tileBits);
    for (let i = from; i < from + 2 * tileBits * tileBits; i += 2) memory.doubles[i] = 1;
  }

  /** Adds a phase of one or two positions. */
  add({ mask, on, re, im }: Step & { kind: "phase" }): void {
    const off = mask & ~on;
    if (off === 0) this.#multiplyWhereSet(mask, re, im);
    else if (off !== mask) {
      this.#multiplyWhereSet(on, re, im);
      this.#multiplyWhereSet(mask, re, -im);
    } else {
      [this.#re, this.#im] = [this.#re * re - this.#im * im, this.#re * im + this.#im * re];
      const last = mask & (mask - 1);
      this.#multiplyWhereSet(mask ^ last, re, -im);
      if (last) this.#multiplyWhereSet(last, re, -im);
      if (last) this.#multiplyWhereSet(mask, re, im);
    }
  }

  #multiplyWhereSet(mask: number, re: number, im: number): void {
    const { inside, outside } = this.#tile;
    let high = -1;
    let low = -1;
    let tile = 0;
    for (let rest = mask; rest; rest &= rest - 1) {
      const position = 31 - Math.clz32(rest & -rest);
      const bit = inside[position]!;
      if (bit < 0) tile |= 1 << outside[position]!;
      else {
        low = high;
        high = bit;
      }
    }
    if (tile) this.#outside.push({ mask: tile, bit: high, re, im });
    else this.#multiply(high, low < 0 ? high : low, re, im);
  }

  #multiply(high: number, low: number, re: number, im: number): void {
    this.#partners[high]! |= 1 << low;
    this.#partners[low]! |= 1 << high;
    const { doubles } = this.#memory;
    const at = this.#squareAt / 8 + 2 * (high * this.#tile.tileBits + low);
    const [x, y] = [doubles[at]!, doubles[at + 1]!];
    doubles[at] = x * re - y * im;
    doubles[at + 1] = x * im + y * re;
  }

  /** Writes an operation that multiplies by all of the factors. */
  write(kernels: Kernels, numberBytes: 4 | 8): void {
    const { tileBits, rowBits } = this.#tile;
    const partners = this.#partners;
    let [coupled, coupledRows, isWithinRow] = [0, 0, false];
    for (let bit = 0; bit < rowBits; bit++) {
      const rows = partners[bit]! >>> rowBits;
      coupledRows |= rows;
      if (rows) coupled |= 1 << bit;
      isWithinRow ||= (partners[bit]! & (2 ** rowBits - 1)) !== 0;
    }
    const outside = this.#outside;
    const isTrivial = this.#re === 1 && this.#im === 0 && outside.length === 0;
    if (isTrivial && partners.every(mask => mask === 0)) return;
    for (const { bit } of outside) if (bit >= 0 && bit < rowBits) coupled |= 1 << bit;

    const { view, doubles } = this.#memory;
    const rows = 2 ** (tileBits - rowBits);
    const rowAt = isWithinRow ? this.#memory.table((3 * numberBytes + 16) * 2 ** rowBits) : 0;
    const factorsAt = this.#memory.table(16 * rows);
    doubles[factorsAt / 8] = this.#re;
    doubles[factorsAt / 8 + 1] = this.#im;
    const coupledBytes = 8 + 16 * rows;
    const bits: number[] = [];
    for (let bit = 0; bit < rowBits; bit++) if ((coupled >>> bit) & 1) bits.push(bit);
    const coupledAt = this.#memory.table(bits.length * coupledBytes);
    for (let k = 0; k < bits.length; k++) view.setInt32(coupledAt + k * coupledBytes, bits[k]!, true);
    const outsideAt = this.#memory.table(24 * outside.length + (coupled ? 4 * rows : 0));
    for (let k = 0; k < outside.length; k++) {
      const { mask, bit, re, im } = outside[k]!;
      const at = outsideAt + 24 * k;
      view.setUint32(at, mask, true);
      view.setInt32(at + 4, bit, true);
      doubles[at / 8 + 1] = re;
      doubles[at / 8 + 2] = im;
    }
    const orderAt = outsideAt + 24 * outside.length;
    kernels.fillTables(
      ...[numberBytes, tileBits, rowBits, this.#squareAt, rowAt, factorsAt],
      ...[bits.length, coupledAt, orderAt, coupledRows],
    );
    this.#memory.record("diagonal", [bits.length, outside.length, rowAt, factorsAt, coupledAt, outsideAt]);
  }
}
