import type { ClassicalRegister } from "../circuit/circuit.ts";
import type { Value } from "../circuit/memory.ts";

/** Origin of a bit that nothing has written. */
export const UNWRITTEN = -2;

/**
 * The classical bits of a branch. A measurement is written into its bit here, and nowhere else: {@link measured} writes
 * what is known of it, and {@link settle} the outcome of one that was put off.
 */
export class ClassicalBits<Open extends number | Uint32Array = number> {
  readonly values: Uint8Array;
  /** For each bit the qubit of its deferred measurement, or the difference of its shots from the value; null if it is decided. */
  readonly open: (Open | null)[];
  /** The qubit whose outcome a bit holds as the qubit gave it, without a readout error; -1 for any other value, or {@link UNWRITTEN}. */
  readonly origins: Int32Array;

  /** Makes bits that are 0, or copies others; `change` is applied to what keeps these open. */
  constructor(from: number | ClassicalBits<Open>, change: (open: Open) => Open = open => open) {
    const isCopy = typeof from !== "number";
    this.values = isCopy ? from.values.slice() : new Uint8Array(from);
    this.open = isCopy
      ? from.open.map(open => (open === null ? null : change(open)))
      : new Array(from).fill(null);
    this.origins = isCopy ? from.origins.slice() : new Int32Array(from).fill(UNWRITTEN);
  }

  /** Writes a value that the program computes, or that is read of a measurement. */
  write(bit: number, value: number): void {
    this.values[bit] = value;
    this.open[bit] = null;
    this.origins[bit] = -1;
  }

  /** Writes the measurement of a qubit into a bit, or into none where `bit` is -1. */
  measured(qubit: number, bit: number, value: number, open: Open | null = null): void {
    if (bit < 0) return;
    this.values[bit] = value;
    this.open[bit] = open;
    this.origins[bit] = qubit;
  }

  /** Writes the outcome of a measurement into the bits that it has kept open. */
  settle(open: Open, value: number): void {
    for (let bit = 0; bit < this.open.length; bit++) {
      if (this.open[bit] !== open) continue;
      this.open[bit] = null;
      this.values[bit] = value;
    }
  }
}

/** Whether two lists hold the same values. */
export const isEqual = (a: ArrayLike<Value | null>, b: ArrayLike<Value | null>): boolean => {
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
};

/** The bit of each character of an outcome's key; null for the spaces between registers. */
export type KeyLayout = readonly (number | null)[];

/** Returns the layout of the keys of outcomes: the last bit on the left, and the last register leftmost. */
export function keyLayout(registers: readonly ClassicalRegister[]): KeyLayout {
  const layout: (number | null)[] = [];
  for (let i = registers.length - 1; i >= 0; i--) {
    const { offset, width } = registers[i]!;
    if (i < registers.length - 1) layout.push(null);
    for (let place = width - 1; place >= 0; place--) layout.push(offset + place);
  }
  return layout;
}
