import type { ClassicalRegister, OutputVariable } from "../circuit/circuit.ts";
import type { Value } from "../circuit/memory.ts";
import { type OutputValue, outputValue } from "../circuit/output-values.ts";
import type { Method } from "../method-name.ts";
import type { CodedCounts, CodedOutcomes } from "../sampling/codes.ts";
import type { ObservableMean } from "./expectation-tally.ts";

/** The result of a simulation. Keys are bit strings with the last bit on the left and the last register leftmost. */
export interface SimulationResult {
  /** How often each outcome was seen; empty in an exact run. Keys are written when they are first read. */
  measurementCounts: Record<string, number>;
  /** The same counts as numbers; undefined in an exact run. Nothing is written for them. Not enumerable. */
  readonly codedCounts?: CodedCounts;
  /** The outcome of each shot, in order. They are written when they are first read. */
  measurements?: string[];
  /** The same as numbers. Not enumerable. */
  readonly codedMeasurements?: CodedOutcomes;
  /** The values of the output variables after each shot, in order: of those declared `output`, or of all where none is. Given with the memory. */
  outputs?: Record<string, OutputValue>[];
  /** From which character of an outcome up to before which one the value of each output variable stands, given with the memory where all are such. Not enumerable. */
  readonly outputRanges?: Record<string, [number, number]>;
  /** The probability of each outcome, in an exact run. */
  measurementProbabilities?: Record<string, number>;
  /** The final amplitudes, real and imaginary parts interleaved; qubit 0 is the lowest bit of the index. */
  statevector?: number[];
  /** The expectation values of the observables that were asked for, in their order: means over all shots' final states, or over all that an exact run ends in. */
  expectations?: ObservableMean[];
  /** Nanoseconds that a shot takes on the device, by its schedule; of a program without devices' times, missing. */
  shotDuration?: number;
  /** How the state was kept, and why. */
  method: Method;
}

/** Makes a property of an object that is computed when it is read first. */
export function setWhenRead<T extends object, K extends keyof T>(
  object: T,
  name: K,
  compute: () => T[K],
): void {
  const define = (descriptor: PropertyDescriptor) =>
    Object.defineProperty(object, name, { enumerable: true, configurable: true, ...descriptor });
  define({
    get() {
      const value = compute();
      define({ value, writable: true });
      return value;
    },
    set(value: unknown) {
      define({ value, writable: true });
    },
  });
}

/** Makes a function from the key of an outcome to the values of the output variables; their bits are all in the key. */
export function outputReader(
  registers: readonly ClassicalRegister[],
  variables: readonly OutputVariable[],
  slots: readonly Value[],
): (key: string) => Record<string, OutputValue> {
  const offsets = keyPlaces(registers);
  const readers = variables.map(variable => {
    const fixed = outputValue(variable, slots);
    return fixed === undefined ? bitsReader(variable.bits!.map(bit => offsets.get(bit)!)) : () => fixed;
  });
  const known = new Map<string, Record<string, OutputValue>>();
  return key => {
    let values = known.get(key);
    if (!values) {
      values = Object.fromEntries(variables.map(({ name }, i) => [name, readers[i]!(key)]));
      known.set(key, values);
    }
    return values;
  };
}

/** Returns the range of characters of the key of an outcome that is the value of each output variable; undefined where one is none. */
export function outputRanges(
  registers: readonly ClassicalRegister[],
  variables: readonly OutputVariable[],
): Record<string, [number, number]> | undefined {
  const offsets = keyPlaces(registers);
  const { length } = keyLayout(registers);
  const ranges: [string, [number, number]][] = [];
  for (const { name, slots, bits } of variables) {
    const places = bits?.map(bit => offsets.get(bit)!);
    if (slots || !places || !areConsecutive(places)) return undefined;
    const [first = 0] = places;
    ranges.push([name, [length - first - places.length, length - first]]);
  }
  return Object.fromEntries(ranges);
}

/** Makes a function that returns the characters of a key at these places from its end, the last place first. */
function bitsReader(places: readonly number[]): (key: string) => string {
  const [first = 0] = places;
  if (areConsecutive(places)) return key => key.slice(key.length - first - places.length, key.length - first);
  return key =>
    places
      .map(place => key[key.length - 1 - place])
      .reverse()
      .join("");
}

const areConsecutive = (places: readonly number[]) => places.every((place, i) => place === places[0]! + i);

/** Returns the bit of each character of an outcome's key; null for the spaces between registers. */
export const keyLayout = (registers: readonly ClassicalRegister[]): (number | null)[] =>
  registers
    .toReversed()
    .flatMap(({ offset, width }, i) => [
      ...(i > 0 ? [null] : []),
      ...Array.from({ length: width }, (_, place) => offset + width - 1 - place),
    ]);

/** Returns the place of each bit in the key of an outcome, counted from its end. */
const keyPlaces = (registers: readonly ClassicalRegister[]): ReadonlyMap<number | null, number> =>
  new Map(
    keyLayout(registers)
      .reverse()
      .map((bit, place) => [bit, place]),
  );
