import type { ClassicalRegister, OutputVariable } from "../circuit/circuit.ts";
import type { Value } from "../circuit/memory.ts";
import { type OutputValue, outputValue } from "../circuit/output-values.ts";
import { remembered } from "../memoized.ts";
import type { Method } from "../methods/index.ts";
import { type CodedCounts, type CodedOutcomes, writeCodesOfColumns } from "../sampling/codes.ts";
import { permutation } from "../sampling/draws.ts";
import type { Philox } from "../sampling/philox.ts";
import type { Branch } from "./branch.ts";
import { type KeyLayout, keyLayout } from "./classical-bits.ts";
import type { ObservableMean } from "./expectation-tally.ts";
import { outcomesOf, ShotOutcomes, type WriteCodes } from "./outcomes.ts";
import { checkOutcomeCount } from "./quantum-state.ts";
import type { ReadoutError } from "./readout-error.ts";

const FINAL_DRAWS = 2;
const ORDER_OF_SHOTS = 3;
/** An outcome of an exact run that is less likely than this is rounding. */
const ROUNDING = 1e-14;

/** Settings of a tally: the results besides counts, and the readout errors. */
export interface TallyOptions {
  /** 0 for exact probabilities. */
  readonly shots: number;
  /** Whether to keep the outcome of each shot, and the values of these variables. */
  readonly keepsMemory: boolean;
  readonly variables: readonly OutputVariable[];
  readonly readout?: ReadoutError | null;
  /** Receives the fraction of the shots, or of the probability, that has been added. */
  readonly report?: ((fraction: number) => void) | undefined;
}

/** Shots whose outcomes were added together. */
interface AddedShots {
  readonly count: number;
  readonly slots: readonly Value[];
  shotsOf(): Uint32Array;
}

/** Gathers the outcomes of the branches of a program. */
export class Tally {
  /** Bytes of the largest final state. */
  bytes = 0;
  shotsDone = 0;
  weightDone = 0;
  readonly #layout: KeyLayout;
  readonly #options: TallyOptions;
  readonly #probabilities = new Map<string, number>();
  readonly #outcomes: ShotOutcomes;
  /** In the order of the outcomes, where a memory is wanted. */
  readonly #added: AddedShots[] = [];

  constructor(registers: readonly ClassicalRegister[], options: TallyOptions) {
    this.#layout = keyLayout(registers);
    this.#options = options;
    this.#outcomes = new ShotOutcomes(this.#layout, options.shots, options.keepsMemory);
  }

  /** Draws the bits that a finished branch has left undecided, for each of its shots, or adds up their probabilities. */
  add(branch: Branch, random: Philox): void {
    const { readout } = this.#options;
    const { keyOf, codesOf, sampler } = outcomesOf(this.#layout, branch);
    const { shots } = branch;
    if (shots) {
      const stream = shots[0]!;
      const write = codesOf(sampler.draw(shots.length, random, stream, FINAL_DRAWS));
      const misread = readout?.misreadCodes(branch.bits, stream);
      this.#add(
        {
          count: shots.length,
          slots: branch.slots,
          shotsOf: () => permutation(shots.length, random, stream, ORDER_OF_SHOTS).map(i => shots[i]!),
        },
        (range, codes, at) => {
          write(range, codes, at);
          misread?.(codes, at, range.to - range.from);
        },
      );
      return;
    }
    const found = new Map<string, number>();
    sampler.each((outcome, probability) => {
      if (probability <= ROUNDING) return;
      const key = keyOf(outcome);
      found.set(key, (found.get(key) ?? 0) + probability);
    });
    this.addProbabilities(readout?.misreadProbabilities(found, branch.bits) ?? found, branch.weight);
  }

  /** Adds the probabilities of outcomes, of which all together have this weight. */
  addProbabilities(probabilities: ReadonlyMap<string, number>, weight: number): void {
    this.weightDone += weight;
    const all = this.#probabilities;
    for (const [key, share] of probabilities) all.set(key, (all.get(key) ?? 0) + share * weight);
    checkOutcomeCount(all.size);
    this.#options.report?.(Math.min(1, this.weightDone));
  }

