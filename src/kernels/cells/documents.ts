import { isFunction, lexicalNames, varsIn } from "./scope.ts";
import { isNode, type Language, type Syntax, type SyntaxNode } from "./syntax.ts";

/**
 * Form in which a later document declares a name: as a variable of its type, by importing it, or as an empty array, whose
 * type the compiler finds by the values that are pushed.
 */
type Form = "const" | "let" | "import" | "array";

interface Known extends Declared {
  document: string;
}

interface Declared {
  form: Form;
  kind: string;
  /** The source of a function, by which it can be declared again, and the identifiers in it. */
  closure?: { source: string; identifiers: ReadonlySet<string> } | undefined;
  /** True for an array that something may have been put into. */
  grown?: boolean;
  /** The comment that describes it; empty for none. */
  comment: string;
}

/** Identifiers, but for the names of properties after a dot. */
const IDENTIFIER = /(?<![^.]\.|[\p{ID_Continue}$])[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;
/** Comments that mean something at the beginning of a file only. */
const DIRECTIVES = /^(?:\s*\/\/[^\n]*\n)*\s*\/\/(?: *@ts-check\b|\/)[^\n]*/;
const JSX_PRAGMA = /\/\*\*?\s*@jsx\w*\s[^*]*\*\//g;
const HASHBANG = /^#!/;
/** The comment that describes the declaration that follows. */
const DESCRIPTION = /\/\*\*(?:[^*]|\*(?!\/))*\*\/\s*$/;
const KINDS: Readonly<Record<string, string>> = {
  FunctionDeclaration: "function",
  ClassDeclaration: "class",
  TSEnumDeclaration: "enum",
  TSInterfaceDeclaration: "interface",
  TSTypeAliasDeclaration: "type",
  TSModuleDeclaration: "module",
};
/** Beginning of the names of documents of cells, which are never files. */
export const DOCUMENT_PREFIX = "__ketbook_cell_";
/** Suffix of the name of an array at the end of a cell. */
const GROWN = "$grown";
const MAX_COPIED_LENGTH = 6000;
/** Listing documents before they are there, and some that are of no use any more, spares many changes of the list. */
const DOCUMENTS_AHEAD = 32;

const CONTROL =
  /^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*\/[/*]\s*@ts-(?:(nocheck)\b|check\b(?= +notebook))( +notebook\b)?/;

/** Whether a comment before the first statement keeps a cell's types from being checked. */
export const isUnchecked = (source: string): boolean => CONTROL.exec(source)?.[1] !== undefined;

/** Whether such a comment says so for the cell and all that follow, or that they are checked; undefined without one. */
export function notebookChecks(source: string): boolean | undefined {
  const [, unchecked, notebook] = CONTROL.exec(source) ?? [];
  return notebook === undefined ? undefined : unchecked === undefined;
}

/** Turns cells into documents for a type service: each cell is a module, which imports what it uses of earlier ones. */
export function openDocuments(syntax: Syntax, language: Language) {
  const known = new Map<string, Known>();
  /** The documents that each document imports, of those that a later cell can still lead to. */
  const imports = new Map<string, ReadonlySet<string>>();
  let number = 1;
  let listed: readonly string[] = [];

  /** Forgets the documents all of whose names have been declared again, but for those that others import. */
  function forget(): void {
    const live = new Set<string>();
    const keep = (name: string): void => {
      if (live.has(name)) return;
      live.add(name);
      imports.get(name)?.forEach(keep);
    };
    for (const { document } of known.values()) keep(document);
    for (const name of imports.keys()) if (!live.has(name)) imports.delete(name);
  }

  /**
   * Returns the functions that speak of names that are declared again, directly or through one another. Those names have
   * new types, so what the functions return may be of another type.
   */
  function closuresOver(declared: ReadonlyMap<string, unknown>): Map<string, Known> {
    const found = new Map<string, Known>();
    const changed = new Set([...declared.keys()].filter(name => known.has(name)));
    let length = 0;
    for (let before = -1; before !== found.size; ) {
      before = found.size;
      for (const [name, each] of known) {
        const { closure } = each;
        if (
          !closure ||
          declared.has(name) ||
          found.has(name) ||
          ![...changed].some(each => closure.identifiers.has(each))
        )
          continue;
        length += closure.source.length;
        if (length > MAX_COPIED_LENGTH) return new Map();
        found.set(name, each);
        changed.add(name);
      }
    }
    return found;
  }

  return {
    /** Names of the documents that there are, and of some of the next, without ending. */
    listed(): readonly string[] {
      if (!listed.includes(DOCUMENT_PREFIX + number) || listed.length > imports.size + 2 * DOCUMENTS_AHEAD) {
        const ahead = Array.from(
          { length: DOCUMENTS_AHEAD },
          (_, index) => DOCUMENT_PREFIX + (number + index),
        );
        listed = [...imports.keys(), ...ahead];
      }
      return listed;
    },
    declared: () => Array.from(known, ([name, { kind }]) => ({ name, kind })),
    /** The document of a cell that comes after all those that were committed. */
    write(cell: string) {
      const { body, jsx = false } = syntax.parse(cell, language);
      const { declared: own, exported } = namesIn(cell, body);
      const closures = closuresOver(own);
      const declared = new Map<string, Declared>([...closures, ...own]);
      const copies = Array.from(closures.values(), ({ closure }) => closure!.source);
      const directives = [
        isUnchecked(cell) && "// @ts-nocheck",
        DIRECTIVES.exec(cell)?.[0],
        ...(jsx ? (cell.match(JSX_PRAGMA) ?? []) : []),
      ].filter(Boolean);
      const from = new Set<string>();
      const lines: string[] = [];
      for (const name of new Set([cell, ...copies].flatMap(text => text.match(IDENTIFIER) ?? []))) {
        const source = known.get(name);
        if (!source || declared.has(name)) continue;
        const { form, document } = source;
        from.add(document);
        const type = `typeof import("./${document}").${name}`;
        if (form === "import" || language === "javascript")
          lines.push(`import { ${name} } from "./${document}";`);
        else if (form !== "array") lines.push(`${source.comment}declare ${form} ${name}: ${type};`);
        else {
          lines.push(
            `const ${name} = [];`,
            source.grown ? `${name}.push(null! as (${type}${GROWN})[number]);` : "",
          );
          declared.set(name, source);
        }
      }
      const name = DOCUMENT_PREFIX + number;
      const unexported = [...declared.keys()].filter(name => !exported.has(name));
      const grown = [...declared].filter(
        ([name, each]) =>
          each.form === "array" &&
          (each.grown || new RegExp(`(?<![\\w$.])${escaped(name)}\\s*[.[]`).test(cell)),
      );
      const ends = grown.map(([name]) => `export const ${name}${GROWN} = ${name};`);
      const head = `${directives.map(each => `${each}\n`).join("")};${[...lines, ...copies].join(" ")}\n`;
      return {
        file: name + (language === "javascript" ? ".js" : jsx ? ".tsx" : ".ts"),
        text: `${head}${cell.replace(HASHBANG, "//")}\n${ends.join("")}export { ${unexported.join(", ")} };`,
        /** Lines before the cell's own first line. */
        prefixLines: head.split("\n").length - 1,
        /** Makes the names of this cell known to the next ones. */
        commit() {
          number += 1;
          imports.set(name, from);
          for (const [, each] of grown) each.grown = true;
          for (const [each, declaration] of declared) known.set(each, { ...declaration, document: name });
          forget();
        },
      };
    },
  };
}

/** The names that a cell declares, and those of them that it exports itself. */
function namesIn(source: string, body: readonly SyntaxNode[]) {
  const declared = new Map<string, Declared>();
  const exported = new Set<string>();
  let before = 0;
  for (const statement of body) {
    const node = isNode(statement.declaration) ? statement.declaration : statement;
    const names = [...declaredBy(node)];
    const kind = KINDS[node.type] ?? "variable";
    const [found] = DESCRIPTION.exec(source.slice(before, statement.start)) ?? [];
    before = statement.end;
    // A comment in the line of another statement describes that one.
    const comment = found ? `\n${found}` : "";
    for (const [name, form] of names) {
      const closure = declared.has(name) ? undefined : closureOf(source, node, name);
      declared.set(name, { form, kind, closure, comment });
    }
    if (statement.type === "ExportNamedDeclaration" && node !== statement)
      for (const [name] of names) exported.add(name);
  }
  return { declared, exported };
}

const escaped = (name: string) => name.replaceAll("$", "\\$&");

/** The declaration of a function, unless properties are assigned to it. */
function closureOf(source: string, node: SyntaxNode, name: string): Declared["closure"] {
  const declarator = declaratorOf(node, name);
  const value = declarator ? declarator.init : node;
  if (!isNode(value) || !isFunction(value) || node.declare) return undefined;
  if (new RegExp(`(?<![\\w$.])${escaped(name)}\\s*\\.\\s*\\w+\\s*=[^=]`).test(source)) return undefined;
  const { start, end } = declarator ?? node;
  const text = declarator ? `${node.kind} ${source.slice(start, end)};` : source.slice(start, end);
  return { source: text, identifiers: new Set(text.match(IDENTIFIER)) };
}

const declaratorOf = (node: SyntaxNode, name: string) =>
  (node.declarations as SyntaxNode[] | undefined)?.find(({ id }) => (id as { name?: string }).name === name);

/** Whether a declaration gives a constant an empty array, and no type. */
function isEmptyArray(node: SyntaxNode, name: string): boolean {
  const { id, init } = Object(declaratorOf(node, name)) as { id?: SyntaxNode; init?: SyntaxNode };
  const { type, elements } = Object(init) as { type?: string; elements?: unknown[] };
  return node.kind === "const" && type === "ArrayExpression" && elements?.length === 0 && !id?.typeAnnotation;
}

function* declaredBy(node: SyntaxNode): Generator<[name: string, form: Form]> {
  if (node.type === "VariableDeclaration") {
    for (const [name, kind] of lexicalNames(node))
      yield [name, isEmptyArray(node, name) ? "array" : (kind as Form)];
  } else if (node.type === "ImportDeclaration") {
    for (const { local } of node.specifiers as { local: { name: string } }[]) yield [local.name, "import"];
  } else if (/Declaration$|^TSDeclareFunction$/.test(node.type) && node.kind !== "global") {
    let { id } = node;
    // The name of a namespace may have parts.
    while (isNode(id) && id.type === "TSQualifiedName") id = id.left;
    if (isNode(id) && id.type === "Identifier") yield [id.name as string, "import"];
  }
  for (const { name } of varsIn(node)) yield [name, "let"];
}
