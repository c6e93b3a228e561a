import { isNode, type Namespaces, type SyntaxNode } from "../../kernels/cells/syntax.ts";

/**
 * Finds the enums and namespaces that some JavaScript was emitted for: `var Name;` and then
 * `(function (Name) { … })(Name || (Name = {}));`.
 */
export function emittedNamespaces(body: readonly SyntaxNode[]): Namespaces {
  const names = body.map(namespaceOf);
  return {
    names: new Set(names.filter(name => name !== undefined)),
    isLast: body.length === 0 || names.at(-1) !== undefined,
  };
}

function namespaceOf({ type, expression }: SyntaxNode): string | undefined {
  const call = type === "ExpressionStatement" ? unwrapped(expression) : undefined;
  const callee = unwrapped(call?.callee);
  const [argument] = (call?.arguments ?? []) as SyntaxNode[];
  if (callee?.type !== "FunctionExpression" || argument?.operator !== "||") return undefined;
  const [parameter] = callee.params as SyntaxNode[];
  const isFilled = unwrapped(argument.right)?.type === "AssignmentExpression";
  return isFilled && parameter?.type === "Identifier" ? (parameter.name as string) : undefined;
}

function unwrapped(node: unknown): SyntaxNode | undefined {
  if (!isNode(node)) return undefined;
  return node.type === "ParenthesizedExpression" ? unwrapped(node.expression) : node;
}
