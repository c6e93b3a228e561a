import type { Complex, Value } from "../memory.ts";
import { COMPLEX } from "./complex.ts";
import { angleOf, conversion, holds, radiansOf, resizeAngle, rounded } from "./conversions.ts";
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

/** Finds what an operator does with operands of two types, or null where it does not take them. Faults are RangeErrors. */
export function resolveOperator(
  operator: string,
  left: Type,
  right: Type,
  isReals: boolean,
): Operation | null {
  if (isComparison(operator)) return comparison(operator, left, right);
  if (ON_BITS.has(operator)) return bitwise(operator, left, right);
  if (isRegister(left) && isInteger(right) && holds(right, left))
    return numbering(resolveOperator(operator, right, right, isReals), right, "left");
  if (isRegister(right) && isInteger(left) && holds(left, right))
    return numbering(resolveOperator(operator, left, left, isReals), left, "right");
  if (isBoolean(left) || isBoolean(right))
    return promoting(resolveOperator(operator, promoted(left), promoted(right), isReals), left, right);
  if (left.kind === "duration" || right.kind === "duration") return ofDurations(operator, left, right);
  if (left.kind === "complex" || right.kind === "complex") return ofComplex(operator, left, right);
  if (!isNumeric(left) || !isNumeric(right)) return null;
  if (left.kind === "angle" || right.kind === "angle") return ofAngles(operator, left, right);
  if (isInteger(left) && isInteger(right) && !(isReals && operator === "/"))
    return ofIntegers(operator, left, right);
  return ofReals(operator, left, right);
}

/** Returns the type as which a value takes part in arithmetic: truth values are whole numbers there, as in C. */
const promoted = (type: Type): Type => (isBoolean(type) ? INT : type);

/** Makes an operation of numbers take truth values, which have the form of their own types. */
function promoting(operation: Operation | null, left: Type, right: Type): Operation | null {
  if (!operation || (left.kind !== "bool" && right.kind !== "bool")) return operation;
  const { type, apply } = operation;
  const number = (value: Value) => (typeof value === "boolean" ? BigInt(value) : value);
  return { type, apply: (a, b) => apply(number(a), number(b)) };
}

function comparison(operator: string, left: Type, right: Type): Operation | null {
  const compare = COMPARISONS[operator as keyof typeof COMPARISONS];
  if (!isComparable(left, right) || !isComparable(right, left)) return null;
  if (left.kind === "complex" || right.kind === "complex") {
    const [a, b] = [
      conversion(left, COMPLEX_TYPE, "promotion"),
      conversion(right, COMPLEX_TYPE, "promotion"),
    ];
    if (!a || !b || (operator !== "==" && operator !== "!=")) return null;
    const equal = (x: Complex, y: Complex) => x.re === y.re && x.im === y.im;
    return {
      type: BOOL,
      apply: (x, y) => equal(a(x) as Complex, b(y) as Complex) === (operator === "=="),
    };
  }
  if ((left.kind === "duration") !== (right.kind === "duration")) return null;
  if (left.kind === "angle" || right.kind === "angle") {
    const type =
      left.kind === "angle" && right.kind === "angle" && bitsOf(right) > bitsOf(left) ? right : left;
    const common = type.kind === "angle" ? type : right;
    const other = common === left ? right : left;
    if (other.kind !== "angle" && other.kind !== "float") return null;
    const [a, b] = [conversion(left, common, "promotion"), conversion(right, common, "promotion")];
    return a && b && { type: BOOL, apply: (x, y) => compare(a(x) as bigint, b(y) as bigint) };
  }
  if (left.kind !== right.kind && isInteger(left) && isInteger(right)) {
    const type = joined(left, right);
    if (type.kind === "uint" && bitsOf(type) >= DEFAULT_WIDTH)
      return {
        type: BOOL,
        apply: (a, b) => compare(wrap(a as bigint, type), wrap(b as bigint, type)),
      };
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
  if (operator === "<<" || operator === ">>") {
    const [type, by] = [promoted(left), promoted(right)];
    if (!hasBits(type) || !isInteger(by)) return null;
    const apply = operator === "<<" ? shiftLeft : shiftRight;
    return promoting({ type, apply: (a, b) => apply(a as bigint, b as bigint, type) }, left, right);
  }
  if (isBoolean(left) && isBoolean(right)) {
    const apply = BITWISE[operator as keyof typeof BITWISE];
    const bits: Operation = { type: BIT, apply: (a, b) => apply(a as bigint, b as bigint) };
    if (left.kind !== "bool" || right.kind !== "bool") return promoting(bits, left, right);
    return { type: BOOL, apply: (a, b) => apply(BigInt(a as boolean), BigInt(b as boolean)) !== 0n };
  }
  if (isBoolean(left) ? isInteger(right) : isBoolean(right) && isInteger(left))
    return promoting(bitwise(operator, promoted(left), promoted(right)), left, right);
  if (!hasBits(left) || !hasBits(right)) return null;
  const isMixed = left.kind === "angle" || right.kind === "angle";
  if ((isMixed || (left.kind === "bit" && right.kind === "bit")) && bitsOf(left) !== bitsOf(right))
    return null;
  if (isMixed && left.kind !== right.kind) return null;
  if (
    left.kind === "bit"
      ? isInteger(right) && !holds(right, left)
      : right.kind === "bit" && !holds(left, right)
  )
    return null;
  const type =
    left.kind === "bit" ? left : right.kind === "bit" ? right : isMixed ? left : joined(left, right);
  const apply = BITWISE[operator as keyof typeof BITWISE];
  return { type, apply: (a, b) => wrap(apply(a as bigint, b as bigint), type) };
}

/** Returns the type of what two whole numbers make: the wider one, and of two as wide the unsigned one, as in C. */
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
  if (left.kind === type.kind && (right.kind === type.kind || operator === "**"))
    return { type, apply: (a, b) => wrap(apply(a as bigint, b as bigint), type) };
  const exponent = (value: bigint) => (operator === "**" ? value : wrap(value, type));
  return { type, apply: (a, b) => wrap(apply(wrap(a as bigint, type), exponent(b as bigint)), type) };
}

