import type { Precision } from "../execution/simulator.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import type { Philox } from "../sampling/philox.ts";
import type { OverlapMasks } from "./amplitudes.ts";
import type { FreshQubit } from "./gate-fuser.ts";
import { PROGRAM_AT, TASK, TASK_AT } from "./kernel-memory.ts";
import type { KernelSpace, TileLayout } from "./pass-writer.ts";
import type { Planes } from "./small-amplitudes.ts";
import { type Workspace, workspace } from "./workspace.ts";

/** Options for amplitudes in the kernels' memory. */
export interface KernelOptions {
  readonly precision: Precision;
  /** Maximum number of threads that share the work. */
  readonly threads: number;
  /** Is called with the work done; an error that it throws ends the work. */
  readonly meter: Meter;
}

/** Kinds of tasks, as the kernels number them. */
const KIND = { pass: 0, sums: 1, expansion: 2, overlaps: 3 } as const;
const BLOCK = 4096;
const BLOCKS_PER_TICKET = 16;
const CHUNK = 16384;
/** Amplitudes that are touched before it is worth to wake other threads. */
const WORTH_SHARING = 2 ** 19;
const DOUBLE = { minTileBits: 15, maxTileBits: 15, rowBits: 6 } as const;
const TILING = {
  single: { minTileBits: 16, maxTileBits: 17, rowBits: 7 },
  double: DOUBLE,
  reproducible: DOUBLE,
} as const;

/** Real and imaginary parts, as they lie in the memory. */
interface Parts {
  readonly re: Float32Array | Float64Array;
  readonly im: Float32Array | Float64Array;
}

/** Padding in bytes that keeps the planes off the same cache lines. */
const PLANE_PADDING = 4096 + 512;

interface Lease {
  readonly space: Workspace;
  at: number;
}

/** Releases the memory of states that a run has left behind when it was stopped. */
const leaked = new FinalizationRegistry<Lease>(({ space, at }) => space.free(at));

/** The real and the imaginary parts of a power of two of amplitudes in the kernels' memory, and what is done with all of them. */
export class KernelPlanes {
  readonly options: KernelOptions;
  readonly #tiling: (typeof TILING)[Precision];
  /** Bytes of a part. */
  readonly #numberBytes: 4 | 8;
  readonly #lease: Lease;
  /** Qubits that there is room for. */
  #capacity: number;
  #numQubits: number;
  /** Whether all amplitudes are real; the imaginary parts are not set then. */
  #isReal = false;

  /** Finds room for the amplitudes of some qubits, which are not set yet. */
  constructor(numQubits: number, options: KernelOptions) {
    this.options = options;
    this.#tiling = TILING[options.precision];
    this.#numQubits = numQubits;
    this.#numberBytes = options.precision === "single" ? 4 : 8;
    this.#capacity = numQubits;
    const space = workspace(options.precision === "reproducible");
    this.#lease = { space, at: space.allocate(this.#bytesFor(numQubits)) };
    leaked.register(this, this.#lease, this);
  }

  /** Bytes that there is room for. */
  get bytes(): number {
    return 2 * this.#numberBytes * 2 ** this.#capacity;
  }

  get numQubits(): number {
    return this.#numQubits;
  }

  /** Tiling of the amplitudes. */
  get layout(): TileLayout {
    return {
      numberBytes: this.#numberBytes,
      numPositions: this.#numQubits,
      tileBits: this.#tileBits,
      rowBits: this.#tiling.rowBits,
      isReal: this.#isReal,
      ...this.#places,
    };
  }

  /** The memory with the amplitudes, and the kernels that work on it. */
  get space(): KernelSpace {
    return this.#lease.space;
  }

  /** Addresses of the planes. */
  get #places(): { re: number; im: number } {
    const { at } = this.#lease;
    return { re: at, im: at + this.#numberBytes * 2 ** this.#capacity + PLANE_PADDING };
  }

  #bytesFor(numQubits: number): number {
    return 2 * this.#numberBytes * 2 ** numQubits + PLANE_PADDING;
  }

  set({ re, im }: Parts, isReal = areZero(im)): void {
    const to = this.#parts();
    to.re.set(re);
    if (!isReal) to.im.set(im);
    this.#isReal = isReal;
  }

