import type { Complex, Compute, Value } from "../../circuit/memory.ts";
import type { ExpressionNode } from "../syntax/ast.ts";
import { COMPLEX } from "../values/complex.ts";
import { isComparison, isLogical, operate } from "../values/operators.ts";
import { aType, BOOL, hasBits, INT, isNumeric, isTruth, wrap } from "../values/types.ts";
import { type Compiled, combine, convert, fault, fold, map } from "./compiled.ts";
import type { ExpressionCompiler } from "./expressions.ts";

/** Compiles an operator of one operand. */
export function compileUnary(
  node: ExpressionNode & { kind: "unary" },
  expressions: ExpressionCompiler,
  isReals: boolean,
): Compiled {
  const { locate } = expressions.context;
  const inner = expressions.compile(node.operand, isReals);
  const { type } = inner;
  if (node.operator === "!")
    return map(convert(inner, BOOL, node.operand, "promotion", locate), BOOL, value => !value, node, locate);
  if (node.operator === "~") {
    if (type.kind === "bool") return map(inner, BOOL, value => !value, node, locate);
    if (!hasBits(type)) throw fault(node, `~ takes bits or a whole number, not ${aType(type)}.`);
    return map(inner, type, value => wrap(~(value as bigint), type), node, locate);
  }
  if (isTruth(type))
    return negated(convert(inner, INT, node.operand, "promotion", locate), node, expressions);
  if (!isNumeric(type) && type.kind !== "complex" && type.kind !== "duration")
    throw fault(node, `${node.operator} takes a number, not ${aType(type)}.`);
  return negated(inner, node, expressions);
}

function negated(
  inner: Compiled,
  node: ExpressionNode & { kind: "unary" },
  { context }: ExpressionCompiler,
): Compiled {
  const { locate } = context;
  const { type } = inner;
  if (node.operator === "+") return inner;
  if (type.kind === "complex")
    return map(inner, type, value => COMPLEX["-"]({ re: 0, im: 0 }, value as Complex), node, locate);
  const negate = (value: Value) => (typeof value === "bigint" ? wrap(-value, type) : -(value as number));
  return map(inner, type, negate, node, locate);
}

/** Compiles an operator of two operands. */
export function compileBinary(
  node: ExpressionNode & { kind: "binary" },
  expressions: ExpressionCompiler,
  isReals: boolean,
): Compiled {
  const { operator } = node;
  const left = expressions.compile(node.left, isReals);
  const right = expressions.compile(node.right, isReals);
  if (isLogical(operator)) {
    const a = convert(left, BOOL, node.left, "promotion", expressions.context.locate);
    const b = convert(right, BOOL, node.right, "promotion", expressions.context.locate);
    const run: Compute =
      operator === "&&" ? memory => a.run(memory) && b.run(memory) : memory => a.run(memory) || b.run(memory);
    return fold(BOOL, [a, b], run, node);
  }
  if (
    isComparison(operator) &&
    left.type.kind === "bit" &&
    right.type.kind === "bit" &&
    left.type.width !== right.type.width
  ) {
    if ((left.type.width ?? 1) !== (right.type.width ?? 1))
      throw fault(
        node,
        `${aType(left.type, true)} is compared with ${aType(right.type)}; their widths differ.`,
      );
  }
  const found = operate(operator, left.type, right.type, isReals);
  if (!found) throw fault(node, `${operator} does not take ${aType(left.type)} and ${aType(right.type)}.`);
  return combine(found.type, [left, right], found.apply, node, expressions.context.locate);
}

/** Compiles registers that are joined. */
export function compileConcatenation(
  node: ExpressionNode & { kind: "concatenation" },
  expressions: ExpressionCompiler,
): Compiled {
  const parts = node.parts.map(part => expressions.compile(part));
  let width = 0;
  parts.forEach(({ type }, i) => {
    if (type.kind !== "bit") throw fault(node.parts[i]!, `++ joins bits, not ${aType(type)}.`);
    width += type.width ?? 1;
  });
  return combine(
    { kind: "bit", width },
    parts,
    (...values) =>
      values.reduce<bigint>(
        (joined, value, i) => (joined << BigInt(parts[i]!.type.width ?? 1)) | (value as bigint),
        0n,
      ),
    node,
    expressions.context.locate,
  );
}
