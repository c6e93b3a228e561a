import type { ClassicalRegister, OutputVariable } from "../circuit/circuit.ts";
import type { Value } from "../circuit/memory.ts";
import { type OutputValue, outputValue } from "../circuit/output-values.ts";
import { SimulationError } from "../errors.ts";
import { visitBitStrings } from "../sampling/bit-strings.ts";
import { permutation } from "../sampling/ordered.ts";
import type { Philox } from "../sampling/philox.ts";
import type { Branch } from "./branch.ts";
import { type Keys, outcomeKeys } from "./outcome-keys.ts";
import { checkOutcomeCount } from "./outcome-limit.ts";
import type { Sampler } from "./quantum-state.ts";
import type { SimulationResult } from "./simulation-result.ts";
import { writeWhenRead } from "./write-when-read.ts";

const FINAL_DRAWS = 2;
const ORDER_OF_SHOTS = 3;
/** Maximum number of characters of all different outcomes together. */
const MAX_CHARACTERS = 2 ** 28;
/** An outcome of an exact run that is less likely than this is rounding. */
const ROUNDING = 1e-14;

/** What measurements say in place of what they found. */
export interface ReadoutError<B extends Branch> {
  /** Returns what a shot says. */
  sample(found: string, branch: B, shot: number): string;
  /** Returns the probabilities of what is said by those of what is found. */
  applyConfusion(found: ReadonlyMap<string, number>, branch: B): ReadonlyMap<string, number>;
}

/** What a tally keeps besides the counts, and how measurements err. */
export interface TallyOptions<B extends Branch> {
  /** 0 for exact probabilities. */
  readonly shots: number;
  /** Whether to keep the outcome of each shot, and the values of these variables. */
  readonly keepsMemory: boolean;
  readonly variables: readonly OutputVariable[];
  readonly readoutError?: ReadoutError<B>;
}

/** Gathers the outcomes of the branches of a program. */
export class Tally<B extends Branch = Branch> {
  shotsDone = 0;
  weightDone = 0;
  readonly #registers: readonly ClassicalRegister[];
  readonly #isExact: boolean;
  readonly #counts = new Map<string, number>();
  /** The outcomes of the first branch, ascending, which need not be merged where there is no other. */
  #first: Keys | undefined;
  #characters = 0;
  readonly #measurements: string[] | undefined;
  readonly #outputs: Record<string, OutputValue>[] | undefined;
  readonly #variables: readonly OutputVariable[];
  readonly #readoutError: ReadoutError<B> | undefined;

