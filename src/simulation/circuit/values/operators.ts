import type { Complex, Value } from "../memory.ts";
import { angleOf, conversion, holds, radiansOf, resizeAngle, rounded } from "./conversions.ts";
import { COMPLEX } from "./functions.ts";
import {
  BIT,
  BOOL,
  bitsOf,
  COMPLEX_TYPE,
  DEFAULT_WIDTH,
  DURATION,
  FLOAT,
  hasBits,
  INT,
  isBoolean,
  isInteger,
  isNumeric,
  type Type,
  wrap,
} from "./types.ts";

interface Operation {
  readonly type: Type;
  readonly apply: (left: Value, right: Value) => Value;
}

export const isLogical = (operator: string): boolean => operator === "&&" || operator === "||";
export const isComparison = (operator: string): boolean => Object.hasOwn(COMPARISONS, operator);

const ON_BITS: ReadonlySet<string> = new Set(["&", "|", "^", "<<", ">>"]);

/** Returns what an operator does with operands of two types; null if it does not take them. Faults are RangeErrors. */
export function resolveOperator(
  operator: string,
  left: Type,
  right: Type,
  isReals: boolean,
): Operation | null {
  if (isComparison(operator)) return comparison(operator, left, right);
  if (ON_BITS.has(operator)) return bitwise(operator, left, right);
  const [a, b] = [numberType(left, right), numberType(right, left)];
  if (a !== left || b !== right)
    return withNumbers(resolveOperator(operator, a, b, isReals), [left, a], [right, b]);
  const isEither = (kind: Type["kind"]) => left.kind === kind || right.kind === kind;
  if (isEither("duration")) return ofDurations(operator, left, right);
  if (isEither("complex"))
    return operator in COMPLEX
      ? promotedTo(COMPLEX_TYPE, left, right, COMPLEX_TYPE, COMPLEX[operator as keyof typeof COMPLEX])
      : null;
  if (!isNumeric(left) || !isNumeric(right)) return null;
  if (isEither("angle")) return ofAngles(operator, left, right);
  if (isInteger(left) && isInteger(right) && !(isReals && operator === "/"))
    return ofIntegers(operator, left, right);
  return ofReals(operator, left, right);
}

/** Returns the type that a value has in arithmetic: a truth value is an int, as in C, and a register a number of its width. */
function numberType(type: Type, other: Type): Type {
  if (isBoolean(type)) return INT;
  return isRegister(type) && isInteger(other) && holds(other, type) ? other : type;
}

type Taken = readonly [from: Type, to: Type];

/** Makes an operation of numbers take truth values and registers in their place. */
function withNumbers(operation: Operation | null, left: Taken, right: Taken): Operation | null {
  if (!operation) return null;
  const { type, apply } = operation;
  const number = ([from, to]: Taken) => {
    if (from.kind === "bool") return (value: Value) => BigInt(value as boolean);
    return isRegister(from) && from !== to ? (value: Value) => wrap(value as bigint, to) : same;
  };
  const [a, b] = [number(left), number(right)];
  return a === same && b === same ? operation : { type, apply: (x, y) => apply(a(x), b(y)) };
}

const same = <T extends Value>(value: T): T => value;

/** Returns an operation on two operands that are promoted to a common type; null if one of them cannot be. */
function promotedTo<T extends Value>(
  common: Type,
  left: Type,
  right: Type,
  type: Type,
  apply: (left: T, right: T) => Value,
): Operation | null {
  const [a, b] = [conversion(left, common, "promotion"), conversion(right, common, "promotion")];
  return a && b && { type, apply: (x, y) => apply(a(x) as T, b(y) as T) };
}

function comparison(operator: string, left: Type, right: Type): Operation | null {
  const compare = COMPARISONS[operator as keyof typeof COMPARISONS];
  if (!isComparable(left, right) || !isComparable(right, left)) return null;
  if (left.kind === "complex" || right.kind === "complex") {
    const equal = (a: Complex, b: Complex) => (a.re === b.re && a.im === b.im) === (operator === "==");
    return operator === "==" || operator === "!=" ? promotedTo(COMPLEX_TYPE, left, right, BOOL, equal) : null;
  }
  if ((left.kind === "duration") !== (right.kind === "duration")) return null;
  if (left.kind === "angle" || right.kind === "angle") {
    const common = angleAmong(left, right);
    const other = common === left ? right : left;
    const isTaken = other.kind === "angle" || other.kind === "float";
    return isTaken ? promotedTo<bigint>(common, left, right, BOOL, compare) : null;
  }
  if (left.kind !== right.kind && isInteger(left) && isInteger(right)) {
    const type = joined(left, right);
    if (type.kind === "uint" && bitsOf(type) >= DEFAULT_WIDTH)
      return promotedTo<bigint>(type, left, right, BOOL, compare);
  }
  return { type: BOOL, apply: (a, b) => compare(plain(a), plain(b)) };
}