function ofReals(operator: string, left: Type, right: Type): Operation | null {
  const apply = REAL[operator as keyof typeof REAL];
  if (!apply) return null;
  const isSmall = (type: Type) => isInteger(type) || (type.width !== null && type.width <= 32);
  const type: Type =
    isSmall(left) && isSmall(right) && !(isInteger(left) && isInteger(right))
      ? { kind: "float", width: 32 }
      : FLOAT;
  return { type, apply: (a, b) => rounded(apply(Number(a), Number(b)), type) };
}

const REAL = {
  "+": (a: number, b: number) => a + b,
  "-": (a: number, b: number) => a - b,
  "*": (a: number, b: number) => a * b,
  "/": (a: number, b: number) => {
    if (b === 0) throw new RangeError("A number is divided by zero.");
    return a / b;
  },
  "%": (a: number, b: number) => {
    if (b === 0) throw new RangeError("A number is divided by zero.");
    return a - b * Math.floor(a / b);
  },
  "**": (a: number, b: number) => a ** b,
};

function ofComplex(operator: string, left: Type, right: Type): Operation | null {
  const apply = COMPLEX[operator as keyof typeof COMPLEX];
  const [a, b] = [conversion(left, COMPLEX_TYPE, "promotion"), conversion(right, COMPLEX_TYPE, "promotion")];
  return operator in COMPLEX && a && b
    ? { type: COMPLEX_TYPE, apply: (x, y) => apply(a(x) as Complex, b(y) as Complex) }
    : null;
}

/** Durations are added, scaled by numbers, and divided by each other. */
function ofDurations(operator: string, left: Type, right: Type): Operation | null {
  const apply: ((a: number, b: number) => number) | undefined = REAL[operator as keyof typeof REAL];
  if (!apply) return null;
  const isNumber = (type: Type) => isInteger(type) || type.kind === "float";
  const both = left.kind === right.kind;
  const run = (type: Type): Operation => ({ type, apply: (a, b) => apply(Number(a), Number(b)) });
  if (both)
    return operator === "+" || operator === "-" ? run(DURATION) : operator === "/" ? run(FLOAT) : null;
  if (operator === "*") return isNumber(left) || isNumber(right) ? run(DURATION) : null;
  return operator === "/" && isNumber(right) ? run(DURATION) : null;
}

/** Angles are added and multiplied as the whole numbers that their bits are. */
function ofAngles(operator: string, left: Type, right: Type): Operation | null {
  const both = left.kind === "angle" && right.kind === "angle";
  const type = both ? (bitsOf(right) > bitsOf(left) ? right : left) : left.kind === "angle" ? left : right;
  const resized = (value: Value, from: Type) => resizeAngle(value as bigint, from, type);
  if (both) {
    if (operator === "/")
      return {
        type: { kind: "uint", width: type.width },
        apply: (a, b) => INTEGER["/"](resized(a, left), resized(b, right)),
      };
    if (operator !== "+" && operator !== "-") return null;
    return { type, apply: (a, b) => wrap(INTEGER[operator](resized(a, left), resized(b, right)), type) };
  }
  const other = left.kind === "angle" ? right : left;
  const scales = operator === "*" || (operator === "/" && left.kind === "angle");
  if (scales && isInteger(other))
    return { type, apply: (a, b) => wrap(INTEGER[operator](a as bigint, b as bigint), type) };
  if (other.kind !== "float" || (operator !== "+" && operator !== "-")) return null;
  const real = (value: Value, from: Type) =>
    from.kind === "angle" ? radiansOf(value as bigint, from) : (value as number);
  const apply = REAL[operator];
  return { type, apply: (a, b) => angleOf(apply(real(a, left), real(b, right)), type) };
}

const BITWISE = {
  "&": (a: bigint, b: bigint) => a & b,
  "|": (a: bigint, b: bigint) => a | b,
  "^": (a: bigint, b: bigint) => a ^ b,
};

/** Shifts the bits of a whole number up, those of its type kept. */
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
  "/": (a: bigint, b: bigint) => {
    if (b === 0n) throw new RangeError("A whole number is divided by zero.");
    return a / b;
  },
  "%": (a: bigint, b: bigint) => {
    if (b === 0n) throw new RangeError("A whole number is divided by zero.");
    return a % b;
  },
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

/** Makes an operation of whole numbers take the bits of a register on one side. */
function numbering(operation: Operation | null, type: Type, side: "left" | "right"): Operation | null {
  if (!operation) return null;
  const number = (value: Value) => wrap(value as bigint, type);
  return {
    type: operation.type,
    apply:
      side === "left" ? (a, b) => operation.apply(number(a), b) : (a, b) => operation.apply(a, number(b)),
  };
}

/** Whether a register is compared with values of a type: registers, numbers that take its bits, and one bit with one. */
function isComparable(register: Type, other: Type): boolean {
  if (!isRegister(register) || isRegister(other)) return true;
  if (isInteger(other)) return other.width === null || other.width === register.width;
  return isBoolean(other) && bitsOf(register) === 1;
}
