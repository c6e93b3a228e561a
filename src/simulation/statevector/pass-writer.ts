import { positionsIn } from "./amplitudes.ts";
import { DiagonalPhases } from "./diagonal-phases.ts";
import type { Step } from "./gate-fuser.ts";
import type { Kernels } from "./kernel-memory.ts";
import type { TileBits } from "./pass-memory.ts";
import { HEAD, PassMemory, VECTOR_BYTES } from "./pass-memory.ts";
import { layers, type Pass } from "./schedule.ts";

/** A factor that has to be multiplied in before numbers get too large for single precision. */
const SMALLEST_SCALE = 1e-6;
/** By how many bits the rows of diagonal operations are longer than others, as the kernels have them. */
const EXTRA_ROW_BITS = 1;
/** Bits of a vector's place that the lower table of a permutation covers. */
const LOW_BITS = 6;

/** Tiling of the state, and its addresses in memory. */
export interface TileLayout {
  readonly numberBytes: 4 | 8;
  readonly numPositions: number;
  readonly tileBits: number;
  readonly rowBits: number;
  /** Whether all amplitudes are real, so no imaginary parts are kept. */
  readonly isReal: boolean;
  /** Addresses of the real and the imaginary parts. */
  readonly re: number;
  readonly im: number;
}

/** A memory, and the kernels that work on it. */
export interface KernelSpace {
  readonly memory: WebAssembly.Memory;
  readonly kernels: Kernels;
}

/** Writes the operations of passes where the kernels read them. */
export class PassWriter {
  readonly #layout: TileLayout;
  readonly #memory: PassMemory;
  readonly #kernels: Kernels;
  readonly #tile: TileBits;
  #scale: number;
  #masks = new Map<number, number>();

  private constructor(layout: TileLayout, tile: number, { memory, kernels }: KernelSpace, scale: number) {
    this.#layout = layout;
    this.#memory = new PassMemory(memory.buffer);
    this.#kernels = kernels;
    this.#scale = scale;
    const inside = new Int32Array(layout.numPositions).fill(-1);
    const outside = new Int32Array(layout.numPositions).fill(-1);
    const positions = positionsIn(tile);
    positions.forEach((position, bit) => {
      inside[position] = bit;
    });
    positionsIn((2 ** layout.numPositions - 1) & ~tile).forEach((position, bit) => {
      outside[position] = bit;
    });
    const laneBits = Math.log2(VECTOR_BYTES / layout.numberBytes);
    const rowBits = layout.rowBits + EXTRA_ROW_BITS;
    this.#tile = { tileBits: positions.length, rowBits, laneBits, inside, outside };
    this.#writeHead(positions);
  }

