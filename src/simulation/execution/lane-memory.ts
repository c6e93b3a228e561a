import type { Value } from "../circuit/memory.ts";
import type { Branch } from "./branch.ts";

/** The classical memory of branches side by side: what each lane has of bits, slots, shots and draws. */
export class LaneMemory {
  readonly numBits: number;
  /** The bits of one lane after those of another. */
  readonly bits: Uint8Array;
  readonly slots: Value[][] = [];
  /** How many measurements have been drawn in each lane. */
  readonly draws: Uint32Array;
  /** The first shot of each lane, and all shots of those that have several. */
  readonly firstShots: Uint32Array;
  readonly #shots = new Map<number, Uint32Array>();

  constructor(numBits: number, capacity: number) {
    this.numBits = numBits;
    this.bits = new Uint8Array(numBits * capacity);
    this.draws = new Uint32Array(capacity);
    this.firstShots = new Uint32Array(capacity);
  }

  /** Adds a lane with the memory of a branch, and returns it. */
  add({ bits, slots, shots, draws }: Branch): number {
    const lane = this.slots.push([...slots]) - 1;
    this.bits.set(bits, lane * this.numBits);
    this.draws[lane] = draws;
    this.setShots(lane, shots!);
    return lane;
  }

  /** Returns the value of a slot of a lane, or of a bit, which is given by its complement. */
  read(lane: number, location: number): Value {
    return location >= 0 ? this.slots[lane]![location]! : this.bits[lane * this.numBits + ~location]!;
  }

  /** Sets a slot of a lane, or a bit, which is given by its complement. */
  write(lane: number, location: number, value: Value): void {
    if (location >= 0) this.slots[lane]![location] = value;
    else this.bits[lane * this.numBits + ~location] = value as number;
  }

  /** Returns the shots of a lane. */
  shotsOf(lane: number): Uint32Array {
    return this.#shots.get(lane) ?? this.firstShots.subarray(lane, lane + 1);
  }

  /** Returns the shots of a lane that has several; undefined for one that has a single one. */
  severalShotsOf(lane: number): Uint32Array | undefined {
    return this.#shots.size > 0 ? this.#shots.get(lane) : undefined;
  }

  setShots(lane: number, shots: Uint32Array): void {
    this.firstShots[lane] = shots[0]!;
    if (shots.length > 1) this.#shots.set(lane, shots);
    else this.#shots.delete(lane);
  }

  /** Adds a lane with the memory of another for some of its shots, and returns it. */
  fork(lane: number, shots: Uint32Array): number {
    const { bits, numBits } = this;
    const to = this.slots.push([...this.slots[lane]!]) - 1;
    bits.copyWithin(to * numBits, lane * numBits, (lane + 1) * numBits);
    this.draws[to] = this.draws[lane]!;
    this.setShots(to, shots);
    return to;
  }
}