  constructor(
    registers: readonly ClassicalRegister[],
    { shots, keepsMemory, variables, readoutError }: TallyOptions<B>,
  ) {
    this.#variables = variables;
    this.#registers = registers;
    this.#readoutError = readoutError;
    this.#isExact = shots === 0;
    if (keepsMemory && shots > 0) this.#measurements = new Array<string>(shots);
    if (this.#measurements && variables.length > 0) this.#outputs = new Array(shots);
  }

  /** Draws the bits that a finished branch has left undecided, for each of its shots, or adds up their probabilities. */
  add(branch: B, random: Philox): void {
    const { keyOf, keysOf, sampler } = outcomeKeys(this.#registers, branch);
    if (branch.shots) this.#addShots(branch, branch.shots, sampler, keysOf, random);
    else {
      const found = new Map<string, number>();
      sampler.each((outcome, probability) => {
        if (probability <= ROUNDING) return;
        const key = keyOf(outcome);
        found.set(key, (found.get(key) ?? 0) + probability);
      });
      this.addProbabilities(this.#readoutError?.applyConfusion(found, branch) ?? found, branch.weight);
    }
  }

  /** Adds the probabilities of outcomes, of which all together have this weight. */
  addProbabilities(probabilities: ReadonlyMap<string, number>, weight: number): void {
    this.weightDone += weight;
    for (const [key, share] of probabilities) this.#count(key, share * weight);
    checkOutcomeCount(this.#counts.size);
  }

  /** Adds shots whose bits are known: `values` gives those of a bit, 32 shots in a word. */
  addValues(shots: Uint32Array, values: (bit: number) => Uint32Array, slots: readonly Value[]): void {
    const columns: (Uint32Array | null)[] = [];
    for (const { offset, width } of this.#registers.toReversed()) {
      if (columns.length > 0) columns.push(null);
      for (let bit = offset + width - 1; bit >= offset; bit--) columns.push(values(bit));
    }
    const outputsOf = this.#outputs && this.#outputsOf(slots);
    visitBitStrings(columns, shots.length, (key, i) => {
      this.#count(key, 1);
      if (this.#measurements) this.#measurements[shots[i]!] = key;
      if (outputsOf) this.#outputs![shots[i]!] = outputsOf(key);
    });
    this.shotsDone += shots.length;
  }

  /** Returns the result of all branches together. */
  result(statevector?: number[]): Omit<SimulationResult, "method"> {
    const result: Omit<SimulationResult, "method"> = { measurementCounts: {} };
    const sorted = () =>
      [...this.#counts.keys()].sort().map((key): [string, number] => [key, this.#counts.get(key)!]);
    const first = this.#first;
    if (this.#isExact)
      result.measurementProbabilities = Object.fromEntries(
        sorted().map(([key, p]) => [key, p / this.weightDone]),
      );
    else if (first) {
      writeWhenRead(result, () => first.keys.map((key, i): [string, number] => [key, first.counts[i]!]));
      if ("coded" in first) Object.defineProperty(result, "codedCounts", { get: () => first.coded });
    } else writeWhenRead(result, sorted);
    if (this.#measurements) result.measurements = this.#measurements;
    if (this.#outputs) result.outputs = this.#outputs;
    if (statevector) result.statevector = statevector;
    return result;
  }

  #addShots(
    branch: B,
    shots: Uint32Array,
    sampler: Sampler,
    keysOf: (outcomes: Uint32Array) => Keys,
    random: Philox,
  ): void {
    const stream = shots[0]!;
    const outputsOf = this.#outputs && this.#outputsOf(branch.slots);
    this.shotsDone += shots.length;
    const keep = (shot: number, key: string) => {
      this.#measurements![shot] = key;
      if (outputsOf) this.#outputs![shot] = outputsOf(key);
    };
    const outcomes = sampler.draw(shots.length, random, stream, FINAL_DRAWS);
    const found = keysOf(outcomes);
    const readoutError = this.#readoutError;
    if (readoutError) {
      permutation(shots.length, random, stream, ORDER_OF_SHOTS).forEach((place, i) => {
        const key = readoutError.sample(found.keys[found.keyIndices[i]!]!, branch, shots[place]!);
        this.#count(key, 1);
        if (this.#measurements) keep(shots[place]!, key);
      });
      return;
    }
    if (this.#measurements) {
      permutation(shots.length, random, stream, ORDER_OF_SHOTS).forEach((place, i) => {
        keep(shots[place]!, found.keys[found.keyIndices[i]!]!);
      });
    }
    if (!this.#first && this.#counts.size === 0) {
      if (shots.length * this.#keyLength > MAX_CHARACTERS)
        this.#countCharacters(found.keys.length * this.#keyLength);
      this.#first = found;
    } else {
      this.#mergeFirst();
      found.keys.forEach((key, i) => {
        this.#count(key, found.counts[i]!);
      });
    }
  }

  /** Characters of the key of an outcome. */
  get #keyLength(): number {
    return this.#registers.reduce((length, { width }) => length + width + 1, -1);
  }

  #mergeFirst(): void {
    const first = this.#first;
    this.#first = undefined;
    this.#characters = 0;
    first?.keys.forEach((key, i) => {
      this.#count(key, first.counts[i]!);
    });
  }

  /** Makes a function from the key of an outcome to the values of the output variables; their bits are all in the key. */
  #outputsOf(slots: readonly Value[]): (key: string) => Record<string, OutputValue> {
    const offsets = registerOffsets(this.#registers);
    const readers = this.#variables.map(variable => {
      const fixed = outputValue(variable, slots);
      return fixed === undefined ? bitsReader(variable.bits!.map(bit => offsets.get(bit)!)) : () => fixed;
    });
    const known = new Map<string, Record<string, OutputValue>>();
    return key => {
      let values = known.get(key);
      if (!values) {
        values = Object.fromEntries(this.#variables.map(({ name }, i) => [name, readers[i]!(key)]));
        known.set(key, values);
      }
      return values;
    };
  }

  #count(key: string, amount: number): void {
    if (this.#first) this.#mergeFirst();
    const known = this.#counts.get(key);
    this.#counts.set(key, (known ?? 0) + amount);
    if (known === undefined) this.#countCharacters(key.length);
  }

  #countCharacters(characters: number): void {
    this.#characters += characters;
    if (this.#characters > MAX_CHARACTERS)
      throw new SimulationError(
        `The different outcomes are longer than ${MAX_CHARACTERS.toLocaleString("en-US")} characters together; ask for fewer shots, or measure fewer qubits.`,
      );
  }
}

/** Makes a function that returns the characters of a key at these places from its end, the last place first. */
function bitsReader(places: readonly number[]): (key: string) => string {
  const [first = 0] = places;
  if (places.every((place, i) => place === first + i))
    return key => key.slice(key.length - first - places.length, key.length - first);
  return key =>
    places
      .map(place => key[key.length - 1 - place])
      .reverse()
      .join("");
}

/** Returns the place of each bit of the registers in the key of an outcome, counted from its end. */
function registerOffsets(registers: readonly ClassicalRegister[]): Map<number, number> {
  const offsets = new Map<number, number>();
  let at = 0;
  for (const { offset, width } of registers) {
    for (let i = 0; i < width; i++) offsets.set(offset + i, at++);
    at++;
  }
  return offsets;
}
