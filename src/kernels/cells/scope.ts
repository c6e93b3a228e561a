import { boundIn, childrenOf, isNode, type SyntaxNode } from "./syntax.ts";

/** A use of a name that no function, block or class of the program binds: it is bound at its top, or elsewhere. */
export interface Reference {
  name: string;
  node: SyntaxNode;
  /** The property of an object literal or pattern that the name abbreviates, as in `{ name }`. */
  shorthand: boolean;
}

type Scope = ReadonlySet<string>;

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
const BLOCKS = new Set(["BlockStatement", "StaticBlock"]);
const LOOPS = new Set(["ForStatement", "ForInStatement", "ForOfStatement"]);
/** Fields whose names are not references: those of functions and classes, labels, imports and exports. */
const NAMING =
  /^(?:(?:Function|Class)\w+\.id|\w+\.label|(?:MetaProperty|ImportDeclaration|ExportAllDeclaration)\.\w+|ExportNamedDeclaration\.(?:specifiers|source))$/;

export const isFunction = (node: SyntaxNode): boolean => FUNCTIONS.has(node.type);

/** The names that `var` declares in a statement, at whatever depth outside of functions. */
export function* varsIn(node: SyntaxNode): Generator<SyntaxNode & { name: string }> {
  if (isFunction(node) || node.type.startsWith("Class")) return;
  if (node.type === "VariableDeclaration" && node.kind === "var") {
    for (const declarator of node.declarations as SyntaxNode[]) yield* boundIn(declarator.id as SyntaxNode);
  }
  for (const child of childrenOf(node)) yield* varsIn(child);
}

/** Finds the uses of names that are bound at the top of a program or outside of it. */
export function referencesIn(body: readonly SyntaxNode[]): Reference[] {
  const references: Reference[] = [];
  for (const statement of body) visit(statement, [], false);
  return references;

  function visit(node: SyntaxNode, scopes: readonly Scope[], shorthand: boolean): void {
    if (node.type === "Identifier") {
      const name = node.name as string;
      if (!scopes.some(scope => scope.has(name))) references.push({ name, node, shorthand });
      return;
    }
    const inner = namesIn(node);
    const within = inner.size > 0 ? [...scopes, inner] : scopes;
    for (const field in node) {
      const isProperty = field === "key" || (field === "property" && node.type === "MemberExpression");
      if (NAMING.test(`${node.type}.${field}`) || (isProperty && !node.computed)) continue;
      const isShort =
        node.type === "Property"
          ? node.shorthand === true && field === "value"
          : shorthand && field === "left";
      for (const child of [node[field]].flat()) if (isNode(child)) visit(child, within, isShort);
    }
  }
}

/** The names that a function, a class, a block, a loop's head or a `catch` binds. */
function namesIn(node: SyntaxNode): Scope {
  const names = new Set<string>();
  const bind = (pattern: unknown) => {
    if (isNode(pattern)) for (const { name } of boundIn(pattern)) names.add(name);
  };
  const declare = (statement: unknown) => {
    if (isNode(statement)) for (const [name] of lexicalNames(statement)) names.add(name);
  };
  if (isFunction(node)) {
    if (node.type === "FunctionExpression") bind(node.id);
    if (node.type !== "ArrowFunctionExpression") names.add("arguments");
    for (const parameter of node.params as SyntaxNode[]) bind(parameter);
    const body = node.body as SyntaxNode;
    if (body.type === "BlockStatement") for (const { name } of varsIn(body)) names.add(name);
  } else if (/^Class(?:Declaration|Expression)$/.test(node.type)) bind(node.id);
  else if (node.type === "CatchClause") bind(node.param);
  else if (node.type === "SwitchStatement")
    for (const { consequent } of node.cases as { consequent: SyntaxNode[] }[]) consequent.forEach(declare);
  else if (BLOCKS.has(node.type)) (node.body as SyntaxNode[]).forEach(declare);
  else if (LOOPS.has(node.type)) declare(node.type === "ForStatement" ? node.init : node.left);
  return names;
}

/** The names that a statement declares, but for those of `var`, and the kinds of their declarations. */
export function* lexicalNames(
  node: SyntaxNode,
): Generator<[name: string, kind: "let" | "const" | "function" | "class"]> {
  if (node.type === "VariableDeclaration" && node.kind !== "var") {
    for (const declarator of node.declarations as SyntaxNode[])
      for (const { name } of boundIn(declarator.id as SyntaxNode))
        yield [name, node.kind === "let" ? "let" : "const"];
  } else if ((node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") && isNode(node.id))
    yield [node.id.name as string, node.type === "ClassDeclaration" ? "class" : "function"];
}
