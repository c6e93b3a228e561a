import type { Philox } from "../sampling/philox.ts";
import { bufferOf, type Kernels, MAX_THREADS } from "./kernel-memory.ts";
import { workspace } from "./workspace.ts";

/** Numbers for which it is worth it to call a kernel. */
const WORTH_KERNEL = 16;

/** Draws numbers for many lanes at once: those of a generator, for the shot and the draw of each. */
export class LaneDraws {
  readonly #random: Philox;
  readonly #kernels: Kernels;
  /** The place of a thread, which is free between its tasks. */
  readonly #at = bufferOf(MAX_THREADS - 1);
  readonly #shots: Uint32Array;
  readonly #draws: Uint32Array;
  readonly #numbers: Float64Array;

  constructor(random: Philox, capacity: number) {
    const { kernels, memory } = workspace(false);
    const room = 4 * Math.ceil(capacity / 4);
    this.#random = random;
    this.#kernels = kernels;
    this.#numbers = new Float64Array(memory.buffer, this.#at, room);
    this.#shots = new Uint32Array(memory.buffer, this.#at + 8 * room, room);
    this.#draws = new Uint32Array(memory.buffer, this.#at + 12 * room, room);
  }

  /** Returns the number of each lane, until it is called again. `shots` and `draws` are those of all lanes. */
  uniforms(lanes: readonly number[], shots: Uint32Array, draws: Uint32Array, stream: number): Float64Array {
    const [numbers, own, counts] = [this.#numbers, this.#shots, this.#draws];
    for (let i = 0; i < lanes.length; i++) {
      own[i] = shots[lanes[i]!]!;
      counts[i] = draws[lanes[i]!]!;
    }
    if (lanes.length < WORTH_KERNEL)
      for (let i = 0; i < lanes.length; i++) numbers[i] = this.#random.uniform(own[i]!, counts[i]!, stream);
    else {
      const [low, high] = this.#random.key;
      const { byteOffset: a } = own;
      this.#kernels.uniforms(this.#at, lanes.length, low, high, a, counts.byteOffset, stream);
    }
    return numbers;
  }
}
