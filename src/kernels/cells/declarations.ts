import { lexicalNames, varsIn } from "./scope.ts";
import { isNode, type SyntaxNode } from "./syntax.ts";

type NameKind = "const" | "let" | "var" | "function" | "class" | "enum" | "import";

export interface Declared {
  kind: NameKind;
  /** The name under which it is bound: longer than its own, where that would hide a global that libraries use too. */
  binding: string;
}

export interface DeclarationOptions {
  /** Number of the run; no other run has it. */
  run: number;
  known: ReadonlyMap<string, Declared>;
  /** The names of the globals that a cell must not hide from libraries. */
  globals: ReadonlySet<string>;
  /** The names of the enums and namespaces among the variables, which a cell makes again. */
  enums: ReadonlySet<string>;
}

export interface Declarations {
  declared: Map<string, Declared>;
  /** The arguments of the runtime's `load`, as JSON, an import each. */
  imports: string[];
}

/** The global through which rewritten cells reach the session. */
export const RUNTIME = "__ketbook__";

const SUFFIX = "$cell";
type Named = SyntaxNode & { name: string };

export function declarationsOf(
  body: readonly SyntaxNode[],
  { run, globals, enums }: DeclarationOptions,
): Declarations {
  const declared = new Map<string, Declared>();
  const imports: string[] = [];

  function declare(name: string, kind: NameKind): string {
    const binding = globals.has(name) ? name + SUFFIX : name;
    declared.set(name, { kind, binding });
    return binding;
  }

  function declareNames(statement: SyntaxNode): void {
    const node = isNode(statement.declaration) ? statement.declaration : statement;
    if (node.type === "ImportDeclaration") {
      declareImports(node);
      return;
    }
    for (const [name, kind] of lexicalNames(node)) declare(name, kind);
    for (const { name } of varsIn(node)) declare(name, enums.has(name) ? "enum" : "var");
  }

  function declareImports(node: SyntaxNode): void {
    const module = (node.source as { value: string }).value;
    const attributes = Object.fromEntries(
      (node.attributes as { key: SyntaxNode; value: { value: string } }[]).map(({ key, value }) => [
        String(key.name ?? key.value),
        value.value,
      ]),
    );
    const names: [string, string][] = [];
    for (const specifier of node.specifiers as SyntaxNode[]) {
      const { name } = specifier.local as Named;
      const imported = specifier.imported as (Named & { value?: string }) | undefined;
      const from =
        specifier.type === "ImportDefaultSpecifier" ? "default" : (imported?.name ?? imported?.value ?? "*");
      names.push([declare(name, "import"), from]);
    }
    imports.push(JSON.stringify([run, node.start, module, attributes, names]));
  }

  for (const statement of body) declareNames(statement);
  return { declared, imports };
}
