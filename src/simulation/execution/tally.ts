import type { ClassicalRegister, OutputVariable } from "../circuit/circuit.ts";
import type { Value } from "../circuit/memory.ts";
import type { OutputValue } from "../circuit/output-values.ts";
import { SimulationError } from "../errors.ts";
import { visitBitStrings } from "../sampling/bit-strings.ts";
import { permutation } from "../sampling/ordered.ts";
import type { Philox } from "../sampling/philox.ts";
import type { Branch } from "./branch.ts";
import { type Keys, keysOfColumns, outcomeKeys } from "./outcome-keys.ts";
import { checkOutcomeCount } from "./outcome-limit.ts";
import { outputReader } from "./output-reader.ts";
import type { Sampler } from "./quantum-state.ts";
import { setWhenRead } from "./set-when-read.ts";
import type { SimulationResult } from "./simulation-result.ts";

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
  /** Keeps the outcomes of the first branch in the memory, where this is still to be done. */
  #keepFirst: (() => void) | undefined;
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
    this.shotsDone += shots.length;
    const found = keysOfColumns(columns, shots.length);
    if (found) {
      this.#addKeys(found, slots, () => shots);
      return;
    }
    const keep = this.#keeper(slots);
    visitBitStrings(columns, shots.length, (key, i) => {
      this.#count(key, 1);
      keep?.(shots[i]!, key);
    });
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
    else {
      const entries = () =>
        first ? first.keys.map((key, i): [string, number] => [key, first.counts[i]!]) : sorted();
      setWhenRead(result, "measurementCounts", () => Object.fromEntries(entries()));
    }
    if (first && "coded" in first) Object.defineProperty(result, "codedCounts", { get: () => first.coded });
    if (this.#measurements) setWhenRead(result, "measurements", () => this.#kept(this.#measurements!));
    if (this.#outputs) setWhenRead(result, "outputs", () => this.#kept(this.#outputs!));
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
    this.shotsDone += shots.length;
    const found = keysOf(sampler.draw(shots.length, random, stream, FINAL_DRAWS));
    const order = () => permutation(shots.length, random, stream, ORDER_OF_SHOTS);
    const readoutError = this.#readoutError;
    if (!readoutError) {
      this.#addKeys(found, branch.slots, () => order().map(place => shots[place]!));
      return;
    }
    const keep = this.#keeper(branch.slots);
    const { keys, keyIndices } = found;
    order().forEach((place, i) => {
      const key = readoutError.sample(keys[keyIndices[i]!]!, branch, shots[place]!);
      this.#count(key, 1);
      keep?.(shots[place]!, key);
    });
  }

  /** Adds the outcomes of a branch, and to the memory those of its shots, in the order of the outcomes. */
  #addKeys(found: Keys, slots: readonly Value[], shotsOf: () => Uint32Array): void {
    const keep = this.#keeper(slots);
    const keepAll = () => {
      const { keys, keyIndices } = found;
      shotsOf().forEach((shot, i) => {
        keep!(shot, keys[keyIndices[i]!]!);
      });
    };
    if (!this.#first && this.#counts.size === 0) {
      if (this.shotsDone * this.#keyLength > MAX_CHARACTERS)
        this.#countCharacters(found.counts.length * this.#keyLength);
      this.#first = found;
      if (keep) this.#keepFirst = keepAll;
      return;
    }
    this.#mergeFirst();
    found.keys.forEach((key, i) => {
      this.#count(key, found.counts[i]!);
    });
    if (keep) keepAll();
  }

  /** Makes a function that keeps the outcome of a shot, and its output variables, where a memory is wanted. */
  #keeper(slots: readonly Value[]): ((shot: number, key: string) => void) | undefined {
    const [measurements, outputs] = [this.#measurements, this.#outputs];
    if (!measurements) return undefined;
    const outputsOf = outputs && outputReader(this.#registers, this.#variables, slots);
    return (shot, key) => {
      measurements[shot] = key;
      if (outputsOf) outputs[shot] = outputsOf(key);
    };
  }

  /** Returns a list of the memory once all outcomes are in it. */
  #kept<T>(list: T[]): T[] {
    this.#keepFirst?.();
    this.#keepFirst = undefined;
    return list;
  }

  /** Characters of the key of an outcome. */
  get #keyLength(): number {
    return this.#registers.reduce((length, { width }) => length + width + 1, -1);
  }

  #mergeFirst(): void {
    const first = this.#first;
    this.#first = undefined;
    this.#keepFirst?.();
    this.#keepFirst = undefined;
    this.#characters = 0;
    first?.keys.forEach((key, i) => {
      this.#count(key, first.counts[i]!);
    });
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
