import type { Type } from "../../circuit/values/types.ts";
import type {
  ExpressionNode,
  ModifierNode,
  NameNode,
  RangeNode,
  SetNode,
  StatementNode,
  TypeNode,
} from "../syntax/ast.ts";

type Shape<Node> = Node extends unknown ? Omit<Node, "at" | "end" | "depth"> : never;

const NOWHERE = { at: 0, end: 0 };

/** Makes a node of an expression that is to be printed, and stands nowhere in a source. */
export const expressionNode = (shape: Shape<ExpressionNode>): ExpressionNode =>
  ({ ...shape, ...NOWHERE, depth: 1 }) as ExpressionNode;

export const statementNode = (shape: Shape<StatementNode>): StatementNode =>
  ({ ...shape, ...NOWHERE }) as StatementNode;

export const nameExpression = (name: string): ExpressionNode => expressionNode({ kind: "name", name });

export const nameNode = (name: string): NameNode => ({ name, ...NOWHERE });

export function typeNode({ kind, width }: Type): TypeNode {
  return { name: kind, width: width === null ? null : integerNode(width), ...NOWHERE };
}

export const rangeNode = (
  start: ExpressionNode | null,
  step: ExpressionNode | null,
  stop: ExpressionNode | null,
): RangeNode => ({ kind: "range", start, step, stop, ...NOWHERE });

export const setNode = (items: readonly ExpressionNode[]): SetNode => ({ kind: "set", items, ...NOWHERE });

export const indexNode = (base: ExpressionNode, ...items: (ExpressionNode | RangeNode | SetNode)[]) =>
  expressionNode({ kind: "index", base, items });

export function integerNode(value: number | bigint): ExpressionNode {
  const whole = BigInt(value);
  return whole < 0n
    ? negativeNode(expressionNode({ kind: "integer", value: -whole }))
    : expressionNode({ kind: "integer", value: whole });
}

export function floatNode(value: number): ExpressionNode {
  return value < 0 || Object.is(value, -0)
    ? negativeNode(expressionNode({ kind: "float", value: -value }))
    : expressionNode({ kind: "float", value });
}

/** Makes an angle in radians: as a fraction of pi where that is exactly the number. */
export function angleNode(value: number): ExpressionNode {
  for (const divisor of DIVISORS) {
    const times = Math.round((Math.abs(value) * divisor) / Math.PI);
    if (times === 0 || times > MAX_TIMES || (times * Math.PI) / divisor !== Math.abs(value)) continue;
    const pi = nameExpression("pi");
    const product = times === 1 ? pi : binaryNode(integerNode(times), "*", pi);
    const node = divisor === 1 ? product : binaryNode(product, "/", integerNode(divisor));
    return value < 0 ? negativeNode(node) : node;
  }
  return floatNode(value);
}

const DIVISORS = [1, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64, 128, 256, 512, 1024];
const MAX_TIMES = 64;

const binaryNode = (left: ExpressionNode, operator: string, right: ExpressionNode): ExpressionNode =>
  expressionNode({ kind: "binary", operator, left, right });

export const negativeNode = (operand: ExpressionNode): ExpressionNode =>
  expressionNode({ kind: "unary", operator: "-", operand });

export const modifierNode = (kind: ModifierNode["kind"], argument: ExpressionNode | null): ModifierNode => ({
  ...{ kind, argument, ...NOWHERE },
});

export const assignNode = (target: ExpressionNode, value: ExpressionNode): StatementNode =>
  statementNode({ kind: "assign", target, operator: "=", value });

export const measureNode = (operand: ExpressionNode, target: ExpressionNode | null): StatementNode =>
  target
    ? assignNode(target, expressionNode({ kind: "measure", operand }))
    : statementNode({ kind: "measure", operand, target });

export const classicalNode = (
  type: TypeNode,
  name: string,
  value: ExpressionNode | null = null,
  modifier: "const" | "input" | null = null,
): StatementNode => statementNode({ kind: "classical", type, name: nameNode(name), value, modifier });
