import type { Computed, Expression } from "../circuit/expression.ts";
import { BOOL, FLOAT, type Type } from "../circuit/values/types.ts";

/** Operators for LLVM's operations; a division of real numbers is a call, which accepts 0 as the second operand. */
const OPERATORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ add: "+", sub: "-", mul: "*", and: "&", or: "|", xor: "^", shl: "<<", lshr: ">>", ashr: ">>" },
    ...{ udiv: "/", urem: "%", sdiv: "/", srem: "%", fadd: "+", fsub: "-", fmul: "*", fdiv: "", frem: "" },
  }),
);
const SIGNED: ReadonlySet<string> = new Set(["sdiv", "srem", "ashr", "sext", "sitofp"]);
const ORDERS: Readonly<Record<string, string>> = {
  ...{ eq: "==", ne: "!=", lt: "<", le: "<=", gt: ">", ge: ">=" },
};

export const isReal = (type: string): boolean => type === "double" || type === "float";

/** Returns the type of values such as `i64` or `double`; whole numbers are kept without a sign. */
export function typeOf(type: string): Type {
  if (isReal(type)) return FLOAT;
  return { kind: "uint", width: Math.max(1, Math.min(1024, Number(/^i(\d{1,4})$/.exec(type)?.[1] ?? 64))) };
}

export const castTo = (type: Type, operand: Expression, at?: number): Expression => ({
  ...{ kind: "cast", type, operand, conversion: "cast" },
  ...(at === undefined ? {} : { at }),
});

const signed = (node: Expression): Expression => castTo({ kind: "int", width: node.type.width }, node);

function binary(operator: string, type: Type, left: Expression, right: Expression, at: number): Computed {
  return { kind: "binary", operator, type, left, right, at };
}

export const isBinary = (name: string): boolean => OPERATORS.has(name);

export function binaryOperation(name: string, left: Expression, right: Expression, at: number): Expression {
  const { type } = left;
  const operator = OPERATORS.get(name)!;
  if (operator === "") return { kind: "call", type: FLOAT, name, args: [left, right], at };
  if (!SIGNED.has(name)) return binary(operator, type, left, right, at);
  const first = signed(left);
  return castTo(type, binary(operator, first.type, first, name === "ashr" ? right : signed(right), at));
}

/** Returns the comparison that a predicate such as `slt` or `olt` stands for, as 0 or 1, or null. */
export function comparison(
  predicate: string,
  left: Expression,
  right: Expression,
  at: number,
): Expression | null {
  const order = /^[suo]?(eq|ne|lt|le|gt|ge)$/.exec(predicate)?.[1];
  if (!order) return null;
  const isSigned = predicate.startsWith("s") && left.type.kind === "uint";
  const [a, b] = isSigned ? [signed(left), signed(right)] : [left, right];
  return castTo(BIT, binary(ORDERS[order]!, BOOL, a, b, at));
}

export const BIT: Type = { kind: "uint", width: 1 };

const CONVERSIONS: ReadonlySet<string> = new Set(
  "inttoptr ptrtoint zext sext trunc fptosi fptoui uitofp sitofp".split(" "),
);

export const isConversion = (name: string): boolean => CONVERSIONS.has(name);

/** Returns the value of a conversion such as `zext`. */
export function converted(name: string, value: Expression, to: string, at: number): Expression {
  if (name === "inttoptr" || name === "ptrtoint") return value;
  return castTo(typeOf(to), SIGNED.has(name) ? signed(value) : value, at);
}
