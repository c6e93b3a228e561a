import { principal } from "../../linear-algebra/one-qubit.ts";
import type { Complex, Value } from "../memory.ts";
import { exponential, squareRoot } from "./complex.ts";
import { bitsOf, type Type } from "./types.ts";

const { acos, asin, atan, ceil, cos, E, exp, floor, log, PI, sin, sqrt, tan } = Math;

export const CONSTANTS: ReadonlyMap<string, number> = new Map(
  Object.entries({ pi: PI, π: PI, tau: 2 * PI, τ: 2 * PI, euler: E, ℇ: E }),
);

/** Makes a function refuse what it is not defined for. */
function inDomain(name: string, apply: (x: number) => number) {
  return (x: number): number => {
    const result = apply(x);
    if (!Number.isFinite(result)) throw new RangeError(`${name} is not defined for ${x}.`);
    return result;
  };
}

export const REAL_FUNCTIONS: ReadonlyMap<string, (x: number) => number> = new Map([
  ...Object.entries({ sin, cos, tan, arctan: atan, exp, floor, ceiling: ceil }),
  ...Object.entries({ arcsin: asin, arccos: acos, log, ln: log, sqrt }).map(
    ([name, apply]) => [name, inDomain(name, apply)] as const,
  ),
]);

/** Functions of complex numbers alone. */
export const COMPLEX_FUNCTIONS: readonly string[] = ["real", "imag"];
/** Functions of bits and of numbers of any kind. */
export const WORD_FUNCTIONS: readonly string[] = ["mod", "pow", "popcount", "rotl", "rotr"];

/** Returns what a function does with values of these types, or null where there is none of that name. Faults are RangeErrors. */
export function functionOf(
  name: string,
  [type]: readonly Type[],
): ((first: Value, second?: Value) => Value) | null {
  if (type?.kind === "complex" && name === "exp") return value => exponential(value as Complex);
  if (type?.kind === "complex" && name === "sqrt") return value => squareRoot(value as Complex);
  const real = REAL_FUNCTIONS.get(name);
  if (real) return value => real(value as number);
  const width = type ? bitsOf(type) : 0;
  switch (name) {
    case "real":
      return value => (value as Complex).re;
    case "imag":
      return value => (value as Complex).im;
    case "popcount":
      return value => popcount(value as bigint, width);
    case "rotl":
      return (value, by) => rotateLeft(value as bigint, by as bigint, width);
    case "rotr":
      return (value, by) => rotateLeft(value as bigint, -(by as bigint), width);
    case "principal":
      return angle => principal(angle as number);
    case "fdiv":
      return (a, b) => Number(a) / Number(b);
    case "frem":
      return (a, b) => Number(a) % Number(b);
    default:
      return null;
  }
}

function popcount(value: bigint, width: number): bigint {
  let count = 0;
  for (const digit of BigInt.asUintN(width, value).toString(2)) if (digit === "1") count++;
  return BigInt(count);
}

function rotateLeft(value: bigint, by: bigint, width: number): bigint {
  const size = BigInt(width);
  const shift = ((by % size) + size) % size;
  return BigInt.asUintN(width, (value << shift) | (value >> (size - shift)));
}
