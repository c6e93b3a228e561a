import type { Value } from "../circuit/memory.ts";
import {
  ANGLE,
  BOOL,
  DEFAULT_WIDTH,
  FLOAT,
  INT,
  isInteger,
  isNumeric,
  type Type,
  UINT,
  wrap,
  wrapAngle,
} from "./types.ts";

/** An operator for operands of certain types. */
export interface Operation {
  readonly type: Type;
  readonly apply: (left: Value, right: Value) => Value;
}

export const isLogical = (operator: string): boolean => operator === "&&" || operator === "||";
export const isComparison = (operator: string): boolean =>
  ["==", "!=", "<", "<=", ">", ">="].includes(operator);

/** Finds what an operator does with operands of two types, or null where it does not take them. Faults are RangeErrors. */
export function operate(operator: string, left: Type, right: Type, isReals: boolean): Operation | null {
  if (isComparison(operator)) return comparison(operator, left, right);
  if (["&", "|", "^", "<<", ">>"].includes(operator)) return bitwise(operator, left, right);
  if (!isNumeric(left) || !isNumeric(right)) return null;
  if (left.kind === "angle" || right.kind === "angle") return ofAngles(operator, left, right);
  if (isInteger(left) && isInteger(right) && !(isReals && operator === "/"))
    return ofIntegers(operator, left, right);
  return ofReals(operator);
}

function comparison(operator: string, left: Type, right: Type): Operation | null {
  const isBoolean = (type: Type) => type.kind === "bool";
  const mixes = isBoolean(left) !== isBoolean(right) && (isNumeric(left) || isNumeric(right));
  if (mixes) return null;
  const compare = COMPARISONS[operator as keyof typeof COMPARISONS];
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
  const ofBits = (type: Type) => type.kind === "bit" || isInteger(type);
  if (operator === "<<" || operator === ">>") {
    if (!ofBits(left) || !isInteger(right)) return null;
    return {
      type: left,
      apply: (a, b) => shift(a as bigint, operator === "<<" ? (b as bigint) : -(b as bigint), left),
    };
  }
  if (left.kind === "bool" && right.kind === "bool" && operator === "^")
    return { type: BOOL, apply: (a, b) => a !== b };
  if (!ofBits(left) || !ofBits(right)) return null;
  if (left.kind === "bit" && right.kind === "bit" && (left.width ?? 1) !== (right.width ?? 1)) return null;
  const type = left.kind === "bit" ? left : right.kind === "bit" ? right : joined(left, right);
  const apply = BITWISE[operator as keyof typeof BITWISE];
  return { type, apply: (a, b) => wrap(apply(a as bigint, b as bigint), type) };
}

const BITWISE = {
  "&": (a: bigint, b: bigint) => a & b,
  "|": (a: bigint, b: bigint) => a | b,
  "^": (a: bigint, b: bigint) => a ^ b,
};

function shift(value: bigint, by: bigint, type: Type): bigint {
  const width = BigInt(type.width ?? (type.kind === "bit" ? 1 : DEFAULT_WIDTH));
  if (by >= width) return 0n;
  return wrap(by >= 0n ? value << by : value >> (by < -width ? width : -by), type);
}

/** Gives the type of what two whole numbers make: the wider one, and unsigned where both are. */
function joined(left: Type, right: Type): Type {
  if (left.width === null && right.width === null)
    return left.kind === "uint" && right.kind === "uint" ? UINT : INT;
  const width = Math.max(left.width ?? DEFAULT_WIDTH, right.width ?? DEFAULT_WIDTH);
  return { kind: left.kind === "uint" && right.kind === "uint" ? "uint" : "int", width };
}

function ofIntegers(operator: string, left: Type, right: Type): Operation | null {
  const type = joined(left, right);
  const apply = INTEGER[operator as keyof typeof INTEGER];
  if (!apply) return null;
  return { type, apply: (a, b) => wrap(apply(a as bigint, b as bigint), type) };
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

const WORK_WIDTH = 128;

function ofReals(operator: string): Operation | null {
  const apply = REAL[operator as keyof typeof REAL];
  return apply ? { type: FLOAT, apply: (a, b) => apply(Number(a), Number(b)) } : null;
}

const REAL = {
  "+": (a: number, b: number) => a + b,
  "-": (a: number, b: number) => a - b,
  "*": (a: number, b: number) => a * b,
  "/": (a: number, b: number) => {
    if (b === 0) throw new RangeError("A number is divided by zero.");
    return a / b;
  },
  "%": (a: number, b: number) => a - b * Math.floor(a / b),
  "**": (a: number, b: number) => a ** b,
};

function ofAngles(operator: string, left: Type, right: Type): Operation | null {
  const width = left.kind === "angle" ? left.width : right.width;
  const type: Type = width === null ? ANGLE : { kind: "angle", width };
  const apply = REAL[operator as keyof typeof REAL];
  if (left.kind === "angle" && right.kind === "angle" && operator === "/")
    return { type: UINT, apply: (a, b) => BigInt(Math.trunc(REAL["/"](Number(a), Number(b)))) };
  const scales = operator === "*" || (operator === "/" && left.kind === "angle");
  const both = left.kind === "angle" && right.kind === "angle";
  const adds = operator === "+" || operator === "-";
  if (!apply || !(adds || (scales && !both))) return null;
  return { type, apply: (a, b) => wrapAngle(apply(Number(a), Number(b)), width) };
}
