import { type DeclarationOptions, declarationsOf, RUNTIME } from "./declarations.ts";
import { openEdits } from "./edits.ts";
import { isFunction, referencesIn } from "./scope.ts";
import { childrenOf, isNode, type Language, type SyntaxNode } from "./syntax.ts";

export interface RewriteOptions extends DeclarationOptions {
  language: Language;
  /** Whether the last expression's value is kept. */
  shows: boolean;
  /** Whether loops look, every now and then, whether the cell has been interrupted; default: false. */
  checksLoops?: boolean | undefined;
}

type Named = SyntaxNode & { name: string };

/** Whether a statement is nothing, such as the `export {}` that an emitter adds to tell a module. */
const isEmpty = ({ type, declaration, source, specifiers }: SyntaxNode) =>
  type === "EmptyStatement" ||
  (type === "ExportNamedDeclaration" && !declaration && !source && (specifiers as unknown[]).length === 0);

/**
 * Rewrites a module's JavaScript into such a script: an expression, an asynchronous function. Any kind of name can
 * redeclare any other; functions and imports come first, as in a module; the last expression's value is kept.
 */
export function rewriteCell(code: string, body: readonly SyntaxNode[], options: RewriteOptions) {
  const { run, known } = options;
  const edits = openEdits(code);
  const { declared, imports } = declarationsOf(body, options);
  const fresh = [...declared].filter(
    ([name, { kind }]) => kind === "enum" || (kind === "var" && known.get(name)?.kind !== "var"),
  );
  const references = referencesIn(body);
  const free = new Set(references.map(({ node }) => node));
  for (const { name, node, shorthand } of references) {
    const binding = (declared.get(name) ?? known.get(name))?.binding ?? name;
    if (binding === name) continue;
    if (shorthand) edits.insert(node.end, `: ${binding}`);
    else edits.insert(node.end, binding.slice(name.length));
  }
  let hasChecks = false;
  const last = options.shows ? body.findLast(statement => !isEmpty(statement)) : undefined;
  for (const statement of body) top(statement, statement === last);

  const initial = fresh.map(([, { binding }]) => binding);
  const strict = options.language === "typescript" ? '"use strict";' : "";
  const prefix = ["(async () => {", strict, declaring()];
  if (hasChecks) prefix.push(`let ${TURNS} = 0;`);
  if (imports.length > 0) edits.hoist(0, 0, `await ${RUNTIME}.load([${imports.join(", ")}]);`, "");
  return { ...edits.apply(prefix.join(""), "\n})"), declared };

  function declaring(): string {
    const names = [...declared.values()].filter(({ kind }) => kind !== "import");
    if (names.length === 0) return "";
    const later = names.map(({ binding }) => binding).filter(binding => !initial.includes(binding));
    return `${RUNTIME}.declare(${JSON.stringify(later)}, ${JSON.stringify(initial)});`;
  }

  function top(statement: SyntaxNode, last: boolean): void {
    switch (statement.type) {
      case "ImportDeclaration":
        edits.replace(statement.start, statement.end, "");
        return;
      case "ExportAllDeclaration":
      case "ExportNamedDeclaration":
        if (isNode(statement.declaration)) {
          edits.replace(statement.start, statement.declaration.start, "");
          top(statement.declaration, last);
          return;
        }
        if (isNode(statement.source))
          imports.push(JSON.stringify([run, statement.start, statement.source.value, {}, []]));
        edits.replace(statement.start, statement.end, "");
        return;
      case "ExportDefaultDeclaration": {
        const declaration = statement.declaration as SyntaxNode;
        edits.replace(statement.start, declaration.start, "");
        if (/Declaration$/.test(declaration.type) && isNode(declaration.id)) {
          top(declaration, last);
          return;
        }
        edits.insert(declaration.start, last ? `${RUNTIME}.value = (` : "void (");
        visit(declaration, false);
        edits.insert(declaration.end, ");");
        return;
      }
      case "FunctionDeclaration": {
        const { name, start, end } = statement.id as Named;
        const { binding } = declared.get(name)!;
        if (binding === name) edits.replace(start, end, "");
        edits.hoist(statement.start, statement.end, `${binding} = `, ";");
        visit(statement, false);
        return;
      }
      case "ClassDeclaration": {
        edits.insert(statement.start, `${declared.get((statement.id as Named).name)!.binding} = `);
        visit(statement, false);
        edits.insert(statement.end, ";");
        return;
      }
      case "ExpressionStatement": {
        const expression = statement.expression as SyntaxNode;
        if (last) edits.insert(expression.start, `${RUNTIME}.value = (`);
        visit(expression, true);
        if (last) edits.insert(expression.end, ")");
        return;
      }
      default:
        visit(statement, true);
        return;
    }
  }

  /** `outer` says whether a node stands outside of all functions and classes. */
  function visit(node: SyntaxNode, outer: boolean, head = false): void {
    visitNode(node, outer, head);
    if (!options.checksLoops || !LOOP.test(node.type)) return;
    hasChecks = true;
    const { type, start, end } = node.body as SyntaxNode;
    if (type === "BlockStatement") edits.insert(start + 1, LOOP_CHECK);
    else {
      edits.insert(start, `{${LOOP_CHECK}`);
      edits.insert(end, "}");
    }
  }

  function visitNode(node: SyntaxNode, outer: boolean, head: boolean): void {
    switch (node.type) {
      case "ThisExpression":
        if (outer) edits.replace(node.start, node.end, "(void 0)");
        return;
      case "MetaProperty":
        if ((node.meta as Named).name === "import") edits.replace(node.start, node.end, `${RUNTIME}.meta`);
        return;
      case "ImportExpression":
        edits.replace(node.start, node.start + "import".length, `${RUNTIME}.import`);
        break;
      case "AwaitExpression": {
        const awaited = node.argument as SyntaxNode;
        edits.replace(
          node.start,
          awaited.start,
          `${RUNTIME}.resume(${RUNTIME}.now, await ${RUNTIME}.wait(${run}, ${node.start}, `,
        );
        visit(awaited, outer);
        edits.insert(node.end, "))");
        return;
      }
      case "ForOfStatement":
        if (node.await) {
          const values = node.right as SyntaxNode;
          edits.insert(values.start, `${RUNTIME}.each(${run}, ${node.start}, `);
          visit(node.left as SyntaxNode, outer, true);
          visit(values, outer);
          edits.insert(values.end, ")");
          visit(node.body as SyntaxNode, outer);
          return;
        }
        break;
      case "VariableDeclaration":
        if (!outer) break;
        declaration(node, head);
        for (const child of childrenOf(node)) visit(child, outer);
        endDeclaration(node, head);
        return;
      case "AssignmentExpression": {
        const constant = constantIn(node.left);
        if (constant === undefined) break;
        const right = node.right as SyntaxNode;
        edits.insert(right.start, `(${RUNTIME}.constant(${JSON.stringify(constant)}), `);
        visit(right, outer);
        edits.insert(right.end, ")");
        return;
      }
      case "UpdateExpression": {
        const constant = constantIn(node.argument);
        if (constant === undefined) break;
        edits.replace(node.start, node.end, `${RUNTIME}.constant(${JSON.stringify(constant)})`);
        return;
      }
    }
    const inner = isFunction(node) || node.type.startsWith("Class");
    const loop = node.type.startsWith("For");
    for (const child of childrenOf(node)) {
      visit(child, outer && !inner, loop && (child === node.init || child === node.left));
    }
  }

  function declaration(node: SyntaxNode, head: boolean): void {
    const declarators = node.declarations as SyntaxNode[];
    const keyword = { start: node.start, end: declarators[0]!.start };
    const isVar = node.kind === "var";
    const isTop = !head && isTopLevel(node);
    if (isVar && head) edits.replace(keyword.start, keyword.end, "");
    else if (isVar || isTop) {
      edits.replace(keyword.start, keyword.end, "void (");
      for (const { id, init } of declarators as (SyntaxNode & { id: SyntaxNode })[]) {
        if (!init && isVar) edits.insert(id.end, ", void 0");
        else if (!init) edits.insert(id.end, " = void 0");
      }
    }
    if (isTop && (node.kind === "using" || node.kind === "await using")) {
      const use = node.kind === "using" ? `${RUNTIME}.use(` : `await ${RUNTIME}.useAsync(`;
      for (const { init } of declarators as { init?: SyntaxNode }[]) {
        if (!init) continue;
        edits.insert(init.start, use);
        edits.insert(init.end, ")");
      }
    }
  }

  /** Ends what a declaration is replaced by, after all that its values end with. */
  function endDeclaration(node: SyntaxNode, head: boolean): void {
    if (head || !(node.kind === "var" || isTopLevel(node))) return;
    const terminated = code[node.end - 1] === ";";
    edits.insert(terminated ? node.end - 1 : node.end, terminated ? ")" : ");");
  }

  function isTopLevel(node: SyntaxNode): boolean {
    return body.some(each => each === node || each.declaration === node);
  }

  /** The name of the constant that is assigned to; undefined for any other target. */
  function constantIn(target: unknown): string | undefined {
    if (!isNode(target)) return undefined;
    if (target.type === "ParenthesizedExpression") return constantIn(target.expression);
    if (target.type !== "Identifier" || !free.has(target)) return undefined;
    const name = target.name as string;
    const kind = (declared.get(name) ?? known.get(name))?.kind;
    return kind === "const" || kind === "import" ? name : undefined;
  }
}

const LOOP = /^(?:While|DoWhile|For|ForIn|ForOf)Statement$/;
const TURNS = "__ketbook_turns__";

/** First statement of a loop's body: every few thousand iterations, it checks for an interrupt. */
export const LOOP_CHECK = `if ((++${TURNS} & 4095) === 0) ${RUNTIME}.turn();`;