const plain = (value: Value) => (typeof value === "boolean" ? Number(value) : (value as number | bigint));

type Comparable = number | bigint;
const COMPARISONS = {
  // biome-ignore lint/suspicious/noDoubleEquals: whole and real numbers are compared by value.
  "==": (a: Comparable, b: Comparable) => a == b,
  // biome-ignore lint/suspicious/noDoubleEquals: whole and real numbers are compared by value.
  "!=": (a: Comparable, b: Comparable) => a != b,
  "<": (a: Comparable, b: Comparable) => a < b,
  "<=": (a: Comparable, b: Comparable) => a <= b,
  ">": (a: Comparable, b: Comparable) => a > b,
  ">=": (a: Comparable, b: Comparable) => a >= b,
};

function bitwise(operator: string, left: Type, right: Type): Operation | null {
  const [a, b] = [left, right].map(type => (isBoolean(type) ? INT : type)) as [Type, Type];
  const taking = (operation: Operation | null) => withNumbers(operation, [left, a], [right, b]);
  if (operator === "<<" || operator === ">>") {
    if (!hasBits(a) || !isInteger(b)) return null;
    const shift = operator === "<<" ? shiftLeft : shiftRight;
    return taking({ type: a, apply: (value, by) => shift(value as bigint, by as bigint, a) });
  }
  const apply = BITWISE[operator as keyof typeof BITWISE];
  if (isBoolean(left) && isBoolean(right)) {
    const isBool = left.kind === "bool" && right.kind === "bool";
    const bit = (x: Value, y: Value) => apply(x as bigint, y as bigint);
    return taking(isBool ? { type: BOOL, apply: (x, y) => bit(x, y) !== 0n } : { type: BIT, apply: bit });
  }
  if (isBoolean(left) ? isInteger(right) : isBoolean(right) && isInteger(left))
    return taking(bitwise(operator, a, b));
  const type = bitsType(left, right);
  return type && { type, apply: (x, y) => wrap(apply(x as bigint, y as bigint), type) };
}

/** Returns the type of the bits of two values that are taken one by one; null if they cannot be taken together. */
function bitsType(left: Type, right: Type): Type | null {
  if (isInteger(left) && isInteger(right)) return joined(left, right);
  if (left.kind === right.kind) return hasBits(left) && bitsOf(left) === bitsOf(right) ? left : null;
  if (left.kind === "bit" && isInteger(right)) return holds(right, left) ? left : null;
  return right.kind === "bit" && isInteger(left) && holds(left, right) ? right : null;
}

/** Returns the type of an operation on two whole numbers: the wider one, and of two as wide the unsigned one, as in C. */
function joined(left: Type, right: Type): Type {
  if (bitsOf(left) === bitsOf(right)) {
    const isUnsigned = left.kind === "uint" || right.kind === "uint";
    return { kind: isUnsigned ? "uint" : "int", width: left.width === null ? right.width : left.width };
  }
  return bitsOf(left) > bitsOf(right) ? left : right;
}

function ofIntegers(operator: string, left: Type, right: Type): Operation | null {
  const type = joined(left, right);
  const apply = INTEGER[operator as keyof typeof INTEGER];
  if (!apply) return null;
  const number = (from: Type) => (from.kind === type.kind ? same : (value: bigint) => wrap(value, type));
  const [a, b] = [number(left), operator === "**" ? same : number(right)];
  return { type, apply: (x, y) => wrap(apply(a(x as bigint), b(y as bigint)), type) };
}

function ofReals(operator: string, left: Type, right: Type): Operation | null {
  const apply = REAL[operator as keyof typeof REAL];
  if (!apply) return null;
  const isSmall = (type: Type) => isInteger(type) || (type.width !== null && type.width <= 32);
  const isSingle = isSmall(left) && isSmall(right) && !(isInteger(left) && isInteger(right));
  const type: Type = isSingle ? { kind: "float", width: 32 } : FLOAT;
  return { type, apply: (a, b) => rounded(apply(Number(a), Number(b)), type) };
}

/** Durations are added, scaled by numbers, and divided by each other. */
function ofDurations(operator: string, left: Type, right: Type): Operation | null {
  const isNumber = (type: Type) => isInteger(type) || type.kind === "float";
  const typeOf = (): Type | null => {
    if (left.kind === right.kind) return operator === "/" ? FLOAT : "+-".includes(operator) ? DURATION : null;
    const isScaled =
      operator === "*" ? isNumber(left) || isNumber(right) : operator === "/" && isNumber(right);
    return isScaled ? DURATION : null;
  };
  const [type, apply] = [typeOf(), REAL[operator as keyof typeof REAL]];
  return type && { type, apply: (a, b) => apply(Number(a), Number(b)) };
}

