import type { Complex, Value } from "../memory.ts";
import { bitsOf, DEFAULT_WIDTH, isBoolean, isInteger, type Type, wrap } from "./types.ts";

type Convert = (value: Value) => Value;

/**
 * Where a value is turned into one of another type: an operand or a constant is promoted, which loses nothing; an
 * assignment also drops the fraction of a real number, as in C; a cast is written in the program; an argument of a gate
 * or of a trigonometric function takes angles as their radians.
 */
export type ConversionKind = "promotion" | "assignment" | "cast" | "argument";

/** Returns the function that turns values of one type into those of another, or null where there is none. */
export function conversion(from: Type, to: Type, kind: ConversionKind): Convert | null {
  if (from.kind === "duration" || to.kind === "duration") return from.kind === to.kind ? same : null;
  if (from.kind === "complex" || to.kind === "complex") return ofComplex(from, to);
  switch (to.kind) {
    case "bool":
      return from.kind === "bool" ? same : value => Number(value) !== 0;
    case "bit":
      return toBits(from, to, kind === "cast");
    case "int":
    case "uint":
      if (from.kind === "bool") return value => (value ? 1n : 0n);
      if (isBoolean(from) || isInteger(from) || (from.kind === "bit" && holds(to, from)))
        return value => wrap(value as bigint, to);
      return kind !== "promotion" && from.kind === "float"
        ? value => wrap(truncate(value as number), to)
        : null;
    case "float": {
      if (from.kind === "bit" && !isBoolean(from)) return null;
      if (from.kind === "angle")
        return kind === "argument" ? value => rounded(radiansOf(value as bigint, from), to) : null;
      return value => rounded(Number(value), to);
    }
    case "angle":
      if (from.kind === "angle") return value => resizeAngle(value as bigint, from, to);
      if (from.kind === "float") return value => angleOf(value as number, to);
      return from.kind === "bit" && bitsOf(from) === bitsOf(to) ? same : null;
  }
}

/** Rounds a real number to what a type can hold. */
export const rounded = (value: number, { width }: Type): number =>
  width !== null && width <= 32 ? Math.fround(value) : value;

/** Whether a whole number takes the bits of a register as they are: as many, or of one without a width all that there are. */
export const holds = (number: Type, bits: Type): boolean =>
  number.width === null ? bitsOf(bits) <= DEFAULT_WIDTH : number.width === bitsOf(bits);

function toBits(from: Type, to: Type, isCast: boolean): Convert | null {
  if (from.kind === "bit" && bitsOf(from) === bitsOf(to)) return same;
  if (isBoolean(to) || (isBoolean(from) && isCast)) return value => (Number(value) === 0 ? 0n : 1n);
  if (from.kind === "angle") return bitsOf(from) === bitsOf(to) ? same : null;
  if (isInteger(from) && bitsOf(from) === bitsOf(to))
    return value => BigInt.asUintN(bitsOf(to), value as bigint);
  return null;
}

function ofComplex(from: Type, to: Type): Convert | null {
  if (to.kind !== "complex") return null;
  if (from.kind === "complex")
    return value => {
      const { re, im } = value as Complex;
      return { re: rounded(re, to), im: rounded(im, to) };
    };
  if (from.kind === "angle" || (from.kind === "bit" && !isBoolean(from))) return null;
  return value => ({ re: rounded(Number(value), to), im: 0 });
}

const same: Convert = value => value;

function truncate(value: number): bigint {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be turned into a whole number.`);
  return BigInt(Math.trunc(value));
}

const TURN = 2 * Math.PI;

/** Returns the bits of the angle that is nearest to a number of radians, ties going to the even one. */
export function angleOf(radians: number, type: Type): bigint {
  if (!Number.isFinite(radians)) throw new RangeError(`${radians} is not an angle.`);
  const rest = radians % TURN;
  const steps = ((rest < 0 ? rest + TURN : rest) / TURN) * 2 ** bitsOf(type);
  return BigInt.asUintN(bitsOf(type), roundEven(steps));
}

/** Returns the radians of an angle, from 0 to 2π. */
export const radiansOf = (value: bigint, type: Type): number => (Number(value) / 2 ** bitsOf(type)) * TURN;

/** Brings an angle to another number of bits, rounding to the nearest, ties going to the even one. */
export function resizeAngle(value: bigint, from: Type, to: Type): bigint {
  const added = bitsOf(to) - bitsOf(from);
  if (added >= 0) return value << BigInt(added);
  const drop = BigInt(-added);
  const half = 1n << (drop - 1n);
  const kept = value >> drop;
  const rest = value & ((1n << drop) - 1n);
  const isUp = rest > half || (rest === half && (kept & 1n) === 1n);
  return BigInt.asUintN(bitsOf(to), isUp ? kept + 1n : kept);
}

function roundEven(value: number): bigint {
  const down = Math.floor(value);
  const rest = value - down;
  return BigInt(rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down);
}
