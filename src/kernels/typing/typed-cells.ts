import { isUnchecked, openDocuments } from "../cells/documents.ts";
import type { Language, Syntax, SyntaxNode } from "../cells/syntax.ts";
import type { CompletionItem, Diagnostic, LineRange, Signature, TypeService } from "../cells/types.ts";
import { compileFailure, type Failure, syntaxFailure } from "../errors/failure.ts";
import { LIBRARY, LIBRARY_FILES } from "../library-name.ts";
import { adviceOn } from "./advice.ts";
import { IMPLICIT_ANY } from "./compiler-options.ts";
import { diagnosticsOf, type TypeDiagnostic } from "./type-diagnostics.ts";

/** Place of a question in a cell. Offsets count UTF-16 units. */
export interface Question {
  code: string;
  offset: number;
}

/** Cells, and what their types say of them. */
export interface TypedCells {
  /** Says what is wrong with a cell. One that is right is known to the next ones from then on. */
  check(code: string): Promise<Failure | undefined>;
  /**
   * Makes a cell known to the next ones, whether it is right or not. Returns what finds out what is wrong with it, once
   * all cells are known that are to be: what comes `first` is faster, and leaves out what is between cells, such as two
   * exports of one name.
   */
  add(code: string): (order?: "first") => Promise<readonly TypeDiagnostic[]>;
  complete(question: Question): Promise<readonly CompletionItem[]>;
  hover(question: Question): Promise<string | undefined>;
  signature(question: Question): Promise<Signature | undefined>;
  /** Takes a cell that defines a module; undefined for any other. */
  special(
    code: string,
    publish: (type: string, content: object) => void,
  ): Promise<Failure | "done" | undefined>;
  /** The names that cells have declared. */
  declared(): Iterable<CompletionItem>;
  /** A cell that imports everything that the library exports. */
  preloading(): string;
  /** Has the service read all that cells begin with. */
  warm(): void;
  close(): void;
}

/** Dependencies of the cells' types. */
export interface TypedCellsParts {
  /** Knows the types; without it, cells are only read. */
  service: TypeService | undefined;
  syntax: Syntax;
  language: Language;
  /** Whether what is implicitly of the type `any` is wrong where the compiler says so; default: never. */
  forbidsAny?(): boolean;
  /** Returns the declarations of a file of the library, or an empty string where there are none. */
  libraryTypes(file: string): string;
  /** Takes in a module that a cell defines. */
  defineModule(file: string, source: string): void;
}

/** Documents that a type service is to begin with: one that imports the others, and one that declares globals. */
export const ROOT_DOCUMENTS = { imports: "__ketbook_cells.ts", globals: "__ketbook_globals.d.ts" } as const;

