import type { Matrix2 } from "../circuit/matrix.ts";
import type { Philox } from "../sampling/philox.ts";
import type { Amplitudes } from "./amplitudes.ts";
import { PROGRAM_AT, TASK, TASK_AT } from "./kernel-memory.ts";
import type { Meter } from "./limits.ts";
import { Lowering } from "./lowering.ts";
import { type Layout, ProgramWriter } from "./program.ts";
import { nextPass } from "./schedule.ts";
import { SmallAmplitudes } from "./small-amplitudes.ts";
import { type Workspace, workspace } from "./workspace.ts";

/** The fewest qubits for which amplitudes lie in the kernels' memory. */
export const FEWEST_LARGE = 13;
/** Steps that are gathered before they are done. */
const MOST_STEPS = 4096;
const BLOCK = 4096;
const BLOCKS_PER_TICKET = 16;
const CHUNK = 16384;
/** Keeps the planes from falling on the same lines of a cache. */
const GAP = 4096 + 512;

/** In which precision amplitudes are kept. */
export type Precision = "single" | "double";

/** How amplitudes in the kernels' memory are worked on. */
export interface KernelOptions {
  readonly precision: Precision;
  /** Most threads that share the work. */
  readonly threads: number;
  /** Is told what is done; what it throws ends the work. */
  readonly meter: Meter;
}

const CUT = {
  single: { numberBytes: 4, tileBits: 15, rowBits: 7 },
  double: { numberBytes: 8, tileBits: 14, rowBits: 6 },
} as const;

interface Lease {
  readonly space: Workspace;
  at: number;
}

/** Gives back the memory of states that a run has left behind when it was stopped. */
const forgotten = new FinalizationRegistry<Lease>(({ space, at }) => space.free(at));

/**
 * Amplitudes of many qubits in a memory that WebAssembly kernels and threads share. Gates are gathered, planned into
 * passes over the memory when somebody wants to know about the state, and done tile by tile.
 */
export class LargeAmplitudes implements Amplitudes {
  readonly #options: KernelOptions;
  readonly #cut: (typeof CUT)[Precision];
  readonly #workspace: Workspace;
  readonly #lowering: Lowering;
  /** Where the amplitudes lie. */
  readonly #lease: Lease;
  /** Positions that there is room for, and that are filled. */
  #capacity: number;
  #filled: number;
  #scale: number;