  /** Returns the amplitudes as they lie in the memory now, all imaginary parts among them. */
  views(): Parts {
    const parts = this.#parts();
    if (this.#isReal) parts.im.fill(0);
    this.#isReal = false;
    return parts;
  }

  #parts(): Parts {
    const { re, im } = this.#places;
    const size = 2 ** this.#numQubits;
    const { buffer } = this.space.memory;
    return this.#numberBytes === 4
      ? { re: new Float32Array(buffer, re, size), im: new Float32Array(buffer, im, size) }
      : { re: new Float64Array(buffer, re, size), im: new Float64Array(buffer, im, size) };
  }

  release(): void {
    leaked.unregister(this);
    this.#lease.space.free(this.#lease.at);
  }

  copy(): KernelPlanes {
    const copy = new KernelPlanes(this.#numQubits, this.options);
    copy.set(this.#parts(), this.#isReal);
    return copy;
  }

  /** Makes room for the given number of qubits in one move. */
  reserve(numQubits: number): void {
    if (numQubits <= this.#capacity) return;
    const from = this.#parts();
    const { space, at } = this.#lease;
    this.#lease.at = space.allocate(this.#bytesFor(numQubits));
    this.#capacity = numQubits;
    this.set(from, this.#isReal);
    space.free(at);
  }

  /** Adds qubits at the highest positions, for which there is room: their amplitudes, that of 0 being 1, without that one. */
  expand(factors: readonly FreshQubit[]): void {
    if (factors.some(({ im }) => im !== 0)) this.views();
    const size = 2 ** this.#numQubits;
    new Float64Array(this.space.memory.buffer, PROGRAM_AT, 2 * factors.length).set(
      factors.flatMap(({ re, im }) => [re, im]),
    );
    this.#task(KIND.expansion, PROGRAM_AT, { size });
    const chunk = Math.min(size, CHUNK);
    this.#run((factors.length * size) / chunk, chunk, 0, 0);
    this.#numQubits += Math.log2(factors.length + 1);
  }

  /** Sets the product of two states, that of the lower positions first, for which there is room. */
  setProduct(low: Planes, high: Planes): void {
    this.#numQubits = Math.log2(low.size);
    this.set(amplitudesOf(low));
    const factors = Array.from({ length: high.size }, (_, i) => ({ re: high.re[i]!, im: high.im[i]! }));
    const [{ re, im }, ...others] = factors as [FreshQubit, ...FreshQubit[]];
    this.expand(others);
    for (let i = 0; i < low.size; i++) {
      const [x, y] = [low.re[i]!, low.im[i]!];
      low.re[i] = x * re - y * im;
      low.im[i] = x * im + y * re;
    }
    this.set(amplitudesOf(low), this.#isReal);
  }

  /** Does the pass that was written, after which all amplitudes are real or not; before it one share of the gates is done, after it another. */
  runPass(records: number, isReal: boolean, before: number, after: number): void {
    const tileBits = this.#tileBits;
    this.#task(KIND.pass, PROGRAM_AT);
    this.#run(2 ** (this.#numQubits - tileBits), 2 ** tileBits * records, before, after);
    this.#isReal = isReal;
  }

  /** Adds up the squares of all amplitudes, or of those whose bit at a position is 1, in blocks. */
  sums(position = -1): Float64Array {
    const { space } = this.#lease;
    const blocks = 2 ** this.#numQubits / BLOCK;
    const at = space.allocate(8 * blocks);
    try {
      this.#task(KIND.sums, at, { position, size: blocks });
      this.#run(Math.ceil(blocks / BLOCKS_PER_TICKET), BLOCKS_PER_TICKET * BLOCK);
      return new Float64Array(this.space.memory.buffer, at, blocks).slice();
    } finally {
      space.free(at);
    }
  }

  /** Returns overlaps of the amplitudes as they lie in the memory. */
  overlaps(masks: readonly OverlapMasks[]): Float64Array {
    this.views();
    const { space } = this.#lease;
    const count = masks.length;
    const blocks = 2 ** this.#numQubits / BLOCK;
    const tickets = Math.ceil(blocks / BLOCKS_PER_TICKET);
    const at = space.allocate(8 * count * (tickets + 1));
    try {
      new Uint32Array(this.space.memory.buffer, at, 2 * count).set(
        masks.flatMap(({ flips, signs }) => [flips, signs]),
      );
      this.#task(KIND.overlaps, at, { position: count, size: blocks });
      this.#run(tickets, count * BLOCKS_PER_TICKET * BLOCK);
      const sums = new Float64Array(this.space.memory.buffer, at + 8 * count, count * tickets);
      const totals = new Float64Array(count);
      for (let i = 0; i < sums.length; i++) totals[i % count]! += sums[i]!;
      return totals;
    } finally {
      space.free(at);
    }
  }

  /** Keeps the amplitudes whose bit at a position has a value, without that bit, times a factor. */
  compact(position: number, bit: number, scale: number): void {
    const size = 2 ** this.#numQubits;
    const { kernels } = this.#lease.space;
    const compact = this.options.precision === "single" ? kernels.compactSingle : kernels.compactDouble;
    const { re, im } = this.#places;
    for (const plane of this.#isReal ? [re] : [re, im]) compact(plane, size, position, bit, scale);
    this.#numQubits--;
    this.options.meter.work(size, 1);
  }

  /** Draws the given number of indices, in ascending order. */
  draw(count: number, random: Philox, b: number, stream: number): Uint32Array {
    const sums = this.sums();
    const total = sums.reduce((sum, x) => sum + x, 0);
    const { space } = this.#lease;
    const sumsAt = space.allocate(8 * sums.length + 12 * count);
    try {
      const uniformsAt = sumsAt + 8 * sums.length;
      const indicesAt = uniformsAt + 8 * count;
      new Float64Array(this.space.memory.buffer, sumsAt, sums.length).set(sums);
      const [low, high] = random.key;
      const { kernels } = space;
      kernels.orderedUniforms(uniformsAt, count, low, high, b, stream);
      this.options.meter.work(count, 1);
      const draw = this.options.precision === "single" ? kernels.drawSingle : kernels.drawDouble;
      const { re, im } = this.#places;
      draw(re, this.#isReal ? 0 : im, sums.length, sumsAt, total, uniformsAt, count, indicesAt);
      this.options.meter.work(2 ** this.#numQubits, 1);
      return new Uint32Array(this.space.memory.buffer, indicesAt, count).slice();
    } finally {
      space.free(sumsAt);
    }
  }

  /** The qubits of a tile. From 18 qubits on there are at least four tiles, so threads share them evenly. */
  get #tileBits(): number {
    const { minTileBits, maxTileBits } = this.#tiling;
    return Math.min(this.#numQubits, Math.max(minTileBits, Math.min(maxTileBits, this.#numQubits - 2)));
  }

  #task(kind: number, target: number, { position = 0, size = 0 } = {}): void {
    const words = new Int32Array(this.space.memory.buffer, TASK_AT, 16);
    const { re, im } = this.#places;
    words[TASK.kind / 4] = kind;
    words[TASK.numberBytes / 4] = this.#numberBytes;
    words[TASK.target / 4] = target;
    words[TASK.re / 4] = re;
    words[TASK.im / 4] = this.#isReal ? 0 : im;
    words[TASK.position / 4] = position;
    words[TASK.size / 4] = size;
  }

  /** Does a task whose tickets touch the given number of amplitudes each. */
  #run(tickets: number, amplitudes: number, before = 1, after = 1): void {
    const { meter, threads } = this.options;
    const each = (after - before) / tickets;
    const helped = tickets * amplitudes < WORTH_SHARING ? 1 : threads;
    this.#lease.space.run(tickets, helped, ticket => meter.work(amplitudes, before + each * ticket));
  }
}

const amplitudesOf = ({ re, im, size }: Planes): Parts => ({
  re: re.subarray(0, size),
  im: im.subarray(0, size),
});

function areZero(numbers: ArrayLike<number>): boolean {
  for (let i = 0; i < numbers.length; i++) if (numbers[i] !== 0) return false;
  return true;
}
