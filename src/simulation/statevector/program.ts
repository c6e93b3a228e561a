import { positionsIn } from "./amplitudes.ts";
import { DiagonalTables } from "./diagonal-tables.ts";
import { PROGRAM_AT, PROGRAM_BYTES } from "./kernel-memory.ts";
import type { Step } from "./lowering.ts";
import { layers, type Pass } from "./schedule.ts";

/** Kinds of operations, as the kernels number them. */
const KIND = { rotate: 0, diagonal: 1, transform: 2, selected: 3 } as const;
const RECORD_BYTES = { rotate: 48, diagonal: 32, transform: 64, selected: 56 } as const;
/** Rotations that share one pass over a tile. */
const MOST_FUSED = 3;
/** A factor that has to be multiplied in before numbers get too large for single precision. */
const SMALLEST_SCALE = 1e-6;
const PASS_BYTES = 256;

/** Where a state lies and how it is cut. */
export interface Layout {
  readonly numberBytes: 4 | 8;
  readonly numPositions: number;
  readonly tileBits: number;
  readonly rowBits: number;
  /** Addresses of the real and the imaginary parts. */
  readonly re: number;
  readonly im: number;
}

/** Writes the operations of passes where the kernels read them. */
export class ProgramWriter {
  readonly #layout: Layout;
  readonly #view: DataView;
  readonly #tileBits: number;
  /** For each position its bit in a tile, or -1, and its bit in the tile's number, or -1. */
  readonly #inside: Int32Array;
  readonly #outside: Int32Array;
  #at = PROGRAM_AT + PASS_BYTES;
  /** Tables are written from the end on. */
  #tablesAt = PROGRAM_AT + PROGRAM_BYTES;
  #records = 0;
  #scale: number;
  #masks = new Map<number, number>();

  private constructor(layout: Layout, tile: number, buffer: ArrayBufferLike, scale: number) {
    this.#layout = layout;
    this.#view = new DataView(buffer);
    this.#scale = scale;
    this.#inside = new Int32Array(layout.numPositions).fill(-1);
    this.#outside = new Int32Array(layout.numPositions).fill(-1);
    const positions = positionsIn(tile);
    this.#tileBits = positions.length;
    positions.forEach((position, bit) => {
      this.#inside[position] = bit;
    });
    positionsIn((2 ** layout.numPositions - 1) & ~tile).forEach((position, bit) => {
      this.#outside[position] = bit;
    });
    this.#writeHead(positions);
  }