  /** Adds shots whose bits are known: `values` gives those of a bit, 32 shots in a word. */
  addValues(shots: Uint32Array, values: (bit: number) => Uint32Array, slots: readonly Value[]): void {
    const columns = this.#layout.flatMap(bit => (bit === null ? [] : [values(bit)]));
    this.#add({ count: shots.length, slots, shotsOf: () => shots }, (range, codes, at) => {
      writeCodesOfColumns(columns, range, codes, at);
    });
  }

  /** Returns the result of all branches together. */
  result(statevector?: number[]): Omit<SimulationResult, "method"> {
    const { shots, keepsMemory, variables } = this.#options;
    const result: Omit<SimulationResult, "method"> = { measurementCounts: {} };
    if (statevector) result.statevector = statevector;
    if (shots === 0) {
      result.measurementProbabilities = Object.fromEntries(
        [...this.#probabilities.entries()]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, p]) => [key, p / this.weightDone]),
      );
      return result;
    }
    const outcomes = this.#outcomes;
    outcomes.checkLength();
    setWhenRead(result, "measurementCounts", () => {
      const {
        keys,
        counted: { counts },
      } = outcomes;
      const found: Record<string, number> = {};
      for (let i = 0; i < counts.length; i++) found[keys[i]!] = counts[i]!;
      return found;
    });
    Object.defineProperty(result, "codedCounts", { get: () => outcomes.counted });
    if (!keepsMemory) return result;
    let memory: CodedOutcomes | undefined;
    const ordered = () => {
      memory ??= outcomes.ordered(this.#shotsOfOutcomes());
      return memory;
    };
    Object.defineProperty(result, "codedMeasurements", { get: ordered });
    setWhenRead(result, "measurements", () => outcomes.written(ordered()));
    if (variables.length === 0) return result;
    setWhenRead(result, "outputs", () => this.#outputs(result.measurements!));
    Object.defineProperty(result, "outputRanges", { get: () => outputRanges(this.#layout, variables) });
    return result;
  }

  #add(added: AddedShots, write: WriteCodes): void {
    this.shotsDone += added.count;
    if (this.#options.keepsMemory) this.#added.push(added);
    this.#outcomes.add(added.count, write);
    this.#options.report?.(this.shotsDone / this.#options.shots);
  }

  /** Returns the number of the shot of each outcome. */
  #shotsOfOutcomes(): Uint32Array {
    const shots = new Uint32Array(this.shotsDone);
    let first = 0;
    for (const { count, shotsOf } of this.#added) {
      shots.set(shotsOf(), first);
      first += count;
    }
    return shots;
  }

  #outputs(measurements: readonly string[]): Record<string, OutputValue>[] {
    const outputs = new Array<Record<string, OutputValue>>(measurements.length);
    for (const { slots, shotsOf } of this.#added) {
      const outputsOf = outputReader(this.#layout, this.#options.variables, slots);
      for (const shot of shotsOf()) outputs[shot] = outputsOf(measurements[shot]!);
    }
    return outputs;
  }
}

/** The result of a simulation. Keys are bit strings with the last bit on the left and the last register leftmost. */
export interface SimulationResult {
  /** Count of each outcome; empty in an exact run. Keys are written when they are first read. */
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
  /** The method, and why it was taken. */
  method: Method;
}

/** Makes a property of an object that is computed when it is read first. */
function setWhenRead<T extends object, K extends keyof T>(object: T, name: K, compute: () => T[K]): void {
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
function outputReader(
  layout: KeyLayout,
  variables: readonly OutputVariable[],
  slots: readonly Value[],
): (key: string) => Record<string, OutputValue> {
  const offsets = keyPlaces(layout);
  const readers = variables.map(variable => {
    const fixed = outputValue(variable, slots);
    return fixed === undefined ? bitsReader(variable.bits!.map(bit => offsets.get(bit)!)) : () => fixed;
  });
  const known = new Map<string, Record<string, OutputValue>>();
  const read = (key: string) => Object.fromEntries(variables.map(({ name }, i) => [name, readers[i]!(key)]));
  return key => remembered(known, key, () => read(key));
}

/** Returns the range of characters of the key of an outcome that is the value of each output variable; undefined where one is none. */
function outputRanges(
  layout: KeyLayout,
  variables: readonly OutputVariable[],
): Record<string, [number, number]> | undefined {
  const offsets = keyPlaces(layout);
  const { length } = layout;
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

/** Returns the place of each bit in the key of an outcome, counted from its end. */
const keyPlaces = (layout: KeyLayout): ReadonlyMap<number | null, number> =>
  new Map(layout.map((bit, i) => [bit, layout.length - 1 - i]));
