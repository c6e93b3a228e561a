import type { Value } from "../circuit/memory.ts";
import { SimulationError } from "../errors.ts";

/** Gives the number of bits of a type such as `i64`. */
const widthOf = (type: string): number => Math.min(1024, Number(/^i(\d{1,4})$/.exec(type)?.[1] ?? 64));
const signed = (value: Value, type: string): bigint => BigInt.asIntN(widthOf(type), value as bigint);
const unsigned = (value: Value, type: string): bigint => BigInt.asUintN(widthOf(type), value as bigint);

const WHOLE: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};
const DIVISIONS = ["sdiv", "udiv", "srem", "urem"];
const SHIFTS = ["shl", "lshr", "ashr"];
const REAL: Readonly<Record<string, (a: number, b: number) => number>> = {
  fadd: (a, b) => a + b,
  fsub: (a, b) => a - b,
  fmul: (a, b) => a * b,
  fdiv: (a, b) => a / b,
};

/** Gives what an operation of two values does, or null for one that is none. Whole numbers are kept without a sign. */
export function binaryOperation(
  name: string,
  type: string,
): ((left: Value, right: Value, where: string) => Value) | null {
  const whole = Object.hasOwn(WHOLE, name) ? WHOLE[name]! : undefined;
  if (whole) return (a, b) => unsigned(whole(a as bigint, b as bigint), type);
  const real = Object.hasOwn(REAL, name) ? REAL[name]! : undefined;
  if (real) return (a, b) => real(Number(a), Number(b));
  if (DIVISIONS.includes(name))
    return (a, b, where) => {
      const read = name.startsWith("s") ? signed : unsigned;
      const [x, y] = [read(a, type), read(b, type)];
      if (y === 0n) throw new SimulationError(`${where}: A whole number is divided by zero.`);
      return unsigned(name.endsWith("div") ? x / y : x % y, type);
    };
  if (!SHIFTS.includes(name)) return null;
  return (a, b) => {
    const by = unsigned(b, type);
    if (by >= BigInt(widthOf(type))) return 0n;
    const value = name === "ashr" ? signed(a, type) : unsigned(a, type);
    return unsigned(name === "shl" ? value << by : value >> by, type);
  };
}

/** Gives the comparison that a predicate such as `slt` or `olt` stands for, or null. */
export function comparison(predicate: string, type: string): ((left: Value, right: Value) => Value) | null {
  const order = /^[suo]?(eq|ne|lt|le|gt|ge)$/.exec(predicate)?.[1];
  if (!order) return null;
  const read = (value: Value): number | bigint =>
    typeof value === "number"
      ? value
      : predicate.startsWith("s")
        ? signed(value, type)
        : unsigned(value, type);
  return (left, right) => {
    const [a, b] = [read(left), read(right)];
    const holds = { eq: a === b, ne: a !== b, lt: a < b, le: a <= b, gt: a > b, ge: a >= b };
    return holds[order as keyof typeof holds] ? 1n : 0n;
  };
}

/** Gives the conversion that a word such as `zext` stands for, or null. */
export function conversionOf(name: string): ((value: Value, from: string, to: string) => Value) | null {
  switch (name) {
    case "inttoptr":
    case "ptrtoint":
      return value => value;
    case "zext":
    case "trunc":
      return (value, _, to) => unsigned(value, to);
    case "sext":
      return (value, from, to) => unsigned(signed(value, from), to);
    case "sitofp":
      return (value, from) => Number(signed(value, from));
    case "uitofp":
      return (value, from) => Number(unsigned(value, from));
    case "fptosi":
    case "fptoui":
      return (value, _, to) => unsigned(BigInt(Math.trunc(Number(value) || 0)), to);
    default:
      return null;
  }
}
