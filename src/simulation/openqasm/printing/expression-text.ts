import { POWER_PRECEDENCE, PRECEDENCE, UNARY_PRECEDENCE } from "../syntax/operators.ts";

/** The text of an expression, and how tightly its outermost operator binds. */
export interface ExpressionText {
  readonly text: string;
  readonly level: number;
}

/** Level of what is never put in parentheses. */
const ATOM = 20;

export const atom = (text: string): ExpressionText => ({ text, level: ATOM });

const enclosed = ({ text, level }: ExpressionText, isFree = false): string =>
  isFree || level === ATOM ? text : `(${text})`;

export const called = (name: string, args: readonly ExpressionText[]): ExpressionText =>
  atom(`${name}(${args.map(({ text }) => text).join(", ")})`);

export const indexed = (base: ExpressionText, items: string): ExpressionText =>
  atom(`${enclosed(base)}[${items}]`);

export const concatenated = (parts: readonly string[]): ExpressionText => ({
  ...{ text: parts.join(" ++ "), level: 0 },
});

export const unary = (operator: string, operand: ExpressionText): ExpressionText => ({
  text: operator + enclosed(operand, operand.level >= UNARY_PRECEDENCE),
  level: UNARY_PRECEDENCE,
});

/** Writes an operator between its operands, with no more parentheses than it needs. */
export function binary(left: ExpressionText, operator: string, right: ExpressionText): ExpressionText {
  const level = PRECEDENCE.get(operator)!;
  const isPower = level === POWER_PRECEDENCE;
  const isLeftFree = isPower ? left.level > level : left.level >= level;
  const isRightFree =
    right.level === UNARY_PRECEDENCE || (isPower ? right.level >= level : right.level > level);
  return { text: `${enclosed(left, isLeftFree)} ${operator} ${enclosed(right, isRightFree)}`, level };
}

const negative = (operand: ExpressionText): ExpressionText => unary("-", operand);

export const integer = (value: number | bigint): ExpressionText =>
  value < 0 ? negative(atom(String(-value))) : atom(String(value));

/** Writes a real number so that it reads back as the same one, and as no whole number. */
export function float(value: number): ExpressionText {
  if (value < 0 || Object.is(value, -0)) return negative(float(-value));
  const text = String(value);
  return atom(/[.e]/.test(text) ? text : `${text}.0`);
}

/** Writes an angle in radians: as a fraction of pi where that is exactly the number. */
export function angle(value: number): ExpressionText {
  for (const divisor of DIVISORS) {
    const times = Math.round((Math.abs(value) * divisor) / Math.PI);
    if (times === 0 || times > MAX_TIMES || (times * Math.PI) / divisor !== Math.abs(value)) continue;
    const product = times === 1 ? atom("pi") : binary(integer(times), "*", atom("pi"));
    const size = divisor === 1 ? product : binary(product, "/", integer(divisor));
    return value < 0 ? negative(size) : size;
  }
  return float(value);
}

const DIVISORS = [1, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64, 128, 256, 512, 1024];
const MAX_TIMES = 64;

/** Writes a duration in nanoseconds. */
export const duration = (value: number): ExpressionText =>
  value < 0 ? negative(duration(-value)) : atom(`${Math.abs(value)}ns`);

/** Writes statements in braces, each on its own lines. */
export const block = (statements: readonly string[]): string =>
  statements.length === 0 ? "{}" : `{\n${statements.join("\n").replace(/^/gm, "  ")}\n}`;
