/** A complex number. */
export interface Complex {
  readonly re: number;
  readonly im: number;
}

/**
 * A classical value: a whole number, bits or an angle's bits, a real number or a duration in nanoseconds,
 * a truth value, a complex number, or a list, such as one of places of qubits or bits.
 */
export type Value = bigint | number | boolean | Complex | readonly Value[];

/** What classical expressions read and write while a program runs. */
export interface Memory {
  readonly slots: Value[];
  /** Reads a classical bit. While a measurement that it depends on is undecided, this throws {@link Undecided}. */
  readBit(bit: number): number;
  writeBit(bit: number, value: number): void;
}

/** An expression, compiled. */
export type Compute<T extends Value = Value> = (memory: Memory) => T;

/** Thrown by a read of a bit whose measurement has been put off; the reader decides it and begins anew. */
export class Undecided {
  qubit = -1;
}

/** Memory that holds the parameters of a gate and nothing else. */
export const parameterMemory = (slots: number[]): Memory => ({
  slots,
  readBit: () => 0,
  writeBit: () => {},
});