  /**
   * Writes a pass, the state times `scale` to be right, and returns the number of its operations, the scale after it,
   * whether all amplitudes are real then, and the steps that are left for a later one.
   */
  static write(
    layout: TileLayout,
    { tile, steps }: Pass,
    space: KernelSpace,
    scale: number,
  ): { records: number; scale: number; isReal: boolean; left: Step[] } {
    const writer = new PassWriter(layout, tile, space, scale);
    const all = layers(steps);
    const left: Step[] = [];
    for (const layer of all) {
      if (left.length > 0 || !writer.#hasRoom(layer.steps.length)) left.push(...layer.steps);
      else if (layer.kind === "changes") writer.#changes(layer.steps);
      else writer.#phases(layer.steps);
    }
    if (writer.#scale < SMALLEST_SCALE) writer.#phases([]);
    const { records } = writer.#memory;
    writer.#memory.head(HEAD.records, [records]);
    const isReal = layout.isReal && all.every(layer => layer.steps.every(isRealStep));
    writer.#memory.head(HEAD.numbers, [isReal ? 2 : Number(layout.isReal)]);
    return { records, scale: writer.#scale, isReal, left };
  }

  #hasRoom(steps: number): boolean {
    const { tileBits, rowBits } = this.#tile;
    const rows = 2 ** (tileBits - rowBits);
    const tables = 16 * (tileBits ** 2 + rows * (rowBits + 2) + 2 ** rowBits * (steps + 2));
    return this.#memory.room > tables + 64 * (steps + 2);
  }

  #writeHead(positions: readonly number[]): void {
    const { re, im, rowBits, numPositions } = this.#layout;
    const outside = [...this.#tile.outside.keys()].filter(position => this.#tile.outside[position]! >= 0);
    const isWhole = positions.at(-1) === positions.length - 1;
    const high = positions.slice(rowBits);
    const places = selections(high.map(position => 2 ** position));
    this.#memory.head(0, [
      ...[re, im, positions.length, rowBits, Number(isWhole), 0],
      ...[this.#memory.recordsAt, this.#memory.words(places), 0, numPositions - positions.length],
    ]);
    this.#memory.head(HEAD.outside, outside);
  }

  #changes(steps: readonly Step[]): void {
    let exchanges: Exchange[] = [];
    let rotations: Rotation[] = [];
    let touched = 0;
    const exchange = () => {
      this.#exchange(exchanges);
      exchanges = [];
    };
    const flush = () => {
      exchange();
      this.#scale *= writeRotations(this.#memory, this.#tile, rotations);
      if (this.#scale < SMALLEST_SCALE) this.#phases([]);
      rotations = [];
      touched = 0;
    };
    for (const step of steps) {
      if (step.kind === "phase") continue;
      if (touched & ((1 << step.position) | (step.kind === "transform" ? step.mask : 0))) flush();
      if (step.kind === "rotation") {
        touched |= 1 << step.position;
        rotations.push(step);
      } else if (isLinearExchange(step, this.#tile.laneBits)) exchanges.push(step);
      else {
        exchange();
        this.#transform(step);
      }
    }
    flush();
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
      positionsIn(index).reduce((sum, position) => sum + numberBytes * 2 ** this.#tile.inside[position]!, 0);
    const within: number[] = [];
    const lanes = [0, 0];
    const outside: number[] = [];
    columns.forEach((column, position) => {
      const bit = this.#tile.inside[position]!;
      const change = column ^ (1 << position);
      if (bit >= this.#tile.laneBits) within.push(bytesAt(column));
      else if (bit >= 0) lanes[bit] = bytesAt(change);
      else if (change) outside.push(2 ** this.#tile.outside[position]!, bytesAt(change));
    });
    const low = this.#memory.words(selections(within.slice(0, LOW_BITS)));
    const high = this.#memory.words(selections(within.slice(LOW_BITS)));
    const outsideAt = this.#memory.words(outside);
    const numOutside = outside.length / 2;
    this.#memory.record("permute", [numOutside, bytesAt(first), LOW_BITS, low, high, outsideAt, ...lanes]);
  }

  /** Splits controls in those within a row, those of rows, and those of the tile's number. */
  #split(mask: number, on: number): { mask: number; on: number }[] {
    const { rowBits } = this.#layout;
    const parts = [0, 0, 0].map(() => ({ mask: 0, on: 0 }));
    for (const position of positionsIn(mask)) {
      const bit = this.#tile.inside[position]!;
      const [part, place] =
        bit < 0
          ? [parts[2]!, this.#tile.outside[position]!]
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
      [this.#tile.inside[position]!, rows.mask, rows.on, this.#maskTable(within), tiles.mask, tiles.on],
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

  /** Multiplies by phases and by the scale. */
  #phases(steps: readonly Step[]): void {
    const phases = new DiagonalPhases(this.#memory, this.#tile, this.#scale);
    this.#scale = 1;
    for (const step of steps) {
      if (step.kind !== "phase") continue;
      const others = step.mask & (step.mask - 1);
      if ((others & (others - 1)) === 0) phases.add(step);
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
    phases.write(this.#kernels, this.#layout.numberBytes);
  }
}

/** Whether a step makes real numbers of real ones. */
const isRealStep = (step: Step): boolean => step.kind !== "phase" || step.im === 0;

interface Control {
  readonly mask: number;
  readonly on: number;
}

/** A step that flips the bit at a position where one other bit, or none, has a value. */
type Exchange = Step & { kind: "transform" };

/** Whether a step only exchanges amplitudes in a way that exclusive ors of their index describe, and leaves each in its lane. */
function isLinearExchange({ position, mask, matrix }: Exchange, laneBits: number): boolean {
  const [a, b, c, d] = matrix;
  return a === 0 && b === 1 && c === 1 && d === 0 && (mask & (mask - 1)) === 0 && position >= laneBits;
}

/** The index from which exchanges, one after the other, bring an amplitude to index 0, and what each set bit changes in it. */
interface Sources {
  readonly first: number;
  readonly columns: readonly number[];
}

/** Returns the sources of exchanges among the given number of positions. */
function sourcesOf(exchanges: readonly Exchange[], numPositions: number): Sources {
  const source = (index: number) =>
    exchanges.reduceRight(
      (at, { position, mask, on }) => ((at & mask) === on ? at ^ (1 << position) : at),
      index,
    );
  const first = source(0);
  return {
    first,
    columns: Array.from({ length: numPositions }, (_, position) => source(1 << position) ^ first),
  };
}

/** Returns the exclusive ors of all selections of some numbers, the first of them selected by the lowest bit. */
function selections(numbers: readonly number[]): Uint32Array {
  const out = new Uint32Array(2 ** numbers.length);
  numbers.forEach((number, bit) => {
    const half = 2 ** bit;
    for (let i = 0; i < half; i++) out[half + i] = out[i]! ^ number;
  });
  return out;
}

/** A step that rotates one qubit. */
type Rotation = Step & { kind: "rotation" };

/** Rotations that share one pass over a tile, besides those of lanes. */
const MAX_FUSED = 3;

/**
 * Writes rotations of different positions, those of lanes together with a few others, and returns the product of their
 * cosines.
 */
function writeRotations(
  memory: PassMemory,
  { inside, laneBits }: TileBits,
  rotations: readonly Rotation[],
): number {
  const bitOf = ({ position }: Rotation) => inside[position]!;
  const sorted = [...rotations].sort((a, b) => bitOf(a) - bitOf(b));
  let lanes = sorted.filter(rotation => bitOf(rotation) < laneBits);
  const write = (group: readonly Rotation[], ofLanes: readonly Rotation[]) => {
    const bits = [0, 1, 2].map(place => (group[place] ? bitOf(group[place]) : 0));
    const tangents = [0, 1, 2].map(place => group[place]?.tangent ?? 0);
    for (const lane of [0, 1]) tangents.push(ofLanes.find(one => bitOf(one) === lane)?.tangent ?? 0);
    const words = [group.length, ...bits, Number(ofLanes.length > 0)];
    memory.record("rotate", words, tangents, 32);
  };
  const others = sorted.filter(one => bitOf(one) >= laneBits);
  const numFirst = lanes.length > 0 ? others.length % MAX_FUSED : 0;
  if (numFirst > 0) {
    write(others.slice(0, numFirst), lanes);
    lanes = [];
  }
  for (let i = numFirst; i < others.length; i += MAX_FUSED) write(others.slice(i, i + MAX_FUSED), []);
  if (lanes.length > 0) write([], lanes);
  return rotations.reduce((product, { cosine }) => product * cosine, 1);
}
