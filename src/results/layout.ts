import { add, type Distribution, type MutableDistribution, outcomesOf } from "./distribution.ts";

/** A register of classical bits, as the program declares it; without a name when nobody named it. */
export interface Register {
  name: string;
  size: number;
}

/** Meaning of the symbols of outcomes. */
export interface Layout {
  /** All bits of the program, in the order of declaration: bit 0 is the first bit of the first register. */
  registers: readonly Register[];
  /** The bit of the program that each symbol stands for, from right to left. */
  bits: readonly number[];
  /** Positions of these symbols in an outcome, from right to left. */
  offsets: readonly number[];
  /** Characters of an outcome, the spaces between registers counted. */
  length: number;
}

const space = 32;

/** Whether all outcomes are as long as the first, with spaces in the same places, one code unit a symbol. */
function haveOneShape(outcomes: readonly string[], first: string): boolean {
  const spaces = Array.from(first, symbol => symbol === " ");
  for (const outcome of outcomes) {
    if (outcome.length !== spaces.length) return false;
    for (let index = 0; index < outcome.length; index++) {
      const code = outcome.charCodeAt(index);
      if ((code === space) !== spaces[index] || (code >= 0xd800 && code <= 0xdfff)) return false;
    }
  }
  return true;
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/**
 * Computes what the symbols of the outcomes stand for: all bits of the program, or only `bits` of them, from right
 * to left. Registers that don't agree with the outcomes are ignored: the spaces in them then separate registers.
 * `undefined` when the outcomes don't all have the same symbols in the same places.
 */
export function layoutOf(
  values: Distribution,
  registers: readonly Register[] = [],
  bits?: readonly number[],
): Layout | undefined {
  const outcomes = outcomesOf(values);
  const first = outcomes[0] ?? "";
  if (!haveOneShape(outcomes, first)) return undefined;
  const length = first.length;
  const offsets = range(length)
    .filter(index => first[index] !== " ")
    .reverse();
  const declared = registers.reduce((sum, { size }) => sum + size, 0);
  const agrees = bits
    ? bits.length === offsets.length && bits.every(bit => bit < declared)
    : declared === offsets.length;
  if (agrees) return { registers, bits: bits ?? range(declared), offsets, length };
  const sizes = first.split(" ").map(part => part.length);
  return {
    registers: sizes.reverse().map(size => ({ name: "", size })),
    bits: range(offsets.length),
    offsets,
    length,
  };
}

/** The register that a bit of the program belongs to, by its place among them, and its index in it. */
export function locate(registers: readonly Register[], bit: number): { register: number; index: number } {
  let index = bit;
  let register = 0;
  while (register < registers.length && index >= registers[register]!.size)
    index -= registers[register++]!.size;
  return { register, index };
}

/**
 * Places of bits among the symbols of an outcome, from right to left. Bits are given by number, or by name such as `c[0]`, or `c` for all of a register.
 * Throws a `RangeError` when there is no such bit, when one is named twice, and when none is named.
 */
export function positionsOf(layout: Layout, named: readonly (number | string)[]): number[] {
  if (!Array.isArray(named)) throw new RangeError('Bits must be a list, such as [0] or ["c[0]"].');
  if (layout.bits.length === 0) throw new RangeError("There are no outcomes to take bits of.");
  const wanted = named.flatMap(name => (typeof name === "string" ? bitsNamed(layout, name) : name));
  if (wanted.length === 0) throw new RangeError("Name at least one bit, such as [0].");
  const chosen = new Set(wanted);
  if (chosen.size < wanted.length) throw new RangeError("A bit is named twice.");
  const known = new Set(layout.bits);
  for (const bit of wanted)
    if (!known.has(bit))
      throw new RangeError(`There is no bit ${String(bit)}: the bits here are ${listBits(layout.bits)}.`);
  return layout.bits.flatMap((bit, position) => (chosen.has(bit) ? [position] : []));
}

/** Returns the numbers of a register's bits, or of a bit whose name is as charts write it: `c[0]`. */
function bitsNamed({ registers, bits }: Layout, name: string): number[] {
  const wanted = name.replaceAll(" ", "");
  const names = new Map<string, number>();
  const register: number[] = [];
  for (const bit of bits) {
    const { register: place, index } = locate(registers, bit);
    const owner = registers[place]?.name;
    if (owner) names.set(`${owner}[${index}]`, bit);
    if (owner && owner === wanted) register.push(bit);
  }
  const bit = names.get(wanted);
  if (bit !== undefined) return [bit];
  if (register.length > 0) return register;
  const known = names.size > 0 ? [...names.keys()].slice(0, 16).join(", ") : listBits(bits);
  throw new RangeError(`There is no bit ${JSON.stringify(name.slice(0, 64))}. The bits here are ${known}.`);
}

function listBits(bits: readonly number[]): string {
  const sorted = bits.toSorted((a, b) => a - b);
  const [first, last] = [sorted[0]!, sorted.at(-1)!];
  if (last - first + 1 === sorted.length) return first === last ? `${first} alone` : `${first} to ${last}`;
  return sorted.length > 16 ? `${sorted.slice(0, 16).join(", ")} …` : sorted.join(", ");
}

/**
 * Selects symbols by their positions, from right to left: returns the bits that they stand for, and a function that writes an
 * outcome with only these. Spaces stay between bits of different registers.
 */
export function select(layout: Layout, positions: readonly number[]) {
  const bits = positions.map(position => layout.bits[position]!);
  const owners = bits.map(bit => locate(layout.registers, bit).register);
  const spaced = layout.length > layout.bits.length;
  const sources = positions
    .flatMap((position, index) => {
      const parted = spaced && index > 0 && owners[index] !== owners[index - 1];
      return parted ? [-1, layout.offsets[position]!] : [layout.offsets[position]!];
    })
    .reverse();
  const codes = new Array<number>(sources.length);
  const write = (outcome: string) => {
    if (outcome.length !== layout.length) throw new RangeError("Shots and outcomes must have equal widths.");
    for (let index = 0; index < sources.length; index++)
      codes[index] = sources[index]! < 0 ? space : outcome.charCodeAt(sources[index]!);
    return String.fromCharCode.apply(null, codes);
  };
  return { bits, write };
}

/** Rewrites all outcomes, and adds the values of those that become equal. */
export function mapOutcomes(values: Distribution, write: (outcome: string) => string): Distribution {
  const tally: MutableDistribution = {};
  for (const outcome of outcomesOf(values)) add(tally, write(outcome), values[outcome]!);
  return Object.freeze(tally);
}
