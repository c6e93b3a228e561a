import { isFunction } from "./scope.ts";
import { childrenOf, type SyntaxNode } from "./syntax.ts";

/**
 * Whether an offset of a program lies in what does not run with it: in a function, a field of a class's objects, or a
 * type. A name that is spoken of there may be declared by a later cell.
 */
export function isDeferred(body: readonly SyntaxNode[], offset: number): boolean {
  return body.some(node => offset >= node.start && offset < node.end && defers(node, offset));
}

function defers(node: SyntaxNode, offset: number): boolean {
  if (isFunction(node) || TYPES.has(node.type)) return true;
  if (node.type === "PropertyDefinition" && node.static !== true) return true;
  return isDeferred([...childrenOf(node)], offset);
}

const TYPES = new Set(["TSInterfaceDeclaration", "TSTypeAliasDeclaration", "TSDeclareFunction"]);
