import { constantValue } from "../../circuit/evaluate.ts";
import { type Computed, type Constant, constant, type Expression } from "../../circuit/expression.ts";
import type { Value } from "../../circuit/memory.ts";
import { type ConversionKind, conversion } from "../../circuit/values/conversions.ts";
import {
  FLOAT,
  INT,
  isInteger,
  isNumeric,
  MAX_WIDTH,
  type Type,
  typeName,
  withArticle,
} from "../../circuit/values/types.ts";
import { EvaluationError } from "../../errors.ts";
import { errorAt, type Place } from "../diagnostics/diagnostic.ts";
import type { ExpressionNode, TypeNode } from "../syntax/ast.ts";
import type { ExpressionContext } from "./context.ts";
import type { ScopeEntry } from "./scope.ts";

/** Thrown where a name is used whose declaration is invalid, which has been reported already. */
export class AlreadyReportedError extends Error {
  override name = "AlreadyReportedError";
}

/** Returns the meaning of a name. Throws for one that is unknown, with a hint, or cannot be seen. */
export function declaredAs(
  { scope }: ExpressionContext,
  node: ExpressionNode & { kind: "name" },
  hint: () => string | undefined,
): ScopeEntry {
  const { name } = node;
  const symbol = scope.find(name);
  if (symbol === undefined) throw errorAt(node, `${name} is not declared.`, hint());
  if (symbol === "hidden")
    throw errorAt(
      node,
      `${name} belongs to the program, which gates and subroutines cannot see.`,
      "Pass it as an argument.",
    );
  if (symbol.kind === "faulty") throw new AlreadyReportedError();
  return symbol;
}

/** Returns an expression, or its value where all of its operands are constants; what goes wrong then is an error of the program. */
export function fold(
  node: Computed,
  operands: readonly { readonly value?: Value }[],
  place: Place,
): Expression {
  if (operands.some(({ value }) => value === undefined)) return { ...node, at: place.at };
  try {
    return constant(node.type, constantValue(node));
  } catch (error) {
    throw error instanceof EvaluationError ? errorAt(place, error.message) : error;
  }
}

export function convert(inner: Expression, type: Type, place: Place, kind: ConversionKind): Expression {
  if (inner.type.kind === type.kind && inner.type.width === type.width) return inner;
  const literal = literalOf(inner, type);
  if (literal) return literal;
  if (conversion(inner.type, type, kind))
    return fold({ kind: "cast", type, operand: inner, conversion: kind }, [inner], place);
  if (type.kind === "bit" && inner.value !== undefined && isInteger(inner.type) && inner.type.width === null)
    throw errorAt(
      place,
      `${inner.value} does not fit into ${withArticle(type)}.`,
      `The largest number of ${type.width} bits is ${2n ** BigInt(type.width ?? 1) - 1n}.`,
    );
  throw errorAt(
    place,
    `${withArticle(inner.type, true)} cannot ${kind === "cast" ? "be turned into" : "stand for"} ${withArticle(type)}.`,
    hintFor(inner.type, type, kind),
  );
}

/** Returns what a constant whole number without a width stands for where no other one does: bits, if it fits, and zero for an angle. */
export function literalOf({ type: from, value }: Expression, type: Type): Expression | null {
  if (value === undefined || !isInteger(from) || from.width !== null) return null;
  const whole = value as bigint;
  if (type.kind === "angle") return whole === 0n ? constant(type, 0n) : null;
  if (type.kind !== "bit" || type.width === null) return null;
  const bits = BigInt.asUintN(type.width, whole);
  return bits === whole || BigInt.asIntN(type.width, whole) === whole ? constant(type, bits) : null;
}