  private constructor(
    options: KernelOptions,
    lowering: Lowering,
    space: Workspace,
    capacity: number,
    scale: number,
  ) {
    this.#options = options;
    this.#cut = CUT[options.precision];
    this.#workspace = space;
    this.#lowering = lowering;
    this.#capacity = capacity;
    this.#filled = lowering.numPositions;
    this.#scale = scale;
    this.#lease = { space, at: space.allocate(this.#bytesFor(capacity)) };
    forgotten.register(this, this.#lease, this);
  }

  /** Takes over the amplitudes of a state. */
  static of(small: Amplitudes, options: KernelOptions): LargeAmplitudes {
    const { numPositions } = small;
    const large = new LargeAmplitudes(options, new Lowering(numPositions), workspace(), numPositions, 1);
    const { re, im } = small.planes();
    const size = 2 ** numPositions;
    const own = large.#views();
    own.re.set(re.subarray(0, size));
    own.im.set(im.subarray(0, size));
    return large;
  }

  get numPositions(): number {
    return this.#lowering.numPositions;
  }

  get bytes(): number {
    return 2 * this.#cut.numberBytes * 2 ** Math.max(this.#capacity, this.numPositions);
  }

  activate(): void {
    this.#lowering.activate();
  }

  matrix(position: number, mask: number, on: number, m: Matrix2): void {
    this.#lowering.matrix(position, mask, on, m);
    this.#flushIfFull();
  }

  phase(mask: number, on: number, re: number, im: number): void {
    this.#lowering.phase(mask, on, re, im);
    this.#flushIfFull();
  }

  exchange(position: number, mask: number, on: number): void {
    this.#lowering.exchange(position, mask, on);
    this.#flushIfFull();
  }

  weights(position: number): { zero: number; one: number } {
    this.#flush(true);
    const all = this.#sums(-1).reduce((sum, x) => sum + x, 0);
    const set = this.#sums(position).reduce((sum, x) => sum + x, 0);
    const isFlipped = (this.#lowering.flips >>> position) & 1;
    return isFlipped ? { zero: set, one: all - set } : { zero: all - set, one: set };
  }

  project(position: number, value: number): Amplitudes {
    const weights = this.weights(position);
    this.#options.meter.work(2 ** this.numPositions, 1);
    const bit = value ^ ((this.#lowering.flips >>> position) & 1);
    const scale = 1 / Math.sqrt(value ? weights.one : weights.zero);
    const { re, im } = this.#planesAt();
    const { kernels } = this.#workspace;
    const compact = this.#options.precision === "single" ? kernels.compactSingle : kernels.compactDouble;
    for (const plane of [re, im]) compact(plane, 2 ** this.numPositions, position, bit, scale);
    this.#scale = 1;
    this.#lowering.remove(position);
    this.#filled--;
    if (this.numPositions >= FEWEST_LARGE) return this;
    const small = new SmallAmplitudes({ ...this.planes(), size: 2 ** this.numPositions });
    this.release();
    return small;
  }

  copy(): LargeAmplitudes {
    this.#flush(true);
    const { numPositions } = this;
    const copy = new LargeAmplitudes(
      this.#options,
      this.#lowering.copy(),
      this.#workspace,
      numPositions,
      this.#scale,
    );
    const from = this.#views();
    const to = copy.#views();
    to.re.set(from.re);
    to.im.set(from.im);
    return copy;
  }

  release(): void {
    forgotten.unregister(this);
    this.#workspace.free(this.#lease.at);
  }

  marginal(positions: readonly number[]): Float64Array {
    this.#flush(true);
    const { re, im } = this.#views();
    const { flips } = this.#lowering;
    const half = this.numPositions >> 1;
    const tables = [
      gathered(positions, 0, half, flips),
      gathered(positions, half, this.numPositions, flips),
    ] as const;
    const out = new Float64Array(2 ** positions.length);
    let total = 0;
    for (let high = 0, i = 0; high < tables[1].length; high++) {
      this.#options.meter.work(tables[0].length, 1);
      for (let low = 0; low < tables[0].length; low++, i++) {
        const weight = re[i]! * re[i]! + im[i]! * im[i]!;
        out[tables[0][low]! | tables[1][high]!]! += weight;
        total += weight;
      }
    }
    return out.map(weight => weight / total);
  }

  draw(count: number, random: Philox, b: number, stream: number): Uint32Array {
    this.#flush(true);
    const sums = this.#sums(-1);
    const total = sums.reduce((sum, x) => sum + x, 0);
    const space = this.#workspace;
    const sumsAt = space.allocate(8 * sums.length + 12 * count);
    try {
      const uniformsAt = sumsAt + 8 * sums.length;
      const indicesAt = uniformsAt + 8 * count;
      new Float64Array(space.memory.buffer, sumsAt, sums.length).set(sums);
      const [low, high] = random.key;
      space.kernels.orderedUniforms(uniformsAt, count, low, high, b, stream);
      this.#options.meter.work(count, 1);
      const { re, im } = this.#planesAt();
      const draw = this.#options.precision === "single" ? space.kernels.drawSingle : space.kernels.drawDouble;
      draw(re, im, sums.length, sumsAt, total, uniformsAt, count, indicesAt);
      this.#options.meter.work(2 ** this.numPositions, 1);
      const indices = new Uint32Array(space.memory.buffer, indicesAt, count).slice();
      const { flips } = this.#lowering;
      if (flips) for (let i = 0; i < count; i++) indices[i]! ^= flips;
      return indices;
    } finally {
      space.free(sumsAt);
    }
  }

  planes(): { re: Float64Array; im: Float64Array } {
    this.#flush(false);
    const own = this.#views();
    const size = 2 ** this.numPositions;
    const [re, im] = [new Float64Array(size), new Float64Array(size)];
    for (let i = 0; i < size; i++) {
      const at = i ^ this.#lowering.flips;
      re[i] = own.re[at]! * this.#scale;
      im[i] = own.im[at]! * this.#scale;
    }
    return { re, im };
  }

  #bytesFor(positions: number): number {
    return 2 * this.#cut.numberBytes * 2 ** positions + GAP;
  }

  #planesAt(): { re: number; im: number } {
    return { re: this.#lease.at, im: this.#lease.at + this.#cut.numberBytes * 2 ** this.#capacity + GAP };
  }

  #views(): { re: Float32Array | Float64Array; im: Float32Array | Float64Array } {
    const { buffer } = this.#workspace.memory;
    const { re, im } = this.#planesAt();
    const size = 2 ** this.#filled;
    return this.#options.precision === "single"
      ? { re: new Float32Array(buffer, re, size), im: new Float32Array(buffer, im, size) }
      : { re: new Float64Array(buffer, re, size), im: new Float64Array(buffer, im, size) };
  }

  #flushIfFull(): void {
    if (this.#lowering.steps.length >= MOST_STEPS) this.#flush(true);
  }

  /** Does all gates that wait; phases of single qubits only where they are wanted. */
  #flush(keepsPhases: boolean): void {
    const lowering = this.#lowering;
    lowering.settle(keepsPhases);
    this.#expand();
    if (lowering.steps.length === 0) return;
    const { numberBytes, tileBits, rowBits } = this.#cut;
    const { numPositions } = this;
    const layout: Layout = { numberBytes, numPositions, tileBits, rowBits, ...this.#planesAt() };
    let steps = lowering.steps;
    lowering.steps = [];
    const all = steps.length;
    while (steps.length > 0) {
      const pass = nextPass(steps, numPositions, tileBits, rowBits);
      const { buffer } = this.#workspace.memory;
      const { records, scale, left } = ProgramWriter.write(layout, pass, buffer, this.#scale);
      this.#scale = scale;
      const before = 1 - steps.length / all;
      steps = left.length > 0 ? [...left, ...pass.rest] : pass.rest;
      if (records === 0) continue;
      this.#task(0, PROGRAM_AT);
      const tile = 2 ** Math.min(numPositions, tileBits);
      this.#run(2 ** Math.max(0, numPositions - tileBits), tile * records, before, 1 - steps.length / all);
    }
  }

  /** Fills the memory of qubits that are new. */
  #expand(): void {
    const { numPositions } = this;
    if (this.#filled === numPositions) return;
    if (numPositions > this.#capacity) {
      const from = this.#views();
      const old = this.#lease.at;
      this.#lease.at = this.#workspace.allocate(this.#bytesFor(numPositions));
      this.#capacity = numPositions;
      const to = this.#views();
      to.re.set(from.re);
      to.im.set(from.im);
      this.#workspace.free(old);
    }
    for (let position = this.#filled; position < numPositions; position++) {
      const { re, im } = this.#lowering.takeFresh(position);
      this.#scale /= Math.hypot(1, re, im);
      const half = 2 ** position;
      this.#task(2, 0);
      const words = new Uint32Array(this.#workspace.memory.buffer, TASK_AT, 16);
      words[TASK.size / 4] = half;
      new Float64Array(this.#workspace.memory.buffer, TASK_AT + TASK.factor, 2).set([re, im]);
      this.#run(Math.ceil(half / CHUNK), Math.min(half, CHUNK), 0, 0);
    }
    this.#filled = numPositions;
  }

  /** Gives the probability of each block, of all its amplitudes or of those whose bit at a position is 1. */
  #sums(position: number): Float64Array {
    const space = this.#workspace;
    const blocks = 2 ** this.numPositions / BLOCK;
    const at = space.allocate(8 * blocks);
    try {
      this.#task(1, at);
      const words = new Int32Array(space.memory.buffer, TASK_AT, 16);
      words[TASK.position / 4] = position;
      words[TASK.size / 4] = blocks;
      this.#run(Math.ceil(blocks / BLOCKS_PER_TICKET), BLOCKS_PER_TICKET * BLOCK);
      return new Float64Array(space.memory.buffer, at, blocks).slice();
    } finally {
      space.free(at);
    }
  }

  #task(kind: number, target: number): void {
    const words = new Uint32Array(this.#workspace.memory.buffer, TASK_AT, 16);
    const { re, im } = this.#planesAt();
    words[TASK.kind / 4] = kind;
    words[TASK.numberBytes / 4] = this.#cut.numberBytes;
    words[TASK.target / 4] = target;
    words[TASK.re / 4] = re;
    words[TASK.im / 4] = im;
  }

  /** Does a task whose tickets touch so many amplitudes each; before it one share of the gates is done, after it another. */
  #run(tickets: number, amplitudes: number, before = 1, after = 1): void {
    const { meter, threads } = this.#options;
    const each = (after - before) / tickets;
    this.#workspace.run(tickets, threads, ticket => meter.work(amplitudes, before + each * ticket));
  }
}

/** Gives, for each value of the index bits `from` to `to`, the bits of it that are at the given positions. */
function gathered(positions: readonly number[], from: number, to: number, flips: number): Uint32Array {
  const out = new Uint32Array(2 ** (to - from));
  for (let i = 0; i < out.length; i++) {
    const index = (i << from) ^ (flips & ((2 ** (to - from) - 1) << from));
    positions.forEach((position, place) => {
      if (position >= from && position < to) out[i]! |= ((index >>> position) & 1) << place;
    });
  }
  return out;
}
