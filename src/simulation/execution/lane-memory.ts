import type { Value } from "../circuit/memory.ts";
import type { Branch } from "./branch.ts";

/** The classical memory of branches side by side: what each lane has of bits, slots, shots and draws. */
export class LaneMemory {
  readonly numBits: number;
  /** The bits of one lane after those of another. */
  readonly bits: Uint8Array;
  readonly slots: Value[][] = [];
  readonly shots: Uint32Array[] = [];
  readonly draws: number[] = [];

  constructor(numBits: number, capacity: number) {
    this.numBits = numBits;
    this.bits = new Uint8Array(numBits * capacity);
  }

  /** Adds a lane with the memory of a branch, and returns it. */
  add({ bits, slots, shots, draws }: Branch): number {
    const lane = this.slots.push([...slots]) - 1;
    this.bits.set(bits, lane * this.numBits);
    this.shots.push(shots!);
    this.draws.push(draws);
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

  /** Adds a lane with the memory of another for some of its shots, and returns it. */
  fork(lane: number, shots: Uint32Array): number {
    const { bits, numBits } = this;
    const to = this.slots.push([...this.slots[lane]!]) - 1;
    bits.copyWithin(to * numBits, lane * numBits, (lane + 1) * numBits);
    this.shots.push(shots);
    this.draws.push(this.draws[lane]!);
    return to;
  }
}
