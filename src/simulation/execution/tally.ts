import type { ClassicalRegister, OutputValue, OutputVariable } from "../circuit/circuit.ts";
import { SimulationError } from "../errors.ts";
import { orderedUniforms, permutation } from "../sampling/ordered.ts";
import { drawIndices, gatherBits, marginal } from "../sampling/outcomes.ts";
import type { Philox } from "../sampling/philox.ts";
import type { Branch } from "./branch.ts";
import type { SimulationResult } from "./simulate.ts";

const FINAL_DRAWS = 2;
const ORDER_OF_SHOTS = 3;
const MAX_OUTCOMES = 2 ** 20;
/** An outcome of an exact run that is less likely than this is rounding. */
const ROUNDING = 1e-14;

/** Gathers the outcomes of the branches of a program. */
export class Tally {
  shotsDone = 0;
  weightDone = 0;
  readonly #registers: readonly ClassicalRegister[];
  readonly #isExact: boolean;
  readonly #counts = new Map<string, number>();
  readonly #measurements: string[] | undefined;
  readonly #outputs: Record<string, OutputValue>[] | undefined;
  readonly #variables: readonly OutputVariable[];

  constructor(
    registers: readonly ClassicalRegister[],
    shots: number,
    keepsMemory: boolean,
    variables: readonly OutputVariable[] = [],
  ) {
    this.#variables = variables;
    this.#registers = registers;
    this.#isExact = shots === 0;
    if (keepsMemory && shots > 0) this.#measurements = new Array<string>(shots);
    if (this.#measurements && variables.length > 0) this.#outputs = new Array(shots);
  }

  /** Draws the bits that a finished branch has left undecided, for each of its shots, or adds up their probabilities. */
  add(branch: Branch, random: Philox): void {
    const undecided = this.#undecidedQubits(branch);
    const positions = undecided.map(qubit => branch.state.positionOf(qubit));
    const keyOf = this.#keysOf(branch, undecided);
    if (branch.shots) this.#addShots(branch, branch.shots, positions, keyOf, random);
    else {
      this.weightDone += branch.weight;
      marginal(branch.state.planes, positions).forEach((probability, outcome) => {
        if (probability > ROUNDING) this.#count(keyOf(outcome), probability * branch.weight);
      });
      if (this.#counts.size > MAX_OUTCOMES)
        throw new SimulationError(
          `The program has more than ${MAX_OUTCOMES.toLocaleString("en-US")} outcomes, too many to list; ask for shots instead.`,
        );
    }
  }

  /** Gives the result of all branches together. */
  result(statevector?: number[]): SimulationResult {
    const keys = [...this.#counts.keys()].sort();
    const entries = keys.map(key => [key, this.#counts.get(key)!] as const);
    const result: SimulationResult = { measurementCounts: {} };
    if (this.#isExact)
      result.measurementProbabilities = Object.fromEntries(
        entries.map(([key, p]) => [key, p / this.weightDone]),
      );
    else result.measurementCounts = Object.fromEntries(entries);
    if (this.#measurements) result.measurements = this.#measurements;
    if (this.#outputs) result.outputs = this.#outputs;
    if (statevector) result.statevector = statevector;
    return result;
  }

  #addShots(
    branch: Branch,
    shots: Uint32Array,
    positions: readonly number[],
    keyOf: (outcome: number) => string,
    random: Philox,
  ): void {
    const stream = shots[0]!;
    const outputsOf = this.#outputs && this.#outputsOf(branch, registerOffsets(this.#registers));
    this.shotsDone += shots.length;
    const keep = (shot: number, key: string) => {
      this.#measurements![shot] = key;
      if (outputsOf) this.#outputs![shot] = outputsOf(key);
    };
    if (positions.length === 0) {
      const key = keyOf(0);
      this.#count(key, shots.length);
      if (this.#measurements) for (const shot of shots) keep(shot, key);
      return;
    }
    const indices = drawIndices(
      branch.state.planes,
      orderedUniforms(shots.length, random, stream, FINAL_DRAWS),
    );
    for (let i = 0; i < indices.length; i++) indices[i] = gatherBits(indices[i]!, positions);
    if (this.#measurements) {
      permutation(shots.length, random, stream, ORDER_OF_SHOTS).forEach((place, i) => {
        keep(shots[place]!, keyOf(indices[i]!));
      });
    }
    indices.sort();
    for (let i = 0, first = 0; i < indices.length; i = first) {
      while (first < indices.length && indices[first] === indices[i]) first++;
      this.#count(keyOf(indices[i]!), first - i);
    }
  }

  /** Makes a function from the key of an outcome to the values of the output variables; their bits are all in the key. */
  #outputsOf(
    branch: Branch,
    places: ReadonlyMap<number, number>,
  ): (key: string) => Record<string, OutputValue> {
    const fixed = this.#variables.map(({ read }) => read?.(branch.slots));
    return key =>
      Object.fromEntries(
        this.#variables.map(({ name, bits }, i) => [
          name,
          fixed[i] ??
            bits!
              .map(bit => key[key.length - 1 - places.get(bit)!])
              .reverse()
              .join(""),
        ]),
      );
  }

  #count(key: string, amount: number): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + amount);
  }

  #undecidedQubits(branch: Branch): number[] {
    const qubits = new Set<number>();
    for (const { offset, width } of this.#registers)
      for (let bit = offset; bit < offset + width; bit++)
        if (branch.sources[bit]! >= 0) qubits.add(branch.sources[bit]!);
    return [...qubits];
  }

  /** Makes a function from the values of the undecided qubits, the first of them lowest, to the key of the outcome. */
  #keysOf(branch: Branch, undecided: readonly number[]): (outcome: number) => string {
    const codes: number[] = [];
    const places: { index: number; bit: number }[] = [];
    for (const { offset, width } of this.#registers.toReversed()) {
      if (codes.length > 0) codes.push(32);
      for (let bit = offset + width - 1; bit >= offset; bit--) {
        const source = branch.sources[bit]!;
        if (source >= 0) places.push({ index: codes.length, bit: undecided.indexOf(source) });
        codes.push(48 + branch.bits[bit]!);
      }
    }
    const characters = Buffer.from(codes);
    return outcome => {
      for (const { index, bit } of places) characters[index] = 48 + ((outcome >> bit) & 1);
      return characters.toString("latin1");
    };
  }
}

/** Gives the place of each bit of the registers in the key of an outcome, counted from its end. */
function registerOffsets(registers: readonly ClassicalRegister[]): Map<number, number> {
  const places = new Map<number, number>();
  let at = 0;
  for (const { offset, width } of registers) {
    for (let i = 0; i < width; i++) places.set(offset + i, at++);
    at++;
  }
  return places;
}
