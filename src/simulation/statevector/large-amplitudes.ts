import type { Matrix } from "../linear-algebra/matrix.ts";
import type { Philox } from "../sampling/philox.ts";
import type { Amplitudes, OverlapMasks } from "./amplitudes.ts";
import { type FreshQubit, GateFuser } from "./gate-fuser.ts";
import { type KernelOptions, KernelPlanes } from "./kernel-planes.ts";
import { PassWriter } from "./pass-writer.ts";
import { valueAt } from "./qubit-layout.ts";
import { nextPass } from "./schedule.ts";
import { separateParts } from "./separate-parts.ts";
import { gatherBits, marginal, type Planes, SmallAmplitudes } from "./small-amplitudes.ts";

/** The fewest qubits for which amplitudes lie in the kernels' memory. */
export const MIN_LARGE_QUBITS = 13;
/** Steps that are gathered before they are run. */
const MAX_STEPS = 4096;

/**
 * Amplitudes of many qubits in a memory that WebAssembly kernels and threads share. Gates are gathered, planned into
 * passes over the memory when somebody wants to know about the state, and done tile by tile.
 */
export class LargeAmplitudes implements Amplitudes {
  readonly #planes: KernelPlanes;
  readonly #fuser: GateFuser;
  /** Factor that normalizes the amplitudes in memory. */
  #scale: number;
  /** The amplitudes in memory while nothing was done with them, in double precision. */
  #start: Planes | null = null;

  private constructor(planes: KernelPlanes, fuser: GateFuser, scale: number) {
    this.#planes = planes;
    this.#fuser = fuser;
    this.#scale = scale;
  }

  /** Takes over the amplitudes of a state. */
  static of(small: Amplitudes, options: KernelOptions): LargeAmplitudes {
    const { numPositions } = small;
    const planes = new KernelPlanes(numPositions, options);
    const { re, im } = small.planes();
    const size = 2 ** numPositions;
    planes.set({ re: re.subarray(0, size), im: im.subarray(0, size) });
    const large = new LargeAmplitudes(planes, new GateFuser(numPositions), 1);
    large.#start = { re, im, size };
    return large;
  }

  get numPositions(): number {
    return this.#fuser.numPositions;
  }

  get bytes(): number {
    return this.#planes.bytes * 2 ** Math.max(0, this.numPositions - this.#planes.numQubits);
  }

  addQubit(): void {
    this.#fuser.addQubit();
  }

  matrix(position: number, mask: number, on: number, m: Matrix): void {
    this.#fuser.matrix(position, mask, on, m);
    this.#flushIfFull();
  }

  phase(mask: number, on: number, re: number, im: number): void {
    this.#fuser.phase(mask, on, re, im);
    this.#flushIfFull();
  }

  weights(position: number): { zero: number; one: number } {
    this.#flush(true);
    const add = (sums: Float64Array) => sums.reduce((sum, x) => sum + x, 0);
    const all = add(this.#planes.sums());
    const set = add(this.#planes.sums(position));
    return this.#bitAt(position, 1) ? { zero: all - set, one: set } : { zero: set, one: all - set };
  }

  project(position: number, value: number): Amplitudes {
    const { zero, one } = this.weights(position);
    this.#planes.compact(position, this.#bitAt(position, value), 1 / Math.sqrt(value ? one : zero));
    this.#scale = 1;
    this.#fuser.remove(position);
    if (this.numPositions >= MIN_LARGE_QUBITS) return this;
    const small = new SmallAmplitudes({ ...this.planes(), size: 2 ** this.numPositions });
    this.release();
    return small;
  }

  copy(): LargeAmplitudes {
    this.#flush(true);
    return new LargeAmplitudes(this.#planes.copy(), this.#fuser.copy(), this.#scale);
  }

  release(): void {
    this.#planes.release();
  }

  marginal(positions: readonly number[]): Float64Array {
    this.#flush(true);
    const size = 2 ** this.numPositions;
    this.#planes.options.meter.work(size, 1);
    const found = marginal({ ...this.#planes.views(), size }, positions);
    const flipped = gatherBits(this.#fuser.flips, positions);
    return found.map((_, value) => found[value ^ flipped]!);
  }

  draw(count: number, random: Philox, b: number, stream: number): Uint32Array {
    this.#flush(true);
    const indices = this.#planes.draw(count, random, b, stream);
    const { flips } = this.#fuser;
    if (flips) for (let i = 0; i < count; i++) indices[i]! ^= flips;
    return indices;
  }

  overlaps(masks: readonly OverlapMasks[]): Float64Array {
    this.#flush(false);
    const { flips } = this.#fuser;
    return this.#planes
      .overlaps(masks)
      .map(
        (value, i) =>
          this.#scale ** 2 * (valueAt(flips, { parity: masks[i]!.signs, value: 0 }) ? -value : value),
      );
  }

  planes(): { re: Float64Array; im: Float64Array } {
    this.#flush(false);
    const views = this.#planes.views();
    const size = 2 ** this.numPositions;
    const [re, im] = [new Float64Array(size), new Float64Array(size)];
    for (let i = 0; i < size; i++) {
      const at = i ^ this.#fuser.flips;
      re[i] = views.re[at]! * this.#scale;
      im[i] = views.im[at]! * this.#scale;
    }
    return { re, im };
  }

  /** Returns the bit in memory that stands for a value. */
  #bitAt(position: number, value: number): number {
    return value ^ ((this.#fuser.flips >>> position) & 1);
  }

  #flushIfFull(): void {
    if (this.#fuser.steps.length >= MAX_STEPS) this.#flush(true);
  }

  /** Applies all pending gates, but for phases of single qubits that may be kept for later. */
  #flush(keepsPhases: boolean): void {
    const fuser = this.#fuser;
    const planes = this.#planes;
    fuser.flush(keepsPhases);
    planes.reserve(this.numPositions);
    const fresh: FreshQubit[] = [];
    for (let position = planes.numQubits; position < this.numPositions; position++)
      fresh.push(fuser.takeFresh(position));
    let { steps } = fuser;
    fuser.steps = [];
    const all = steps.length;
    const parts = this.#start && separateParts(this.#start, fresh, steps, planes.options.meter);
    this.#start = null;
    if (parts) {
      planes.setProduct(parts.low, parts.high);
      steps = parts.rest;
    } else
      for (const qubit of fresh) {
        this.#scale /= Math.hypot(1, qubit.re, qubit.im);
        planes.expand([qubit]);
      }
    while (steps.length > 0) {
      const { layout } = planes;
      const pass = nextPass(steps, this.numPositions, layout.tileBits, layout.rowBits);
      const { records, scale, isReal, left } = PassWriter.write(layout, pass, planes.space, this.#scale);
      this.#scale = scale;
      const before = 1 - steps.length / all;
      steps = left.length > 0 ? [...left, ...pass.rest] : pass.rest;
      if (records > 0) planes.runPass(records, isReal, before, 1 - steps.length / all);
    }
  }
}
