import { PROGRAM_AT, PROGRAM_BYTES } from "./kernel-memory.ts";

/** Bits of a tile, and where the positions of the state are among them. */
export interface TileBits {
  readonly tileBits: number;
  /** Bits of an index within a row of a diagonal operation, and of these the ones that select a number of a vector. */
  readonly rowBits: number;
  readonly laneBits: number;
  /** For each position its bit in a tile, or -1, and its bit in the tile's number, or -1. */
  readonly inside: Int32Array;
  readonly outside: Int32Array;
}

/** Kinds of operations, as the kernels number them, and the bytes of their records. */
const RECORDS = {
  rotate: { kind: 0, bytes: 72 },
  diagonal: { kind: 1, bytes: 32 },
  transform: { kind: 2, bytes: 64 },
  selected: { kind: 3, bytes: 56 },
  permute: { kind: 4, bytes: 40 },
} as const;
/** Bytes of a vector, and of numbers that are done at once. */
export const VECTOR_BYTES = 16;
const HEAD_BYTES = 256;
/** Words of a pass's head. */
export const HEAD = { isWhole: 4, records: 5, numbers: 8, outside: 10 } as const;

/** The part of the kernels' memory where they read a pass: a head, records of operations, and tables. */
export class PassMemory {
  readonly #view: DataView;
  /** The memory as numbers of double precision. */
  readonly doubles: Float64Array;
  #at = PROGRAM_AT + HEAD_BYTES;
  /** Tables are written from the end on. */
  #tablesAt = PROGRAM_AT + PROGRAM_BYTES;
  #records = 0;

  constructor(buffer: ArrayBufferLike) {
    this.#view = new DataView(buffer);
    this.doubles = new Float64Array(buffer);
  }

  get records(): number {
    return this.#records;
  }

  get recordsAt(): number {
    return PROGRAM_AT + HEAD_BYTES;
  }

  /** Bytes that are free. */
  get room(): number {
    return this.#tablesAt - this.#at;
  }

  /** Writes words of the head, from one of them on. */
  head(from: number, words: readonly number[]): void {
    words.forEach((word, i) => {
      this.#view.setUint32(PROGRAM_AT + 4 * (from + i), word, true);
    });
  }

  /** Writes a record: words, and numbers from a place on. */
  record(
    name: keyof typeof RECORDS,
    words: readonly number[],
    reals: readonly number[] = [],
    realsAt = 24,
  ): void {
    const { kind, bytes } = RECORDS[name];
    const at = this.#at;
    this.#at += bytes;
    this.#records++;
    [kind, bytes, ...words].forEach((word, i) => {
      this.#view.setUint32(at + 4 * i, word >>> 0, true);
    });
    reals.forEach((real, i) => {
      this.#view.setFloat64(at + realsAt + 8 * i, real, true);
    });
  }

  /** Allocates a table, and returns its address. */
  table(bytes: number): number {
    this.#tablesAt -= Math.ceil(bytes / 16) * 16;
    return this.#tablesAt;
  }

  /** Writes a table of words, and returns its address. */
  words(values: ArrayLike<number>): number {
    const at = this.table(4 * values.length);
    new Uint32Array(this.#view.buffer, at, values.length).set(values);
    return at;
  }

  /** The memory, for tables of several kinds of numbers. */
  get view(): DataView {
    return this.#view;
  }
}
