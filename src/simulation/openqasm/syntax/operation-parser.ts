import { type ExpressionNode, NONE } from "./ast.ts";
import type { Shape, StatementContext } from "./statement-context.ts";

export function parseMeasure(context: StatementContext): Shape {
  const { tokens, expressions, isVersion2 } = context;
  const operand = expressions.operands.one();
  tokens.refuse(
    ",",
    "A measurement takes one qubit or register.",
    "Measure a register as a whole, or each qubit in a separate statement.",
  );
  const target = tokens.accept("->") ? expressions.operands.one() : null;
  if (!target && isVersion2) tokens.expect("->", "after the measured qubit");
  context.semicolon("after the measurement");
  return { kind: "measure", operand, target };
}

export function parseDelay(context: StatementContext): Shape {
  const { tokens, expressions } = context;
  tokens.expect("[", "after delay, where the duration begins", "A delay is written `delay[100ns] q;`.");
  const duration = expressions.expression();
  tokens.expect("]", "after the duration");
  return { kind: "delay", duration, operands: parseOperands(context, "after the delay") };
}

export function parseBox(context: StatementContext): Shape {
  return { kind: "box", duration: parseDuration(context), body: context.block("the box") };
}

/** Parses the duration in brackets of a box or a gate, if there is one. */
export function parseDuration({ tokens, expressions }: StatementContext): ExpressionNode | null {
  if (!tokens.accept("[")) return null;
  const duration = expressions.expression();
  tokens.expect("]", "after the duration");
  return duration;
}

/** Parses the operands of a statement that may have none, and its semicolon. */
export function parseOperands(context: StatementContext, where: string): readonly ExpressionNode[] {
  const operands = context.tokens.is(";") ? NONE : context.expressions.operands.list();
  context.semicolon(where);
  return operands;
}
