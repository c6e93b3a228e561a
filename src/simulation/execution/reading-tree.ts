import type { Value } from "../circuit/memory.ts";

/** Values of a location among which one is looked for one after the other; more have a map. */
const FEW = 16;
const NEGATIVE_ZERO = Symbol("-0");

/** Returns a value as a key of maps, which take both zeros for the same. */
const keyOf = (value: Value): Value | symbol =>
  typeof value === "number" && Object.is(value, -0) ? NEGATIVE_ZERO : value;

/** The next location that is read, and what follows for each of the values it has had: another reading, or a result. */
export class Reading<T> {
  readonly location: number;
  readonly #values: Value[] = [];
  readonly #next: (Reading<T> | T)[] = [];
  /** The places of values, once there are more than a few. */
  #places: Map<Value | symbol, number> | undefined;

  constructor(location: number) {
    this.location = location;
  }

  /** Returns what follows for a value, or undefined. */
  after(value: Value): Reading<T> | T | undefined {
    const values = this.#values;
    if (values.length > FEW) {
      this.#places ??= new Map(values.map((known, place) => [keyOf(known), place]));
      const place = this.#places.get(keyOf(value));
      return place === undefined ? undefined : this.#next[place];
    }
    for (let place = 0; place < values.length; place++)
      if (values[place] === value && (value !== 0 || Object.is(values[place], value)))
        return this.#next[place];
    return undefined;
  }

  /** Adds readings one after the other, and the result that they lead to, from a depth on. */
  add(reads: readonly (readonly [location: number, value: Value])[], depth: number, result: T): void {
    const [, value] = reads[depth]!;
    const known = this.after(value);
    if (known instanceof Reading) known.add(reads, depth + 1, result);
    else {
      this.#places?.set(keyOf(value), this.#values.length);
      this.#values.push(value);
      this.#next.push(readingsOf(reads, depth + 1, result));
    }
  }
}

/** Returns readings one after the other from a depth on, and the result that they lead to. */
export function readingsOf<T>(
  reads: readonly (readonly [location: number, value: Value])[],
  depth: number,
  result: T,
): Reading<T> | T {
  if (depth === reads.length) return result;
  const reading = new Reading<T>(reads[depth]![0]);
  reading.add(reads, depth, result);
  return reading;
}