  /**
   * Writes a pass, the state times `scale` to be right, and gives the number of its operations, the scale after it,
   * and the steps that there was no room for.
   */
  static write(
    layout: Layout,
    { tile, steps }: Pass,
    buffer: ArrayBufferLike,
    scale: number,
  ): { records: number; scale: number; left: Step[] } {
    const writer = new ProgramWriter(layout, tile, buffer, scale);
    const left: Step[] = [];
    for (const layer of layers(steps)) {
      if (left.length > 0 || !writer.#hasRoom(layer.steps.length)) left.push(...layer.steps);
      else if (layer.kind === "phases") writer.#phases(layer.steps);
      else writer.#changes(layer.steps);
    }
    if (writer.#scale < SMALLEST_SCALE) writer.#phases([]);
    writer.#view.setInt32(PROGRAM_AT + 20, writer.#records, true);
    return { records: writer.#records, scale: writer.#scale, left };
  }

  #hasRoom(steps: number): boolean {
    const rows = 2 ** (this.#tileBits - this.#layout.rowBits);
    const tables = 16 * rows * (this.#layout.rowBits + 2) + 2 ** this.#layout.rowBits * 16 * (steps + 1);
    return this.#tablesAt - this.#at > tables + 64 * (steps + 2);
  }

  #writeHead(positions: readonly number[]): void {
    const { re, im, rowBits, numPositions } = this.#layout;
    const outside = [...this.#outside.keys()].filter(position => this.#outside[position]! >= 0);
    const isWhole = positions.at(-1) === positions.length - 1;
    const high = positions.slice(rowBits);
    const places = Array.from({ length: 2 ** high.length }, (_, row) =>
      high.reduce((place, position, bit) => place + ((row >> bit) & 1) * 2 ** position, 0),
    );
    const placesAt = this.#table(4 * places.length);
    places.forEach((place, row) => {
      this.#view.setUint32(placesAt + 4 * row, place, true);
    });
    [
      re,
      im,
      positions.length,
      rowBits,
      Number(isWhole),
      0,
      this.#at,
      placesAt,
      numPositions - positions.length,
    ].forEach((value, i) => {
      this.#view.setUint32(PROGRAM_AT + 4 * i, value, true);
    });
    outside.forEach((position, i) => {
      this.#view.setInt32(PROGRAM_AT + 36 + 4 * i, position, true);
    });
  }

  /** Gives room for a table. */
  #table(bytes: number): number {
    this.#tablesAt -= Math.ceil(bytes / 16) * 16;
    return this.#tablesAt;
  }

  /** Begins a record and gives its address. */
  #record(
    kind: keyof typeof KIND,
    words: readonly number[],
    reals: readonly number[] = [],
    realsAt = 24,
  ): void {
    const at = this.#at;
    this.#at += RECORD_BYTES[kind];
    this.#records++;
    [KIND[kind], RECORD_BYTES[kind], ...words].forEach((word, i) => {
      this.#view.setUint32(at + 4 * i, word >>> 0, true);
    });
    reals.forEach((real, i) => {
      this.#view.setFloat64(at + realsAt + 8 * i, real, true);
    });
  }

  #changes(steps: readonly Step[]): void {
    let rotations: (Step & { kind: "rotation" })[] = [];
    let touched = 0;
    const flush = () => {
      this.#rotations(rotations);
      rotations = [];
      touched = 0;
    };
    for (const step of steps) {
      if (step.kind === "rotation") {
        if (touched & (1 << step.position)) flush();
        touched |= 1 << step.position;
        rotations.push(step);
      } else if (step.kind === "transform") {
        if (touched & ((1 << step.position) | step.mask)) flush();
        this.#transform(step);
      }
    }
    flush();
  }

  #rotations(rotations: (Step & { kind: "rotation" })[]): void {
    const laneBits = this.#layout.numberBytes === 4 ? 2 : 1;
    const sorted = rotations
      .map(({ position, tangent, cosine }) => ({ bit: this.#inside[position]!, tangent, cosine }))
      .sort((a, b) => a.bit - b.bit);
    for (let i = 0; i < sorted.length; ) {
      const group = sorted[i]!.bit < laneBits ? sorted.slice(i, i + 1) : sorted.slice(i, i + MOST_FUSED);
      i += group.length;
      const bits = [0, 1, 2].map(place => group[place]?.bit ?? 0);
      this.#record(
        "rotate",
        [group.length, ...bits],
        group.map(({ tangent }) => tangent),
      );
      for (const { cosine } of group) this.#scale *= cosine;
      if (this.#scale < SMALLEST_SCALE) this.#phases([]);
    }
  }

  /** Splits controls in those within a row, those of rows, and those of the tile's number. */
  #split(mask: number, on: number): { mask: number; on: number }[] {
    const { rowBits } = this.#layout;
    const parts = [0, 0, 0].map(() => ({ mask: 0, on: 0 }));
    for (const position of positionsIn(mask)) {
      const bit = this.#inside[position]!;
      const [part, place] =
        bit < 0
          ? [parts[2]!, this.#outside[position]!]
          : bit < rowBits
            ? [parts[0]!, bit]
            : [parts[1]!, bit - rowBits];
      part.mask |= 1 << place;
      if ((on >>> position) & 1) part.on |= 1 << place;
    }
    return parts;
  }

  #transform({ position, mask, on, matrix }: Step & { kind: "transform" }): void {
    const [within, rows, tiles] = this.#split(mask, on) as [Control, Control, Control];
    this.#record(
      "transform",
      [this.#inside[position]!, rows.mask, rows.on, this.#maskTable(within), tiles.mask, tiles.on],
      matrix,
      32,
    );
  }

  /** Gives a table of the numbers of a row that controls select, or 0 where they select all. */
  #maskTable({ mask, on }: Control): number {
    if (mask === 0) return 0;
    const key = mask * 256 + on;
    const known = this.#masks.get(key);
    if (known) return known;
    const { rowBits, numberBytes } = this.#layout;
    const at = this.#table(2 ** rowBits * numberBytes);
    for (let i = 0; i < 2 ** rowBits; i++)
      for (let byte = 0; byte < numberBytes; byte += 4)
        this.#view.setInt32(at + i * numberBytes + byte, (i & mask) === on ? -1 : 0, true);
    this.#masks.set(key, at);
    return at;
  }

  #phases(steps: readonly Step[]): void {
    const { rowBits, numberBytes } = this.#layout;
    const tables = new DiagonalTables(this.#tileBits, rowBits, this.#inside, this.#outside, this.#scale);
    this.#scale = 1;
    for (const step of steps) {
      if (step.kind !== "phase") continue;
      if (positionsIn(step.mask).length <= 2) tables.add(step);
      else {
        const [within, rows, tiles] = this.#split(step.mask, step.on) as [Control, Control, Control];
        this.#record(
          "selected",
          [0, rows.mask, rows.on, 0, tiles.mask, tiles.on, within.mask, within.on],
          [step.re, step.im],
          40,
        );
      }
    }
    if (tables.isTrivial) return;
    const row = tables.row();
    const rowAt = row ? this.#table(2 * numberBytes * 2 ** rowBits) : 0;
    const { buffer } = this.#view;
    if (row)
      (numberBytes === 4
        ? new Float32Array(buffer, rowAt, row.length)
        : new Float64Array(buffer, rowAt, row.length)
      ).set(row);
    const factors = tables.rowFactors();
    const factorsAt = this.#table(8 * factors.length);
    new Float64Array(buffer, factorsAt, factors.length).set(factors);
    const coupled = tables.coupled();
    const rowBytes = 16 * 2 ** (this.#tileBits - rowBits);
    const coupledAt = this.#table(coupled.length * (8 + rowBytes));
    coupled.forEach((own, k) => {
      const at = coupledAt + k * (8 + rowBytes);
      this.#view.setInt32(at, own.bit, true);
      new Float64Array(buffer, at + 8, own.factors.length).set(own.factors);
    });
    const outsideAt = this.#table(24 * tables.outside.length);
    tables.outside.forEach(({ mask, bit, re, im }, k) => {
      const at = outsideAt + 24 * k;
      this.#view.setUint32(at, mask, true);
      this.#view.setInt32(at + 4, bit, true);
      this.#view.setFloat64(at + 8, re, true);
      this.#view.setFloat64(at + 16, im, true);
    });
    this.#record("diagonal", [coupled.length, tables.outside.length, rowAt, factorsAt, coupledAt, outsideAt]);
  }
}

interface Control {
  readonly mask: number;
  readonly on: number;
}
