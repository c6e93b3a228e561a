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
const BLOCKS = new Set(["BlockStatement", "StaticBlock", "SwitchStatement"]);
const LOOPS = new Set(["ForStatement", "ForInStatement", "ForOfStatement"]);

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
  for (const statement of body) visit(statement, []);
  return references;

  function visit(node: SyntaxNode, scopes: readonly Scope[]): void {
    if (node.type === "Identifier") {
      note(node, node, scopes);
      return;
    }
    if (isFunction(node)) {
      visitFunction(node, scopes);
      return;
    }
    if (node.type === "ClassDeclaration" || node.type === "ClassExpression") {
      visitClass(node, scopes);
      return;
    }
    const inner = scopeOf(node);
    const within = inner ? [...scopes, inner] : scopes;
    switch (node.type) {
      case "MemberExpression":
        visit(node.object as SyntaxNode, within);
        if (node.computed) visit(node.property as SyntaxNode, within);
        return;
      case "Property":
        if (node.computed) visit(node.key as SyntaxNode, within);
        if (node.shorthand) {
          visitShorthand(node, within);
          return;
        }
        visit(node.value as SyntaxNode, within);
        return;
      case "MethodDefinition":
      case "PropertyDefinition":
      case "AccessorProperty":
        if (node.computed) visit(node.key as SyntaxNode, within);
        if (isNode(node.value)) visit(node.value, within);
        return;
      case "LabeledStatement":
        visit(node.body as SyntaxNode, within);
        return;
      case "BreakStatement":
      case "ContinueStatement":
      case "MetaProperty":
      case "ImportDeclaration":
      case "ExportAllDeclaration":
        return;
      case "ExportNamedDeclaration":
        if (isNode(node.declaration)) visit(node.declaration, within);
        return;
    }
    for (const child of childrenOf(node)) visit(child, within);
  }

  function visitShorthand(property: SyntaxNode, scopes: readonly Scope[]): void {
    const value = property.value as SyntaxNode;
    if (value.type !== "AssignmentPattern") {
      note(value, property, scopes);
      return;
    }
    note(value.left as SyntaxNode, property, scopes);
    visit(value.right as SyntaxNode, scopes);
  }

  function visitFunction(node: SyntaxNode, scopes: readonly Scope[]): void {
    const own = new Set<string>();
    const id = node.id as (SyntaxNode & { name: string }) | null;
    if (node.type === "FunctionExpression" && id) own.add(id.name);
    if (node.type !== "ArrowFunctionExpression") own.add("arguments");
    const parameters = node.params as SyntaxNode[];
    for (const parameter of parameters) for (const { name } of boundIn(parameter)) own.add(name);
    const body = node.body as SyntaxNode;
    if (body.type === "BlockStatement") for (const { name } of varsIn(body)) own.add(name);
    const within = [...scopes, own];
    for (const parameter of parameters) visit(parameter, within);
    visit(body, within);
  }

  function visitClass(node: SyntaxNode, scopes: readonly Scope[]): void {
    const id = node.id as (SyntaxNode & { name: string }) | null;
    const within = id ? [...scopes, new Set([id.name])] : scopes;
    if (isNode(node.superClass)) visit(node.superClass, within);
    visit(node.body as SyntaxNode, within);
  }

  function note(node: SyntaxNode, whole: SyntaxNode, scopes: readonly Scope[]): void {
    if (node.type !== "Identifier") {
      visit(node, scopes);
      return;
    }
    const name = node.name as string;
    if (scopes.some(scope => scope.has(name))) return;
    references.push({ name, node, shorthand: whole !== node });
  }
}

/** The names that a block, a loop's head or a `catch` binds. */
function scopeOf(node: SyntaxNode): Scope | undefined {
  const names = new Set<string>();
  if (node.type === "CatchClause" && isNode(node.param)) {
    for (const { name } of boundIn(node.param)) names.add(name);
  } else if (BLOCKS.has(node.type)) {
    const statements =
      node.type === "SwitchStatement"
        ? (node.cases as SyntaxNode[]).flatMap(each => each.consequent as SyntaxNode[])
        : (node.body as SyntaxNode[]);
    for (const statement of statements) for (const [name] of lexicalNames(statement)) names.add(name);
  } else if (LOOPS.has(node.type)) {
    const head = node.type === "ForStatement" ? node.init : node.left;
    if (isNode(head)) for (const [name] of lexicalNames(head)) names.add(name);
  }
  return names.size > 0 ? names : undefined;
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
