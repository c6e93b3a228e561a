import { positionsIn } from "./amplitudes.ts";
import { writeDiagonal } from "./diagonal-record.ts";
import { DiagonalTables } from "./diagonal-tables.ts";
import type { Step } from "./gate-fuser.ts";
import { HEAD, PassMemory } from "./pass-memory.ts";
import { type Exchange, isLinearExchange, selections, sourcesOf } from "./permutation.ts";
import { layers, type Pass } from "./schedule.ts";

/** Rotations that share one pass over a tile. */
const MAX_FUSED = 3;
/** A factor that has to be multiplied in before numbers get too large for single precision. */
const SMALLEST_SCALE = 1e-6;
const VECTOR_BYTES = 16;
/** Bits of a vector's place that the lower table of a permutation covers. */
const LOW_BITS = 6;

/** Tiling of the state, and its addresses in memory. */
export interface TileLayout {
  readonly numberBytes: 4 | 8;
  readonly numPositions: number;
  readonly tileBits: number;
  readonly rowBits: number;
  /** Addresses of the real and the imaginary parts. */
  readonly re: number;
  readonly im: number;
}

/** Writes the operations of passes where the kernels read them. */
export class PassWriter {
  readonly #layout: TileLayout;
  readonly #memory: PassMemory;
  readonly #tileBits: number;
  /** For each position its bit in a tile, or -1, and its bit in the tile's number, or -1. */
  readonly #inside: Int32Array;
  readonly #outside: Int32Array;
  #scale: number;
  #masks = new Map<number, number>();

