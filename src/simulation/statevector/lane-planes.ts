import type { Matrix2 } from "../circuit/matrix.ts";
import type { Condition } from "./condition.ts";
import { LaneSpace } from "./lane-space.ts";

const NUMBER = 8;
/** What lanes that are not selected are multiplied by. */
const IDENTITY = { matrix: [1, 0, 0, 0, 0, 0, 1, 0], phase: [1, 0] };
/** Rows of a multiple of so many columns lie on the same cache lines. */
const ALIASED = 64;

/**
 * The amplitudes of states side by side, in the kernels' memory: a row for each index, real parts before imaginary ones,
 * in which each state has a column. Methods take how many rows are in use.
 */
export class LanePlanes {
  readonly #space: LaneSpace;
  #at = 0;
  #bytes = 0;
  #columns = 0;
  #width = 0;

  constructor(space: LaneSpace) {
    this.#space = space;
  }

  /** Columns in use. */
  get width(): number {
    return this.#width;
  }

  /** Releases the memory. */
  release(): void {
    if (this.#bytes > 0) this.#space.free(this.#at, this.#bytes);
    this.#bytes = 0;
  }

  /** Selects columns for what is called next, and which of the given factors each is multiplied by; default: the first. */
  select(columns: readonly number[], choices?: ArrayLike<number>): void {
    const first = this.#space.scratch.choices / 2;
    const { halves } = this.#space.views;
    halves.fill(0, first, first + this.#width + NUMBER);
    for (let i = 0; i < columns.length; i++) halves[first + columns[i]!] = 1 + (choices ? choices[i]! : 0);
  }

  /** Multiplies the amplitude pairs of one bit by a matrix, or by that of each selected column. */
  matrix(
    size: number,
    position: number,
    { mask, on }: Condition,
    isSelected: boolean,
    matrices: readonly Matrix2[],
  ): void {
    const isReal = matrices.every(m => m[1] === 0 && m[3] === 0 && m[5] === 0 && m[7] === 0);
    const factors = this.#factors(isSelected, IDENTITY.matrix, matrices);
    this.#space.kernels.multiplyLanes(
      ...this.#rows(size),
      1 << position,
      mask,
      on,
      Number(isReal),
      ...factors,
    );
  }

  /** Multiplies amplitudes by a complex number, or by that of each selected column. */
  phase(
    size: number,
    { mask, on }: Condition,
    isSelected: boolean,
    phases: readonly ArrayLike<number>[],
  ): void {
    const factors = this.#factors(isSelected, IDENTITY.phase, phases);
    this.#space.kernels.turnLanes(...this.#rows(size), mask, on, ...factors);
  }

  /** Returns for each column the sum of the squares of the amplitudes whose bit is 0, and of those whose bit is 1. */
  weights(size: number, position: number): [zero: Float64Array, one: Float64Array] {
    this.#space.kernels.weighLanes(...this.#rows(size), 1 << position, this.#space.scratch.sums);
    return this.#sums();
  }

  /**
   * Multiplies the amplitudes of each column whose bit is 0, and those whose bit is 1, by numbers that a function sets.
   * Where the bit is not kept, both are added up in the lower half of the rows.
   */
  project(
    size: number,
    position: number,
    isKept: boolean,
    set: (zero: Float64Array, one: Float64Array) => void,
  ): void {
    set(...this.#sums());
    const { sums } = this.#space.scratch;
    this.#space.kernels.projectLanes(...this.#rows(size), 1 << position, sums, Number(isKept));
  }

  /** Adds a highest bit, which is the parity of others, inverted in the columns that are selected. */
  expand(size: number, parity: number, isSelected: boolean): void {
    this.#reserve(2 * size, this.#width, size);
    const factors = this.#factors(isSelected, [0], [[Number(isSelected)]]);
    this.#space.kernels.expandLanes(...this.#rows(size), parity, ...factors);
  }

  /** Adds a column of amplitudes. */
  add(size: number, re: ArrayLike<number>, im: ArrayLike<number>): void {
    this.#reserve(size, this.#width + 1, size);
    const { numbers } = this.#space.views;
    for (let i = 0; i < size; i++) {
      const at = this.#at / NUMBER + 2 * i * this.#columns + this.#width;
      numbers[at] = re[i]!;
      numbers[at + this.#columns] = im[i]!;
    }
    this.#width++;
  }

  /** Adds columns of planes with as many rows; default: all. `sources` are the rows that each row comes from; default: the same. */
  append(size: number, from: LanePlanes, columns?: ArrayLike<number>, sources?: ArrayLike<number>): void {
    const count = columns?.length ?? from.#width;
    this.#reserve(size, this.#width + count, size);
    const rows = sources ? this.#space.allocate(4 * size) : 0;
    if (sources) this.#space.views.words.set(sources, rows / 4);
    from.#copy(size, this.#at + NUMBER * this.#width, this.#columns, count, columns, rows);
    if (sources) this.#space.free(rows, 4 * size);
    this.#width += count;
  }

  /** Keeps some columns alone, in ascending order. */
  keep(size: number, columns: ArrayLike<number>): void {
    const count = columns.length;
    const room = 4 * count < this.#columns ? columnsFor(count) : this.#columns;
    this.#copy(size, this.#at, room, count, columns, 0);
    this.#columns = room;
    this.#width = count;
  }

  #copy(size: number, to: number, room: number, count: number, columns?: ArrayLike<number>, rows = 0): void {
    const { kernels, scratch, views } = this.#space;
    if (columns) views.words.set(columns, scratch.list / 4);
    const stride = NUMBER * this.#columns;
    const list = columns ? scratch.list : 0;
    kernels.copyLanes(this.#at, stride, to, NUMBER * room, list, count, size, rows);
  }

  /** Makes room for rows and columns. */
  #reserve(rows: number, columns: number, size: number): void {
    if (columns <= this.#columns && 2 * NUMBER * rows * this.#columns <= this.#bytes) return;
    const [at, bytes] = [this.#at, this.#bytes];
    const room =
      columns > this.#columns ? Math.min(columnsFor(1.5 * columns), this.#space.maxColumns) : this.#columns;
    const needed = 2 * NUMBER * rows * room;
    const next = this.#space.allocate(needed);
    if (this.#width > 0) this.#copy(size, next, room, this.#width);
    if (bytes > 0) this.#space.free(at, bytes);
    this.#at = next;
    this.#bytes = LaneSpace.blockOf(needed);
    this.#columns = room;
  }

  #rows(size: number): [at: number, stride: number, bytes: number, size: number] {
    return [this.#at, NUMBER * this.#columns, 2 * NUMBER * Math.ceil(this.#width / 2), size];
  }

  #sums(): [Float64Array, Float64Array] {
    const { numbers } = this.#space.views;
    const first = this.#space.scratch.sums / NUMBER;
    const second = first + this.#columns;
    return [numbers.subarray(first, first + this.#width), numbers.subarray(second, second + this.#width)];
  }

  /** Writes factors of columns that are not selected, and of those that are; returns where kernels find them. */
  #factors(
    isSelected: boolean,
    others: ArrayLike<number>,
    selected: readonly ArrayLike<number>[],
  ): [factors: number, choices: number, table: number] {
    const { factors, choices, table } = this.#space.scratch;
    const { numbers } = this.#space.views;
    let at = factors / NUMBER;
    for (let choice = 0; choice <= selected.length; choice++) {
      const own = choice === 0 ? others : selected[choice - 1]!;
      for (let k = 0; k < others.length; k++) numbers[at++] = own[k]!;
    }
    return [factors, isSelected ? choices : 0, table];
  }
}

/** Returns how many columns are made for so many. */
function columnsFor(width: number): number {
  const columns = 2 * Math.ceil(width / 2);
  return columns % ALIASED === 0 ? columns + NUMBER : columns;
}
