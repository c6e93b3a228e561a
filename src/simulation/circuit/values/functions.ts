import { principal } from "../../linear-algebra/one-qubit.ts";
import type { Complex, Value } from "../memory.ts";
import { bitsOf, type Type } from "./types.ts";

/** Arithmetic of complex numbers; powers and roots give the principal value. */
export const COMPLEX = {
  "+": (a: Complex, b: Complex): Complex => ({ re: a.re + b.re, im: a.im + b.im }),
  "-": (a: Complex, b: Complex): Complex => ({ re: a.re - b.re, im: a.im - b.im }),
  "*": (a: Complex, b: Complex): Complex => ({
    re: a.re * b.re - a.im * b.im,
    im: a.re * b.im + a.im * b.re,
  }),
  "/": (a: Complex, b: Complex): Complex => {
    const norm = b.re * b.re + b.im * b.im;
    if (norm === 0) throw new RangeError("A complex number is divided by zero.");
    return { re: (a.re * b.re + a.im * b.im) / norm, im: (a.im * b.re - a.re * b.im) / norm };
  },
  "**": (a: Complex, b: Complex): Complex => {
    if (a.re === 0 && a.im === 0) {
      if (b.re < 0 || b.im !== 0) throw new RangeError("Zero has no such power.");
      return { re: b.re === 0 ? 1 : 0, im: 0 };
    }
    const log = { re: Math.log(Math.hypot(a.re, a.im)), im: Math.atan2(a.im, a.re) };
    return exponential(COMPLEX["*"](log, b));
  },
};

export function exponential({ re, im }: Complex): Complex {
  const scale = Math.exp(re);
  return { re: scale * Math.cos(im), im: scale * Math.sin(im) };
}

export function squareRoot({ re, im }: Complex): Complex {
  const modulus = Math.hypot(re, im);
  const part = Math.sqrt((modulus - re) / 2);
  return { re: Math.sqrt((modulus + re) / 2), im: im < 0 ? -part : part };
}

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
