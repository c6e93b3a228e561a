import type { ExpressionNode, IndexNode, NodeList, TypeNode } from "../syntax/ast.ts";
import { leftOperands, POWER_PRECEDENCE, PRECEDENCE, UNARY_PRECEDENCE } from "../syntax/operators.ts";

export interface PrintContext {
  readonly isVersion2: boolean;
  name(name: string): string;
  block(body: NodeList): string;
}

/** Returns an expression as text, with no more parentheses than it needs. */
export function printExpression(node: ExpressionNode, context: PrintContext): string {
  const print = (inner: ExpressionNode) => printExpression(inner, context);
  const list = (items: readonly ExpressionNode[]) => items.map(print).join(", ");
  switch (node.kind) {
    case "integer":
      return node.value.toString();
    case "float":
      return printFloat(node.value);
    case "boolean":
      return String(node.value);
    case "bits":
      return `"${node.text}"`;
    case "imaginary":
      return `${printFloat(node.value)}im`;
    case "duration":
      return `${node.value}${node.unit}`;
    case "durationof":
      return `durationof(${context.block(node.body)})`;
    case "array":
      return `{${list(node.items)}}`;
    case "hardware":
      return `$${node.index}`;
    case "name":
      return context.name(node.name);
    case "index":
      return `${enclosed(node.base, context, false)}[${node.items.map(item => printIndex(item, context)).join(", ")}]`;
    case "call":
      return `${context.name(node.name)}(${list(node.args)})`;
    case "cast":
      return `${printType(node.type, context)}(${print(node.operand)})`;
    case "measure":
      return `measure ${print(node.operand)}`;
    case "concatenation":
      return node.parts.map(print).join(" ++ ");
    case "unary":
      return `${node.operator}${enclosed(node.operand, context, levelOf(node.operand) >= UNARY_PRECEDENCE)}`;
    case "binary":
      return printBinary(node, context);
  }
}

function printBinary(node: ExpressionNode & { kind: "binary" }, context: PrintContext): string {
  const { nodes, first } = leftOperands(node);
  let text = printExpression(first, context);
  let left = first;
  for (const each of nodes) {
    const { operator, right } = each;
    const level = PRECEDENCE.get(operator)!;
    const isPower = level === POWER_PRECEDENCE;
    const isLeftFree = isPower ? levelOf(left) > level : levelOf(left) >= level;
    const isFree = right.kind === "unary" || (isPower ? levelOf(right) >= level : levelOf(right) > level);
    if (!isLeftFree && levelOf(left) !== ATOM) text = `(${text})`;
    text += ` ${context.isVersion2 && isPower ? "^" : operator} ${enclosed(right, context, isFree)}`;
    left = each;
  }
  return text;
}

/** Returns the content of the brackets of an index, or the range of a loop. */
export function printIndex(node: IndexNode, context: PrintContext): string {
  const print = (inner: ExpressionNode | null) => (inner ? printExpression(inner, context) : "");
  if (node.kind === "set") return `{${node.items.map(print).join(", ")}}`;
  if (node.kind !== "range") return print(node);
  const step = node.step ? `${print(node.step)}:` : "";
  return `${print(node.start)}:${step}${print(node.stop)}`;
}

export function printType({ name, width, array }: TypeNode, context: PrintContext): string {
  const print = (inner: ExpressionNode) => printExpression(inner, context);
  if (array) {
    const sizes = array.dimensions ? [`#dim = ${print(array.dimensions)}`] : array.sizes.map(print);
    const access = array.access ? `${array.access} ` : "";
    return `${access}array[${[printType(array.element, context), ...sizes].join(", ")}]`;
  }
  if (!width) return name;
  return name === "complex" ? `complex[float[${print(width)}]]` : `${name}[${print(width)}]`;
}

const ATOM = 20;

function levelOf(node: ExpressionNode): number {
  if (node.kind === "binary") return PRECEDENCE.get(node.operator)!;
  if (node.kind === "unary") return UNARY_PRECEDENCE;
  return node.kind === "concatenation" || node.kind === "measure" ? 0 : ATOM;
}

function enclosed(node: ExpressionNode, context: PrintContext, isFree: boolean): string {
  const text = printExpression(node, context);
  return isFree || levelOf(node) === ATOM ? text : `(${text})`;
}

/** Returns a real number so that it reads back as the same one, and as no whole number. */
export function printFloat(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
