import { isFunction, referencesIn } from "../../cells/scope.ts";
import { type LineColumn, lineStarts } from "../../cells/source-map.ts";
import { childrenOf, isNode, type Language, type SyntaxNode } from "../../cells/syntax.ts";
import { oxc } from "../syntax.ts";

/**
 * The JavaScript of an expression, or of a statement, that a person has typed. `bindings` has the names that are
 * bound under others. Throws a `SyntaxError` for what can't be read.
 */
export function toJavaScript(
  text: string,
  language: Language,
  bindings: ReadonlyMap<string, string> = new Map(),
): string {
  const expression = oxc.emit(`(${text}\n)`, language);
  const { code, mistakes } = expression.mistakes.length > 0 ? oxc.emit(text, language) : expression;
  if (mistakes[0]) throw new SyntaxError(mistakes[0].message);
  const { body } = oxc.parse(code, "javascript");
  let result = code.trim().replace(/;$/, "");
  for (const { name, node, shorthand } of referencesIn(body).toSorted(
    (a, b) => b.node.start - a.node.start,
  )) {
    const binding = bindings.get(name);
    if (binding === undefined) continue;
    result =
      result.slice(0, node.start) + (shorthand ? `${name}: ${binding}` : binding) + result.slice(node.end);
  }
  return result;
}

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
