import { chained, type Expression } from "../../circuit/expression.ts";
import { isComparison, isLogical, resolveOperator } from "../../circuit/values/operators.ts";
import {
  BOOL,
  hasBits,
  INT,
  isBoolean,
  isNumeric,
  type Type,
  typeName,
  withArticle,
} from "../../circuit/values/types.ts";
import { errorAt } from "../diagnostics/diagnostic.ts";
import type { ExpressionNode } from "../syntax/ast.ts";
import { leftOperands } from "../syntax/operators.ts";
import { compileTo, convert, fold, literalOf } from "./compiled.ts";
import type { ExpressionContext } from "./context.ts";

export function compileUnary(
  node: ExpressionNode & { kind: "unary" },
  context: ExpressionContext,
  isReals: boolean,
): Expression {
  const inner = context.compile(node.operand, isReals);
  const { type } = inner;
  const applied = (operator: "!" | "~" | "-", operand: Expression) =>
    fold({ kind: "unary", operator, type: operand.type, operand }, [operand], node);
  if (node.operator === "!") return applied("!", convert(inner, BOOL, node.operand, "promotion"));
  if (node.operator === "~") {
    if (type.kind === "int" || (type.kind !== "bool" && !hasBits(type)))
      throw errorAt(
        node,
        `~ takes bits, a uint or an angle, not ${withArticle(type)}.`,
        type.kind === "int" ? `Write ~${typeName({ ...type, kind: "uint" })}(…).` : undefined,
      );
    return applied("~", inner);
  }
  if (!isBoolean(type) && !isNumeric(type) && type.kind !== "complex" && type.kind !== "duration")
    throw errorAt(node, `${node.operator} takes a number, not ${withArticle(type)}.`);
  const number = isBoolean(type) ? convert(inner, INT, node.operand, "promotion") : inner;
  return node.operator === "+" ? number : applied("-", number);
}

export function compileBinary(
  node: ExpressionNode & { kind: "binary" },
  context: ExpressionContext,
  isReals: boolean,
): Expression {
  const { nodes, first } = leftOperands(node);
  let value = context.compile(first, isReals);
  for (const each of nodes)
    value = isLogical(each.operator)
      ? compileLogical(each, value, context)
      : applyOperator(each, value, context.compile(each.right, isReals), isReals);
  return chained(value);
}

function compileLogical(
  node: ExpressionNode & { kind: "binary" },
  first: Expression,
  context: ExpressionContext,
): Expression {
  const { operator } = node;
  const value = convert(first.type.kind === "bool" ? first : chained(first), BOOL, node.left, "promotion");
  const [left, right] = context.lowerOperands(node, value, () => compileTo(context, node.right, BOOL));
  return right ? fold({ kind: "binary", operator, type: BOOL, left, right }, [left, right], node) : left;
}

function applyOperator(
  node: ExpressionNode & { kind: "binary" },
  left: Expression,
  right: Expression,
  isReals: boolean,
): Expression {
  const { operator } = node;
  if (
    isComparison(operator) &&
    left.type.kind === "bit" &&
    right.type.kind === "bit" &&
    (left.type.width ?? 1) !== (right.type.width ?? 1)
  )
    throw errorAt(
      node,
      `${withArticle(left.type, true)} is compared with ${withArticle(right.type)}; their widths differ.`,
    );
  if (operator === "%" && (left.type.kind === "float" || right.type.kind === "float"))
    throw errorAt(node, "% takes whole numbers.", "Write mod(a, b) for real numbers.");
  const isSum = operator === "+" || operator === "-" || isComparison(operator);
  const operands = isSum ? [asAngle(left, right.type), asAngle(right, left.type)] : [left, right];
  return binary(node, operator, operands[0]!, operands[1]!, isReals);
}

/** Returns the literal of a zero that is beside an angle as one, and any other value as it is. */
const asAngle = (value: Expression, type: Type): Expression =>
  (type.kind === "angle" && literalOf(value, type)) || value;

/** Makes an expression of an operator that has been typed, and throws where it does not take its operands. */
export function binary(
  node: ExpressionNode,
  operator: string,
  left: Expression,
  right: Expression,
  isReal = false,
): Expression {
  const found = resolveOperator(operator, left.type, right.type, isReal);
  if (!found) {
    const hints: { readonly [types: string]: string | undefined } = {
      "angle,float":
        "Angles are multiplied and divided by a uint; keep radians that are scaled by real numbers in a float.",
      "^": "^ is an exclusive or. Write a power as a ** b.",
    };
    throw errorAt(
      node,
      `${operator} does not take ${withArticle(left.type)} and ${withArticle(right.type)}.`,
      hints[operator] ?? hints[[left.type.kind, right.type.kind].sort().join()],
    );
  }
  const reals = isReal ? { isReal } : {};
  return fold({ kind: "binary", type: found.type, operator, left, right, ...reals }, [left, right], node);
}

export function compileConcatenation(
  node: ExpressionNode & { kind: "concatenation" },
  context: ExpressionContext,
): Expression {
  const parts = node.parts.map(part => context.compile(part));
  let width = 0;
  parts.forEach(({ type }, i) => {
    if (type.kind !== "bit") throw errorAt(node.parts[i]!, `++ joins bits, not ${withArticle(type)}.`);
    width += type.width ?? 1;
  });
  return fold({ kind: "concatenation", type: { kind: "bit", width }, parts }, parts, node);
}
