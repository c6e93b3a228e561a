import { FLOAT, type Type } from "./types.ts";

/** The constants of the language. */
export const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ["pi", Math.PI],
  ["π", Math.PI],
  ["tau", 2 * Math.PI],
  ["τ", 2 * Math.PI],
  ["euler", Math.E],
  ["ℇ", Math.E],
]);

/** A function of the language: real numbers in, a number out. */
export interface RealFunction {
  readonly arity: number;
  readonly result: Type;
  readonly apply: (...args: number[]) => number;
}

const real = (apply: (x: number) => number, result: Type = FLOAT): RealFunction => ({
  arity: 1,
  result,
  apply,
});

/** Makes a function refuse what it is not defined for. */
function inDomain(name: string, apply: (x: number) => number) {
  return (x: number): number => {
    const result = apply(x);
    if (!Number.isFinite(result)) throw new RangeError(`${name} is not defined for ${x}.`);
    return result;
  };
}

/** The functions of real numbers. */
export const REAL_FUNCTIONS: ReadonlyMap<string, RealFunction> = new Map<string, RealFunction>([
  ["sin", real(Math.sin)],
  ["cos", real(Math.cos)],
  ["tan", real(Math.tan)],
  ["arcsin", real(inDomain("arcsin", Math.asin))],
  ["arccos", real(inDomain("arccos", Math.acos))],
  ["arctan", real(Math.atan)],
  ["exp", real(Math.exp)],
  ["log", real(inDomain("log", Math.log))],
  ["ln", real(inDomain("ln", Math.log))],
  ["sqrt", real(inDomain("sqrt", Math.sqrt))],
  ["floor", real(Math.floor)],
  ["ceiling", real(Math.ceil)],
]);

/** Functions of complex numbers alone. */
export const COMPLEX_FUNCTIONS: readonly string[] = ["real", "imag"];
/** Functions of bits and of numbers of any kind. */
export const WORD_FUNCTIONS: readonly string[] = ["mod", "pow", "popcount", "rotl", "rotr"];

/** Counts the ones among the bits of a number. */
export function popcount(value: bigint, width: number): bigint {
  let count = 0;
  for (const digit of BigInt.asUintN(width, value).toString(2)) if (digit === "1") count++;
  return BigInt(count);
}

/** Turns the bits of a number of `width` bits to the left. */
export function rotateLeft(value: bigint, by: bigint, width: number): bigint {
  const size = BigInt(width);
  const shift = ((by % size) + size) % size;
  return BigInt.asUintN(width, (value << shift) | (value >> (size - shift)));
}