const MODULE = /^\s*\/\*\*\s*@module\s+([\w./-]+)[\s\S]*?\*\//;
const REQUIRE = /\brequire\(\s*(["'])([^"'\n]+)\1\s*\)/g;

/** Opens the types of a notebook's cells. */
export function openTypedCells({
  service,
  syntax,
  language,
  forbidsAny = () => false,
  libraryTypes,
  defineModule,
}: TypedCellsParts): TypedCells {
  const documents = openDocuments(syntax, language);
  const ending = language === "typescript" ? ".ts" : ".js";
  const modules = new Set<string>();
  let listed: readonly string[] = [];

  list();
  restore();

  /** Lists the documents in the one through which the compiler finds them, and the library, so that it is read early. */
  function list(): void {
    const names = [...documents.listed(), ...modules];
    const specifiers = [LIBRARY, ...names.map(name => `./${name}`)];
    service?.put(ROOT_DOCUMENTS.imports, specifiers.map(name => `import "${name}";`).join("\n"));
    for (const name of listed) if (!names.includes(name)) service?.drop(name + ending);
    listed = names;
  }

  /** Takes out of the committed cells' document what was only asked about. */
  function restore(): void {
    const { name, text } = documents.current();
    service?.put(name + ending, text);
  }

  function open(code: string): { name: string; prefixLines: number; commit(): void } {
    const { name, text, prefixLines, commit } = documents.write(code);
    if (name !== documents.current().name) restore();
    list();
    service?.put(name + ending, text);
    return { name: name + ending, prefixLines, commit };
  }

  async function mistakesIn(file: string, lines?: LineRange): Promise<readonly Diagnostic[]> {
    const found = (await service?.diagnose(file, lines)) ?? [];
    return forbidsAny() ? found : found.filter(({ code }) => !IMPLICIT_ANY.has(code));
  }

  async function diagnose(
    code: string,
    name: string,
    prefixLines: number,
    order?: "first",
  ): Promise<TypeDiagnostic[]> {
    const wanted = language === "typescript" && !isUnchecked(code);
    const lines = order && { from: prefixLines, to: prefixLines + code.split("\n").length };
    const found: readonly Diagnostic[] = wanted ? await mistakesIn(name, lines) : [];
    return diagnosticsOf({ code, prefixLines }, found, syntax, language).map(withAdvice);
  }

  /** Adds what to do to what is wrong, where it is known. */
  function withAdvice(wrong: TypeDiagnostic): TypeDiagnostic {
    const advice = adviceOn(wrong.messageText, libraryTypes);
    return advice
      ? { ...wrong, messageText: wrong.messageText.replace(/ (?=\(TS\d+\)$)/, ` ${advice} `) }
      : wrong;
  }

  function ask<T>(
    { code, offset }: Question,
    use: (name: string, line: number, character: number) => Promise<T> | undefined,
  ): Promise<T | undefined> {
    // Of what `require` returns, the compiler knows nothing.
    const typed = (text: string) =>
      language === "javascript" ? text : text.replace(REQUIRE, "(null! as typeof import($1$2$1))");
    const { name, prefixLines } = open(typed(code.slice(0, offset)) + typed(code.slice(offset)));
    const before = typed(code.slice(0, offset)).split("\n");
    return use(name, before.length - 1 + prefixLines, before.at(-1)!.length) ?? Promise.resolve(undefined);
  }

  return {
    async check(code) {
      const { mistakes } = syntax.emit(code, language);
      if (mistakes.length > 0) return syntaxFailure(code, mistakes);
      const { name, prefixLines, commit } = open(code);
      const wrong = await diagnose(code, name, prefixLines);
      if (wrong.length > 0) return compileFailure(code, wrong);
      commit();
      return undefined;
    },
    add(code) {
      const { name, prefixLines, commit } = open(code);
      commit();
      return order => diagnose(code, name, prefixLines, order);
    },
    complete: async question => (await ask(question, (...place) => service?.complete(...place))) ?? [],
    hover: question => ask(question, (...place) => service?.hover(...place)),
    signature: question => ask(question, (...place) => service?.signature(...place)),
    async special(code, publish) {
      const name = MODULE.exec(code)?.[1];
      if (name === undefined) return undefined;
      const file = name.endsWith(ending) ? name : name + ending;
      const { mistakes } = syntax.emit(code, language);
      if (mistakes.length > 0) return syntaxFailure(code, mistakes);
      service?.put(file, code);
      modules.add(file.slice(0, -ending.length));
      list();
      const wrong = language === "typescript" ? await mistakesIn(file) : [];
      for (const { start, message } of wrong) {
        const text = `${file} ${start.line + 1}:${start.character + 1} - ${message}\n`;
        publish("stream", { name: "stderr", text });
      }
      defineModule(file, code);
      return "done";
    },
    declared: documents.declared,
    preloading() {
      const { body } = syntax.parse(libraryTypes(LIBRARY_FILES.get(LIBRARY)!), "typescript");
      return `import { ${[...exportedFrom(body)].join(", ")} } from "${LIBRARY}";`;
    },
    warm: () => void service?.diagnose(documents.current().name + ending),
    close: () => service?.close(),
  };
}

function* exportedFrom(body: readonly SyntaxNode[]): Generator<string> {
  for (const statement of body) {
    if (statement.type !== "ExportNamedDeclaration") continue;
    for (const { exported } of statement.specifiers as { exported: { name: string } }[]) yield exported.name;
  }
}
