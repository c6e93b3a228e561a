import type { Value } from "../circuit/memory.ts";
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

/** The functions of real numbers. */
export const REAL_FUNCTIONS: ReadonlyMap<string, RealFunction> = new Map<string, RealFunction>([
  ["sin", real(Math.sin)],
  ["cos", real(Math.cos)],
  ["tan", real(Math.tan)],
  ["arcsin", real(Math.asin)],
  ["arccos", real(Math.acos)],
  ["arctan", real(Math.atan)],
  ["exp", real(Math.exp)],
  ["log", real(Math.log)],
  ["ln", real(Math.log)],
  ["sqrt", real(Math.sqrt)],
  ["floor", real(Math.floor)],
  ["ceiling", real(Math.ceil)],
]);

/** Functions whose type depends on their arguments. */
export const OTHER_FUNCTIONS = ["mod", "pow", "popcount", "rotl", "rotr", "sizeof"] as const;

/** Counts the ones among the bits of a number. */
export function popcount(value: Value): bigint {
  let count = 0n;
  for (let rest = BigInt.asUintN(65536, value as bigint); rest > 0n; rest >>= 1n) count += rest & 1n;
  return count;
}

/** Turns the bits of a number of `width` bits to the left. */
export function rotateLeft(value: bigint, by: bigint, width: number): bigint {
  const size = BigInt(width);
  const shift = ((by % size) + size) % size;
  return BigInt.asUintN(width, (value << shift) | (value >> (size - shift)));
}
