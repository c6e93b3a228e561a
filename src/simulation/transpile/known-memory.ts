import { evaluator, indexEvaluator } from "../circuit/evaluate.ts";
import type { Expression, OperandIndices } from "../circuit/expression.ts";
import { type Compute, DeferredMeasurement, type Memory, type Value } from "../circuit/memory.ts";

const UNKNOWN = new DeferredMeasurement();
const computes = new WeakMap<object, Compute>();
const indexComputes = new WeakMap<object, Compute<readonly number[]>>();

/** Classical memory of which only a part is known before the run: a bit is, until something is measured into it. */
export class KnownMemory implements Memory {
  readonly slots: Value[];
  #values: Map<number, Value>;
  #bits: Map<number, number | null>;

  constructor(values = new Map<number, Value>(), bits = new Map<number, number | null>()) {
    this.#values = values;
    this.#bits = bits;
    this.slots = new Proxy([] as Value[], {
      get: (_, slot) => {
        const value = this.#values.get(Number(slot));
        if (value === undefined) throw UNKNOWN;
        return value;
      },
    });
  }

  readBit(bit: number): number {
    const value = this.#bits.get(bit);
    if (value === null) throw UNKNOWN;
    return value ?? 0;
  }

  writeBit(bit: number, value: number | null): void {
    this.#bits.set(bit, value);
  }

  /** Sets a slot; undefined makes it unknown. */
  set(slot: number, value: Value | undefined): void {
    if (value === undefined) this.#values.delete(slot);
    else this.#values.set(slot, value);
  }

  /** Returns an independent copy. */
  copy(): KnownMemory {
    return new KnownMemory(new Map(this.#values), new Map(this.#bits));
  }

  /** Forgets what another memory does not know, or knows otherwise. */
  meet(other: KnownMemory): void {
    for (const [slot, value] of this.#values)
      if (!isSame(other.#values.get(slot), value)) this.#values.delete(slot);
    for (const bit of new Set([...this.#bits.keys(), ...other.#bits.keys()]))
      if ((this.#bits.get(bit) ?? 0) !== (other.#bits.get(bit) ?? 0) || this.#isUnknown(bit, other))
        this.#bits.set(bit, null);
  }

  #isUnknown(bit: number, other: KnownMemory): boolean {
    return this.#bits.get(bit) === null || other.#bits.get(bit) === null;
  }

  /** Takes over what another memory knows. */
  become(other: KnownMemory): void {
    this.#values = new Map(other.#values);
    this.#bits = new Map(other.#bits);
  }

  /** Returns the value of an expression, or undefined where it is not known before the run. */
  value(node: Expression): Value | undefined {
    return this.attempt(computeOf(node));
  }

  /** Returns the numbers of operands, or undefined where they are not known before the run. */
  indices(operands: OperandIndices): readonly number[] | undefined {
    let run = indexComputes.get(operands);
    if (!run) {
      run = indexEvaluator(operands);
      indexComputes.set(operands, run);
    }
    return this.attempt(run);
  }

  /** Computes something, or returns undefined where that is not known before the run. */
  attempt<T>(compute: (memory: Memory) => T): T | undefined {
    try {
      return compute(this);
    } catch (error) {
      if (error instanceof DeferredMeasurement) return undefined;
      throw error;
    }
  }
}

function computeOf(node: Expression): Compute {
  let run = computes.get(node);
  if (!run) {
    run = evaluator(node);
    computes.set(node, run);
  }
  return run;
}

function isSame(a: Value | undefined, b: Value): boolean {
  if (typeof a !== "object" || typeof b !== "object") return Object.is(a, b);
  const text = (value: Value) =>
    JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? `${inner}n` : inner));
  return text(a) === text(b);
}
