import { constantValue } from "../../circuit/evaluate.ts";
import { type Computed, constant, type Expression } from "../../circuit/expression.ts";
import type { Value } from "../../circuit/memory.ts";
import { type ConversionKind, conversion } from "../../circuit/values/conversions.ts";
import { isInteger, isNumeric, type Type, typeName, withArticle } from "../../circuit/values/types.ts";
import { EvaluationError } from "../../errors.ts";
import { DiagnosticError } from "../diagnostics/diagnostic.ts";

/** Place in the source. */
interface Place {
  readonly at: number;
  readonly end: number;
}

/** Thrown where a name is used whose declaration was at errorAt, which has been reported already. */
export class AlreadyReportedError extends Error {
  override name = "AlreadyReportedError";
}

/** Makes an error whose diagnostic covers an expression. */
export function errorAt(node: Place, message: string, hint?: string): DiagnosticError {
  return new DiagnosticError(node.at, message, { length: node.end - node.at, hint });
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

/** Turns an expression into one of another type. */
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
