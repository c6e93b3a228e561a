import { varsIn } from "./scope.ts";
import { boundIn, isNode, type Language, type Syntax, type SyntaxNode } from "./syntax.ts";

/** How a later cell's document speaks of a name: as a variable of its type, or by importing it. */
type Form = "const" | "let" | "import";

/** The text of a cell as a module that a type service understands: names of earlier cells come from theirs. */
export interface CellDocument {
  text: string;
  /** Lines before the cell's own first line. */
  prefixLines: number;
  /** Makes the names of this cell known to the next ones. */
  commit(): void;
}

/** Turns cells into documents for a type service. */
export interface CellDocuments {
  /** The document of a cell that comes after all those that were committed. */
  write(source: string): CellDocument;
  /** Name of the document that the next cell has, without ending. */
  current(): string;
  /** Names of the documents that there are, and of some of the next, without ending. */
  listed(): readonly string[];
  /** The names that cells have declared. */
  declared(): Iterable<string>;
}

const IDENTIFIER = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;
/** Listing documents before they are there spares the compiler a change of the list with each. */
const AHEAD = 50;
const PREFIX = "__ketbook_cell_";

const UNCHECKED = /^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*\/[/*]\s*@ts-nocheck\b/;

/** Whether a comment before the first statement keeps a cell's types from being checked. */
export const isUnchecked = (source: string): boolean => UNCHECKED.test(source);

/** Opens the documents of a session. */
export function openDocuments(syntax: Syntax, language: Language): CellDocuments {
  const known = new Map<string, { form: Form; document: string }>();
  let number = 1;
  const current = () => `${PREFIX}${number}`;

  return {
    current,
    listed: () =>
      Array.from({ length: Math.ceil(number / AHEAD) * AHEAD }, (_, index) => `${PREFIX}${index + 1}`),
    declared: () => known.keys(),
    write(source) {
      const { declared, exported } = namesIn(syntax.parse(source, language).body);
      const used = new Set(source.match(IDENTIFIER));
      const lines: string[] = [];
      for (const name of used) {
        const from = known.get(name);
        if (!from || declared.has(name)) continue;
        lines.push(
          from.form === "import" || language === "javascript"
            ? `import { ${name} } from "./${from.document}";`
            : `declare ${from.form} ${name}: typeof import("./${from.document}").${name};`,
        );
      }
      const own = [...declared.keys()].filter(name => !exported.has(name));
      const unchecked = isUnchecked(source);
      const text = `${lines.join(" ")}\n${source}\nexport { ${own.join(", ")} };`;
      return {
        text: unchecked ? `// @ts-nocheck\n${text}` : text,
        prefixLines: unchecked ? 2 : 1,
        commit() {
          for (const [name, form] of declared) known.set(name, { form, document: current() });
          number += 1;
        },
      };
    },
  };
}

function namesIn(body: readonly SyntaxNode[]): { declared: Map<string, Form>; exported: Set<string> } {
  const declared = new Map<string, Form>();
  const exported = new Set<string>();
  for (const statement of body) {
    const node = isNode(statement.declaration) ? statement.declaration : statement;
    const names = [...declaredBy(node)];
    for (const [name, form] of names) declared.set(name, form);
    if (statement.type === "ExportNamedDeclaration" && node !== statement) {
      for (const [name] of names) exported.add(name);
    }
  }
  return { declared, exported };
}

function* declaredBy(node: SyntaxNode): Generator<[name: string, form: Form]> {
  if (node.type === "VariableDeclaration" && node.kind !== "var") {
    for (const declarator of node.declarations as SyntaxNode[])
      for (const { name } of boundIn(declarator.id as SyntaxNode))
        yield [name, node.kind === "let" ? "let" : "const"];
  } else if (node.type === "ImportDeclaration") {
    for (const { local } of node.specifiers as { local: { name: string } }[]) yield [local.name, "import"];
  } else if (
    isNode(node.id) &&
    /Declaration$/.test(node.type) &&
    node.id.type === "Identifier" &&
    node.kind !== "global"
  ) {
    yield [node.id.name as string, "import"];
  }
  for (const { name } of varsIn(node)) yield [name, "let"];
}