  private constructor(layout: TileLayout, tile: number, buffer: ArrayBufferLike, scale: number) {
    this.#layout = layout;
    this.#memory = new PassMemory(buffer);
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
   * Writes a pass, the state times `scale` to be right, and returns the number of its operations, the scale after it,
   * and the steps that there was no room for.
   */
  static write(
    layout: TileLayout,
    { tile, steps }: Pass,
    buffer: ArrayBufferLike,
    scale: number,
  ): { records: number; scale: number; left: Step[] } {
    const writer = new PassWriter(layout, tile, buffer, scale);
    const left: Step[] = [];
    for (const layer of layers(steps)) {
      if (left.length > 0 || !writer.#hasRoom(layer.steps.length)) left.push(...layer.steps);
      else if (layer.kind === "phases") writer.#phases(layer.steps);
      else writer.#changes(layer.steps);
    }
    if (writer.#scale < SMALLEST_SCALE) writer.#phases([]);
    const { records } = writer.#memory;
    writer.#memory.head(HEAD.records, [records]);
    return { records, scale: writer.#scale, left };
  }

  #hasRoom(steps: number): boolean {
    const rows = 2 ** (this.#tileBits - this.#layout.rowBits);
    const tables = 16 * rows * (this.#layout.rowBits + 2) + 2 ** this.#layout.rowBits * 16 * (steps + 1);
    return this.#memory.room > tables + 64 * (steps + 2);
  }

  #writeHead(positions: readonly number[]): void {
    const { re, im, rowBits, numPositions } = this.#layout;
    const outside = [...this.#outside.keys()].filter(position => this.#outside[position]! >= 0);
    const isWhole = positions.at(-1) === positions.length - 1;
    const high = positions.slice(rowBits);
    const places = selections(high.map(position => 2 ** position));
    this.#memory.head(0, [
      ...[re, im, positions.length, rowBits, Number(isWhole), 0],
      ...[this.#memory.recordsAt, this.#memory.words(places), numPositions - positions.length],
    ]);
    this.#memory.head(HEAD.outside, outside);
  }

  #changes(steps: readonly Step[]): void {
    let exchanges: Exchange[] = [];
    let rotations: (Step & { kind: "rotation" })[] = [];
    let touched = 0;
    const exchange = () => {
      this.#exchange(exchanges);
      exchanges = [];
    };
    const flush = () => {
      exchange();
      this.#rotations(rotations);
      rotations = [];
      touched = 0;
    };
    for (const step of steps) {
      if (step.kind === "phase") continue;
      if (touched & ((1 << step.position) | (step.kind === "transform" ? step.mask : 0))) flush();
      if (step.kind === "rotation") {
        touched |= 1 << step.position;
        rotations.push(step);
      } else if (isLinearExchange(step, this.#laneBits)) exchanges.push(step);
      else {
        exchange();
        this.#transform(step);
      }
    }
    flush();
  }

  /** Bits of an index that select a number of a vector. */
  get #laneBits(): number {
    return Math.log2(VECTOR_BYTES / this.#layout.numberBytes);
  }

  /** Does exchanges in one move of all vectors of a tile; one that moves rows alone is done in place. */
  #exchange(exchanges: readonly Exchange[]): void {
    const { rowBits, numberBytes } = this.#layout;
    const [only] = exchanges;
    if (!only) return;
    if (exchanges.length === 1 && only.mask >= 2 ** rowBits) {
      this.#transform(only);
      return;
    }
    this.#memory.head(HEAD.isWhole, [0]);
    const { first, columns } = sourcesOf(exchanges, this.#layout.numPositions);
    const bytesAt = (index: number) =>
      positionsIn(index).reduce((sum, position) => sum + numberBytes * 2 ** this.#inside[position]!, 0);
    const within: number[] = [];
    const lanes = [0, 0];
    const outside: number[] = [];
    columns.forEach((column, position) => {
      const bit = this.#inside[position]!;
      const change = column ^ (1 << position);
      if (bit >= this.#laneBits) within.push(bytesAt(column));
      else if (bit >= 0) lanes[bit] = bytesAt(change);
      else if (change) outside.push(2 ** this.#outside[position]!, bytesAt(change));
    });
    const low = this.#memory.words(selections(within.slice(0, LOW_BITS)));
    const high = this.#memory.words(selections(within.slice(LOW_BITS)));
    const outsideAt = this.#memory.words(outside);
    const numOutside = outside.length / 2;
    this.#memory.record("permute", [numOutside, bytesAt(first), LOW_BITS, low, high, outsideAt, ...lanes]);
  }

  #rotations(rotations: (Step & { kind: "rotation" })[]): void {
    const laneBits = this.#laneBits;
    const sorted = rotations
      .map(({ position, tangent, cosine }) => ({ bit: this.#inside[position]!, tangent, cosine }))
      .sort((a, b) => a.bit - b.bit);
    const lanes = sorted.filter(({ bit }) => bit < laneBits);
    const others = sorted.slice(lanes.length);
    for (let i = 0, isFirst = lanes.length > 0; isFirst || i < others.length; isFirst = false) {
      const group = others.slice(i, i + (isFirst ? others.length % MAX_FUSED : MAX_FUSED));
      const fused = isFirst ? [...lanes, ...group] : group;
      i += group.length;
      const bits = [0, 1, 2].map(place => group[place]?.bit ?? 0);
      const tangents = [0, 1, 2].map(place => group[place]?.tangent ?? 0);
      for (const lane of [0, 1])
        tangents.push((isFirst && lanes.find(({ bit }) => bit === lane)?.tangent) || 0);
      this.#memory.record("rotate", [group.length, ...bits, Number(isFirst)], tangents, 32);
      for (const { cosine } of fused) this.#scale *= cosine;
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
    this.#memory.record(
      "transform",
      [this.#inside[position]!, rows.mask, rows.on, this.#maskTable(within), tiles.mask, tiles.on],
      matrix,
      32,
    );
  }

  /** Returns a table of the numbers of a row that controls select, or 0 where they select all. */
  #maskTable({ mask, on }: Control): number {
    if (mask === 0) return 0;
    const key = mask * 256 + on;
    const known = this.#masks.get(key);
    if (known) return known;
    const { rowBits, numberBytes } = this.#layout;
    const at = this.#memory.table(2 ** rowBits * numberBytes);
    for (let i = 0; i < 2 ** rowBits; i++)
      for (let byte = 0; byte < numberBytes; byte += 4)
        this.#memory.view.setInt32(at + i * numberBytes + byte, (i & mask) === on ? -1 : 0, true);
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
        this.#memory.record(
          "selected",
          [0, rows.mask, rows.on, 0, tiles.mask, tiles.on, within.mask, within.on],
          [step.re, step.im],
          40,
        );
      }
    }
    writeDiagonal(this.#memory, tables, numberBytes);
  }
}

interface Control {
  readonly mask: number;
  readonly on: number;
}