/** Returns the angle among two types, the wider one of two. */
const angleAmong = (left: Type, right: Type): Type =>
  left.kind === "angle" && !(right.kind === "angle" && bitsOf(right) > bitsOf(left)) ? left : right;

/** Angles are added and multiplied as the whole numbers that their bits are. */
function ofAngles(operator: string, left: Type, right: Type): Operation | null {
  const type = angleAmong(left, right);
  const isSum = operator === "+" || operator === "-";
  if (left.kind === right.kind) {
    const resized = (value: Value, from: Type) => resizeAngle(value as bigint, from, type);
    const whole: Type = { kind: "uint", width: type.width };
    if (operator === "/")
      return { type: whole, apply: (a, b) => INTEGER["/"](resized(a, left), resized(b, right)) };
    return isSum
      ? { type, apply: (a, b) => wrap(INTEGER[operator](resized(a, left), resized(b, right)), type) }
      : null;
  }
  const other = left.kind === "angle" ? right : left;
  const scales = operator === "*" || (operator === "/" && left.kind === "angle");
  if (scales && isInteger(other))
    return { type, apply: (a, b) => wrap(INTEGER[operator](a as bigint, b as bigint), type) };
  if (other.kind !== "float" || !isSum) return null;
  const real = (value: Value, from: Type) =>
    from.kind === "angle" ? radiansOf(value as bigint, from) : (value as number);
  return { type, apply: (a, b) => angleOf(REAL[operator](real(a, left), real(b, right)), type) };
}

/** Returns a divisor. Throws a RangeError if it is zero. */
function nonzero<T extends number | bigint>(divisor: T): T {
  if (divisor === 0) throw new RangeError("A number is divided by zero.");
  if (divisor === 0n) throw new RangeError("A whole number is divided by zero.");
  return divisor;
}

const REAL = {
  "+": (a: number, b: number) => a + b,
  "-": (a: number, b: number) => a - b,
  "*": (a: number, b: number) => a * b,
  "/": (a: number, b: number) => a / nonzero(b),
  "%": (a: number, b: number) => a - b * Math.floor(a / nonzero(b)),
  "**": (a: number, b: number) => a ** b,
};

const BITWISE = {
  "&": (a: bigint, b: bigint) => a & b,
  "|": (a: bigint, b: bigint) => a | b,
  "^": (a: bigint, b: bigint) => a ^ b,
};

/** Shifts the bits of a whole number up; bits beyond its type are lost. */
function shiftLeft(value: bigint, by: bigint, type: Type): bigint {
  checkShift(by);
  return by >= bitsOf(type) ? 0n : wrap(value << by, type);
}

function shiftRight(value: bigint, by: bigint, type: Type): bigint {
  checkShift(by);
  const width = BigInt(bitsOf(type));
  return value >> (by < width ? by : width);
}

function checkShift(by: bigint): void {
  if (by < 0n) throw new RangeError(`The bits are shifted by ${by}; shift them the other way instead.`);
}

const INTEGER = {
  "+": (a: bigint, b: bigint) => a + b,
  "-": (a: bigint, b: bigint) => a - b,
  "*": (a: bigint, b: bigint) => a * b,
  "/": (a: bigint, b: bigint) => a / nonzero(b),
  "%": (a: bigint, b: bigint) => a % nonzero(b),
  "**": (a: bigint, b: bigint) => {
    if (b < 0n) throw new RangeError("A whole number is raised to a negative power.");
    let result = 1n;
    let base = a;
    for (let rest = b; rest > 0n; rest >>= 1n) {
      if (rest & 1n) result = BigInt.asIntN(WORK_WIDTH, result * base);
      base = BigInt.asIntN(WORK_WIDTH, base * base);
    }
    return result;
  },
};

/** Bits that are kept of a power while it is computed; more than any width that is given to numbers. */
const WORK_WIDTH = 1024;

const isRegister = (type: Type): boolean => type.kind === "bit" && !isBoolean(type);

/** Whether a register is compared with values of a type: registers, numbers that take its bits, and one bit with one. */
function isComparable(register: Type, other: Type): boolean {
  if (!isRegister(register) || isRegister(other)) return true;
  if (isInteger(other)) return other.width === null || other.width === register.width;
  return isBoolean(other) && bitsOf(register) === 1;
}
