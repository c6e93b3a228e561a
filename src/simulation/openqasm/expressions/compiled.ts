import { constantValue } from "../../circuit/evaluate.ts";
import { type Computed, constant, type Expression } from "../../circuit/expression.ts";
import type { Value } from "../../circuit/memory.ts";
import { type ConversionKind, conversion } from "../../circuit/values/conversions.ts";
import { isInteger, isNumeric, type Type, typeName, withArticle } from "../../circuit/values/types.ts";
import { EvaluationError } from "../../errors.ts";
import { DiagnosticError } from "../diagnostics/diagnostic.ts";

/** Where something stands in the source. */
interface Place {
  readonly at: number;
  readonly end: number;
}

/** Thrown where a name is used whose declaration was at errorAt, which has been reported already. */
export class AlreadyReportedError extends Error {}

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
  if (conversion(inner.type, type, kind))
    return fold({ kind: "cast", type, operand: inner, conversion: kind }, [inner], place);
  throw errorAt(
    place,
    `${withArticle(inner.type, true)} cannot ${kind === "cast" ? "be turned into" : "stand for"} ${withArticle(type)}.`,
    hintFor(inner.type, type, kind),
  );
}

function hintFor(from: Type, to: Type, kind: ConversionKind): string | undefined {
  if (to.kind === "duration" && isNumeric(from))
    return "Write a unit of time after the number, as in `100ns`.";
  if (from.kind === "bit" && from.width !== null && isInteger(to))
    return `The widths must be equal: use ${to.kind}[${from.width}], or take a part of the bits, as in \`c[0:2]\`.`;
  return kind !== "cast" && conversion(from, to, "cast")
    ? `Write ${typeName(to)}(…) to turn it into one.`
    : undefined;
}