function hintFor(from: Type, to: Type, kind: ConversionKind): string | undefined {
  if (to.kind === "duration" && isNumeric(from))
    return "Write a unit of time after the number, as in `100ns`.";
  if (to.kind === "angle" && isInteger(from))
    return "Angles are made of real numbers of radians, as in `1.0` or `pi / 2`.";
  if (from.kind === "angle" && to.kind === "float")
    return "Keep the radians in a float, or take the bits: `uint[n](bit[n](a))`.";
  if (isInteger(from) && to.kind === "bit" && to.width !== null)
    return `The widths must be equal: use ${from.kind}[${to.width}], as in \`bit[${to.width}](uint[${to.width}](n))\`.`;
  if (from.kind === "bit" && from.width !== null && isInteger(to))
    return `The widths must be equal: use ${to.kind}[${from.width}], or take a part of the bits, as in \`c[0:2]\`.`;
  return kind !== "cast" && conversion(from, to, "cast")
    ? `Write ${typeName(to)}(…) to turn it into one.`
    : undefined;
}

export const compileTo = (context: ExpressionContext, node: ExpressionNode, type: Type): Expression =>
  convert(context.compile(node), type, node, "promotion");

/** Compiles a whole number in its own type: a place or an end of a range is not brought into that of an `int`. */
export function wholeNumber(context: ExpressionContext, node: ExpressionNode): Expression {
  const inner = context.compile(node);
  return isInteger(inner.type) ? inner : convert(inner, INT, node, "promotion");
}

/** Compiles what is assigned to a place of a type; of a real number that is assigned to a whole one, the fraction is dropped. */
export function assigned(context: ExpressionContext, node: ExpressionNode, type: Type): Expression {
  const inner = context.compile(node);
  if (inner.type.kind === "float" && isInteger(type))
    context.note(node, "A real number is assigned to a whole one: its fraction is dropped, as in C.");
  const value = convert(inner, type, node, "assignment");
  const isWhole = isInteger(inner.type) && isInteger(type) && inner.value !== undefined;
  if (isWhole && inner.type.width === null && value.value !== inner.value)
    context.note(
      node,
      `${inner.value} does not fit into ${withArticle(type)}; it becomes ${value.value}, as in C.`,
    );
  return value;
}

/** Compiles an argument of a gate: a real number. */
export function realNumber(context: ExpressionContext, node: ExpressionNode): Expression {
  const inner = context.compile(node, true);
  if (!isNumeric(inner.type))
    throw errorAt(node, `An argument of a gate is a number, not ${withArticle(inner.type)}.`);
  return convert(inner, FLOAT, node, "argument");
}

/** Returns what `compile` returns if that is a constant of the program, and null if it is not, as for an input. */
export function knownBefore(context: ExpressionContext, compile: () => Expression): Constant | null {
  const before = context.inputReads;
  const compiled = compile();
  return compiled.kind === "constant" && context.inputReads === before ? compiled : null;
}

/** Returns the value of an expression that has to be a constant whole number. */
export function constantInteger(context: ExpressionContext, node: ExpressionNode, what: string): number {
  const known = knownBefore(context, () => context.compile(node));
  if (!known || (!isInteger(known.type) && !conversion(known.type, INT, "promotion")))
    throw errorAt(
      node,
      `${what} has to be a constant whole number.`,
      "A variable is one where it is declared so, as in `const int n = 3;`.",
    );
  return Number(isInteger(known.type) ? known.value : convert(known, INT, node, "promotion").value);
}

export function compileType(context: ExpressionContext, node: TypeNode): Type {
  if (node.array) throw errorAt(node, "A single value is needed here, not an array.");
  const kind = node.name === "stretch" ? "duration" : (node.name as Type["kind"]);
  const width = node.width && constantInteger(context, node.width, `The width of ${kind}`);
  const max = MAX_WIDTH[kind === "bit" ? "bit" : kind === "float" || kind === "complex" ? "float" : "number"];
  if (width !== null && (width < 1 || width > max))
    throw errorAt(node.width!, `The width of ${kind} has to be from 1 to ${max.toLocaleString("en-US")}.`);
  return { kind, width };
}
