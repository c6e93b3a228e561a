import type { Computed, Expression } from "../circuit/expression.ts";
import { BOOL, FLOAT, type Type } from "../circuit/values/types.ts";

const WORDS: Readonly<Record<string, string>> = {
  ...{ add: "+", sub: "-", mul: "*", and: "&", or: "|", xor: "^" },
  ...{ udiv: "/", urem: "%", shl: "<<", lshr: ">>" },
};
const SIGNED: Readonly<Record<string, string>> = { sdiv: "/", srem: "%", ashr: ">>" };
const REALS: Readonly<Record<string, string>> = { fadd: "+", fsub: "-", fmul: "*" };
/** Operations of real numbers that accept 0 as the second operand. */
const QUOTIENTS: ReadonlySet<string> = new Set(["fdiv", "frem"]);
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

export const isBinary = (name: string): boolean =>
  QUOTIENTS.has(name) || [WORDS, SIGNED, REALS].some(words => Object.hasOwn(words, name));

/** Returns the function of a binary operation, or null for an unknown one. */
export function binaryOperation(
  name: string,
  left: Expression,
  right: Expression,
  at: number,
): Expression | null {
  const { type } = left;
  const own = (of: Readonly<Record<string, string>>) => (Object.hasOwn(of, name) ? of[name] : undefined);
  const word = own(WORDS) ?? own(REALS);
  if (word) return binary(word, type, left, right, at);
  if (QUOTIENTS.has(name)) return { kind: "call", type: FLOAT, name, args: [left, right], at };
  const ofSigned = own(SIGNED);
  if (!ofSigned) return null;
  const by = name === "ashr" ? right : signed(right);
  const first = signed(left);
  return castTo(type, binary(ofSigned, first.type, first, by, at));
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

/** Function of a conversion such as `zext`. */
const CONVERSIONS: Readonly<Record<string, (value: Expression, to: string, at: number) => Expression>> = {
  ...{ inttoptr: same, ptrtoint: same, zext: cast, trunc: cast, fptosi: cast, fptoui: cast, uitofp: cast },
  ...{ sext: castSigned, sitofp: castSigned },
};

function same(value: Expression): Expression {
  return value;
}

function cast(value: Expression, to: string, at: number): Expression {
  return castTo(typeOf(to), value, at);
}

function castSigned(value: Expression, to: string, at: number): Expression {
  return castTo(typeOf(to), signed(value), at);
}

/** Returns the conversion of a name, or undefined. */
export const conversionOf = (name: string) =>
  Object.hasOwn(CONVERSIONS, name) ? CONVERSIONS[name] : undefined;
