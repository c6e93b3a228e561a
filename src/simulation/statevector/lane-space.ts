import { type Workspace, workspace } from "./workspace.ts";

/** The fewest bytes of a block, and of what is taken of the workspace at a time. */
const MIN_BLOCK = 2 ** 10;
const CHUNK = 2 ** 20;
/** Bytes of a 2×2 matrix, and of one for each of eight columns. */
const MATRIX_BYTES = 64;
const TABLE_BYTES = 8 * MATRIX_BYTES;

/** Regions of the workspace that a run of lanes has taken. */
interface Lease {
  readonly space: Workspace;
  readonly regions: number[];
}

const free = ({ space, regions }: Lease) => {
  for (const at of regions.splice(0)) space.free(at);
};

/** Releases the memory of lanes that a run has left behind when it was stopped. */
const leaked = new FinalizationRegistry<Lease>(free);

/** Blocks of the kernels' memory for lanes, in powers of two of bytes, and views of all of it. */
export class LaneSpace {
  /** Columns that planes may have. */
  readonly maxColumns: number;
  /** Where kernels find what they are given besides amplitudes. */
  readonly scratch: { factors: number; table: number; choices: number; list: number; sums: number };
  readonly #lease: Lease;
  /** For each power of two, the blocks that are free. */
  readonly #free: number[][] = [];
  #views: { numbers: Float64Array; words: Uint32Array; halves: Uint16Array } | undefined;

  /** Takes memory of kernels of plain SIMD, or of the fastest, for so many lanes. */
  constructor(isPlain: boolean, capacity: number) {
    this.maxColumns = 16 * Math.ceil(capacity / 16) + 16;
    this.#lease = { space: workspace(isPlain), regions: [] };
    leaked.register(this, this.#lease);
    const table = this.allocate(TABLE_BYTES + (MATRIX_BYTES + 2 + 4 + 16) * this.maxColumns);
    const factors = table + TABLE_BYTES;
    const sums = factors + MATRIX_BYTES * this.maxColumns;
    const list = sums + 16 * this.maxColumns;
    this.scratch = { table, factors, sums, list, choices: list + 4 * this.maxColumns };
  }

  get kernels(): Workspace["kernels"] {
    return this.#lease.space.kernels;
  }

  /** The memory, as it is until more is allocated. */
  get views(): { numbers: Float64Array; words: Uint32Array; halves: Uint16Array } {
    const { buffer } = this.#lease.space.memory;
    if (this.#views?.halves.buffer !== buffer)
      this.#views = {
        numbers: new Float64Array(buffer),
        words: new Uint32Array(buffer),
        halves: new Uint16Array(buffer),
      };
    return this.#views!;
  }

  /** Returns the bytes of the block that holds so many. */
  static blockOf(bytes: number): number {
    return Math.max(MIN_BLOCK, 2 ** Math.ceil(Math.log2(bytes)));
  }

  /** Finds a block for so many bytes. Throws a MemoryLimitError where there is none. */
  allocate(bytes: number): number {
    const block = LaneSpace.blockOf(bytes);
    this.#free[Math.log2(block)] ??= [];
    const blocks = this.#free[Math.log2(block)]!;
    if (blocks.length === 0) {
      const { space, regions } = this.#lease;
      const taken = Math.max(block, CHUNK);
      const at = space.allocate(taken);
      regions.push(at);
      for (let offset = 0; offset < taken; offset += block) blocks.push(at + offset);
    }
    return blocks.pop()!;
  }

  /** Frees a block that was allocated for so many bytes. */
  free(at: number, bytes: number): void {
    this.#free[Math.log2(LaneSpace.blockOf(bytes))]!.push(at);
  }

  /** Releases all of the memory. */
  release(): void {
    this.#free.length = 0;
    free(this.#lease);
  }
}
