import { isFunction } from "../../cells/scope.ts";
import { type LineColumn, lineStarts } from "../../cells/source-map.ts";
import { childrenOf, isNode, type Language, type SyntaxNode } from "../../cells/syntax.ts";
import { oxc } from "../syntax.ts";

/** Whether the code around a place handles an exception thrown there. */
export function isHandledAt(source: string, language: Language, { line, column }: LineColumn): boolean {
  const offset = (lineStarts(source)[line] ?? source.length) + column;
  const { body } = oxc.parse(source, language);
  const path: SyntaxNode[] = [];
  for (let within: Iterable<SyntaxNode> = body; ; ) {
    const next = Iterator.from(within).find(({ start, end }) => start <= offset && offset < end);
    if (!next) break;
    path.push(next);
    within = childrenOf(next);
  }
  const inFunction = path.slice(path.findLastIndex(isFunction) + 1);
  return inFunction.some((node, index) => handles(node, inFunction[index + 1]));
}
function handles(node: SyntaxNode, part: SyntaxNode | undefined): boolean {
  if (node.type === "TryStatement") return isNode(node.handler) && part === node.block;
  if (node.type !== "CallExpression") return false;
  const { callee } = node as { callee?: SyntaxNode };
  const method = callee?.type === "MemberExpression" ? (callee.property as SyntaxNode).name : undefined;
  if (part !== callee) return method === "allSettled";
  return method === "catch" || (method === "then" && (node.arguments as unknown[]).length > 1);
}
