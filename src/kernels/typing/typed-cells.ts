import { within } from "../bundle.ts";
import { isUnchecked, notebookChecks, openDocuments } from "../cells/documents.ts";
import type { Language, Syntax, SyntaxNode } from "../cells/syntax.ts";
import type { CompletionItem, Diagnostic, Signature, TypeService } from "../cells/types.ts";
import { compileFailure, type Failure, syntaxFailure } from "../errors/failure.ts";
import { LIBRARY, LIBRARY_FILES } from "../library-name.ts";
import { IMPLICIT_ANY } from "./compiler-options.ts";
import { adviceOn, diagnosticsOf, MISSING_NAME, type TypeDiagnostic } from "./diagnostics.ts";

/** Place of a question in a cell. Offsets count UTF-16 units. */
export interface Question {
  code: string;
  offset: number;
}

export type TypedCells = ReturnType<typeof openTypedCells>;

interface TypedCellsParts {
  /** Knows the types; without it, cells are only read. */
  service: TypeService | undefined;
  syntax: Syntax;
  language: Language;
  /** Whether what is implicitly of the type `any` is wrong where the compiler says so; default: never. */
  forbidsAny?(): boolean;
  /** Returns the declarations of a file of the library, or an empty string where there are none. */
  libraryTypes(file: string): string;
  /** Types of the globals that cells have. */
  globalTypes: string;
  defineModule(file: string, source: string): void;
}

/** Documents that a type service is to begin with: one that imports the others, and one that declares globals. */
export const ROOT_DOCUMENTS = { imports: "__ketbook_cells.ts", globals: "__ketbook_globals.d.ts" } as const;

/** An assignment to a property of the global object. */
const ASSIGNED =
  /\b(?:globalThis|global|window|self)(?:\s+as\s+[\w<>, ]+\))?(?:\.|\[["'])([\p{ID_Start}$_][\p{ID_Continue}$]*)(?:["']\])?\s*(?:[?|&]{2})?=(?![=>])/gu;
/** The compiler's numbers for a module that can't be augmented, as no types are known of it. */
const NEW_MODULE = new Set([2664, 2665]);
const MODULE = /^\s*\/\*\*\s*@module\s+([\w./-]+)[\s\S]*?\*\//;
const CHECK_BUDGET_MS = 300;
/** The same while the service starts, which it seldom ends in time for a cell that was there before. */
const STARTING_BUDGET_MS = 50;
const CONTROLS =
  "A cell that begins with // @ts-nocheck runs without type checks, and // @ts-nocheck notebook ends them for all cells that follow.";
/** Matches the description of a name that is imported from the document of another cell. */
const ALIAS = /^(```\w+\n)\(alias\) (?:([a-z]+) )?([\w$]+)([\s\S]*?)\nimport \3\n/;
const REQUIRE = /\brequire\(\s*(["'])([^"'\n]+)\1\s*\)/g;

export function openTypedCells({
  service,
  syntax,
  language,
  forbidsAny = () => false,
  libraryTypes,
  globalTypes,
  defineModule,
}: TypedCellsParts) {
  const documents = openDocuments(syntax, language);
  const ending = language === "typescript" ? ".ts" : ".js";
  const modules = new Set<string>();
  let listed: readonly string[] = [];
  /** The names that cells have given to the global object, and those of them that cells speak of. */
  const assigned = new Set<string>();
  let checks = true;
  let controlsSaid = false;
  let isStarting = false;
  const spoken = new Set<string>();
  /** The modules that cells declare, and that no types are installed for. */
  const ambient = new Map<string, string>();

  list();
  putGlobals();

  function putGlobals(): void {
    const names = Array.from(spoken, name => `declare var ${name}: any;`);
    service?.put(ROOT_DOCUMENTS.globals, [globalTypes, ...names, ...ambient.values()].join("\n"));
  }

  /** Lists the documents in the one through which the compiler finds them, and the library, so it is read early. */
  function list(): void {
    const names = [...documents.listed(), ...modules];
    const specifiers = [LIBRARY, ...names.map(name => `./${name}`)];
    service?.put(ROOT_DOCUMENTS.imports, specifiers.map(name => `import "${name}";`).join("\n"));
    for (const name of listed)
      if (!names.includes(name)) for (const file of [name + ending, `${name}${ending}x`]) service?.drop(file);
    listed = names;
  }

  /** A document has one of two endings, by whether it has elements of JSX. */
  function put(file: string, text: string): void {
    service?.drop(file.endsWith("x") ? file.slice(0, -1) : `${file}x`);
    service?.put(file, text);
  }

  function open(code: string): { file: string; prefixLines: number; commit(): void } {
    for (const [, name = ""] of code.matchAll(ASSIGNED)) assigned.add(name);
    checks = notebookChecks(code) ?? checks;
    const { file, text, prefixLines, commit } = documents.write(withoutAmbient(code));
    list();
    put(file, text);
    return { file, prefixLines, commit };
  }
  function withoutAmbient(code: string): string {
    if (ambient.size === 0) return code;
    const declared = modulesDeclaredIn(code).filter(({ name }) => ambient.has(name));
    for (const { name, start, end } of declared) ambient.set(name, code.slice(start, end));
    if (declared.length > 0) putGlobals();
    return declared.reduce(
      (text, { start, end }) =>
        text.slice(0, start) + text.slice(start, end).replace(/\S/g, " ") + text.slice(end),
      code,
    );
  }

  function modulesDeclaredIn(code: string): { name: string; start: number; end: number }[] {
    return syntax.parse(code, language).body.flatMap(({ type, id, start, end }) => {
      const { type: kind, value } = Object(id) as { type?: string; value?: unknown };
      return type === "TSModuleDeclaration" && kind === "Literal"
        ? [{ name: String(value), start, end }]
        : [];
    });
  }

  /** Learns from what is wrong with a cell which globals and modules are its own. Returns whether there was something. */
  function learn(code: string, wrong: readonly TypeDiagnostic[]): boolean {
    const [names, modules] = [spoken.size, ambient.size];
    for (const { number, messageText } of wrong) {
      const [, name = ""] = /'([^']+)'/.exec(messageText) ?? [];
      if (MISSING_NAME.has(number) && assigned.has(name)) spoken.add(name);
      if (!NEW_MODULE.has(number)) continue;
      for (const { name: module, start, end } of modulesDeclaredIn(code))
        if (module === name) ambient.set(module, code.slice(start, end));
    }
    if (spoken.size === names && ambient.size === modules) return false;
    putGlobals();
    return true;
  }

  async function mistakesIn(file: string): Promise<readonly Diagnostic[]> {
    const found = (await service?.diagnose(file)) ?? [];
    return forbidsAny() ? found : found.filter(({ code }) => !IMPLICIT_ANY.has(code));
  }

  async function diagnose(code: string, name: string, prefixLines: number): Promise<TypeDiagnostic[]> {
    const wanted = language === "typescript" && checks && !isUnchecked(code);
    const found: readonly Diagnostic[] = wanted ? await mistakesIn(name) : [];
    return diagnosticsOf(code, prefixLines, found, syntax, language).map(withAdvice);
  }
  function withAdvice(wrong: TypeDiagnostic): TypeDiagnostic {
    const advice = adviceOn(wrong.messageText, libraryTypes);
    return advice
      ? { ...wrong, messageText: wrong.messageText.replace(/ (?=\(TS\d+\)$)/, ` ${advice} `) }
      : wrong;
  }

  function ask<T>(
    { code, offset }: Question,
    use: (file: string, line: number, character: number) => Promise<T> | undefined,
  ): Promise<T | undefined> {
    // Of what `require` returns, the compiler knows nothing.
    const typed = (text: string) =>
      language === "javascript" ? text : text.replace(REQUIRE, "(null! as typeof import($1$2$1))");
    const { file, prefixLines } = open(typed(code.slice(0, offset)) + typed(code.slice(offset)));
    const before = typed(code.slice(0, offset)).split("\n");
    return use(file, before.length - 1 + prefixLines, before.at(-1)!.length) ?? Promise.resolve(undefined);
  }

  /**
   * Says what is wrong with a cell. One that is right is known to the next ones from then on. With `late`, a cell whose
   * types take long to check counts as right, and `late` hears of what is found then.
   */
  async function check(code: string, late?: (failure: Failure) => void): Promise<Failure | undefined> {
    const { mistakes } = syntax.emit(code, language);
    if (mistakes.length > 0) return syntaxFailure(code, mistakes);
    const { file, prefixLines, commit } = open(code);
    const finding = diagnose(code, file, prefixLines);
    const wrong = await (late ? within(finding, isStarting ? STARTING_BUDGET_MS : CHECK_BUDGET_MS) : finding);
    if (wrong === undefined) {
      commit();
      void finding
        .then(found => (learn(code, found) ? diagnose(code, file, prefixLines) : found))
        .then(found => found.length > 0 && late?.(typeFailure(code, found)));
      return undefined;
    }
    if (learn(code, wrong)) return check(code, late);
    if (wrong.length > 0) return typeFailure(code, wrong);
    commit();
    return undefined;
  }

  /** The first failure says how to do without checks. */
  function typeFailure(code: string, wrong: readonly TypeDiagnostic[]): Failure {
    const failure = compileFailure(code, wrong);
    const traceback = controlsSaid ? failure.traceback : [...failure.traceback, CONTROLS];
    controlsSaid = true;
    return { ...failure, traceback };
  }

  return {
    check,
    /**
     * Makes a cell known to the next ones, whether it is right or not. Returns what finds out what is wrong with it, once
     * all cells are known that are to be.
     */
    add(code: string) {
      const { file, prefixLines, commit } = open(code);
      commit();
      return async (): Promise<readonly TypeDiagnostic[]> => {
        const wrong = await diagnose(code, file, prefixLines);
        return learn(code, wrong) ? diagnose(code, file, prefixLines) : wrong;
      };
    },
    complete: async (question: Question): Promise<readonly CompletionItem[]> =>
      (await ask(question, (...place) => service?.complete(...place))) ?? [],
    async hover(question: Question) {
      const said = await ask(question, (...place) => service?.hover(...place));
      const kinds = new Map(documents.declared().map(({ name, kind }) => [name, kind]));
      return said?.replace(ALIAS, (whole, fence: string, word = "function", name: string, rest: string) =>
        (kinds.get(name) ?? "variable") === "variable"
          ? whole
          : `${fence}${word === "new" ? "constructor" : word} ${name}${rest}\n`,
      );
    },
    signature: (question: Question): Promise<Signature | undefined> =>
      ask(question, (...place) => service?.signature(...place)),
    /** Takes a cell that defines a module; undefined for any other. */
    async special(
      code: string,
      publish: (type: string, content: object) => void,
    ): Promise<Failure | "done" | undefined> {
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
    /** A cell that imports everything that the library exports. */
    preloading() {
      const { body } = syntax.parse(libraryTypes(LIBRARY_FILES.get(LIBRARY)!), "typescript");
      return `import { ${[...exportedFrom(body)].join(", ")} } from "${LIBRARY}";`;
    },
    /** Takes in names that the global object has while cells run. */
    assign(names: readonly string[]) {
      for (const name of names) assigned.add(name);
    },
    /** Has the service read all that cells begin with; until then, cells that need not wait for their types hardly do. */
    async warm() {
      isStarting = true;
      await service?.diagnose(ROOT_DOCUMENTS.imports);
      isStarting = false;
    },
    close: () => service?.close(),
  };
}

function* exportedFrom(body: readonly SyntaxNode[]): Generator<string> {
  for (const statement of body) {
    if (statement.type !== "ExportNamedDeclaration") continue;
    for (const { exported } of statement.specifiers as { exported: { name: string } }[]) yield exported.name;
  }
}
