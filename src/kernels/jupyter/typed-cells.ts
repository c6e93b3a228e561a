import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeferred } from "../cells/deferred.ts";
import { isUnchecked, openDocuments } from "../cells/documents.ts";
import { lineStarts } from "../cells/source-map.ts";
import type { Language, SyntaxNode } from "../cells/syntax.ts";
import type { CompletionItem, Signature } from "../cells/types.ts";
import { compileFailure, type Failure, syntaxFailure } from "../errors/failure.ts";
import { LIBRARY } from "../library-name.ts";
import { ownLibrary } from "../own-library.ts";
import { GLOBAL_TYPES } from "./global-types.ts";
import { nativeTypes } from "./native-types.ts";
import { oxc } from "./syntax.ts";
import { typeConfiguration } from "./type-configuration.ts";

/** Where in a cell something is asked for. Offsets count UTF-16 units. */
export interface Question {
  code: string;
  offset: number;
}

/** Cells, and what their types say of them. */
export interface TypedCells {
  /** Says what is wrong with a cell. One that is right is known to the next ones from then on. */
  check(code: string): Promise<Failure | undefined>;
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
  close(): void;
}

/** What the cells' types need. */
export interface TypedCellsParts {
  folder: string;
  language: Language;
  defineModule(file: string, source: string): void;
}

const ROOT = "__ketbook_cells.ts";
const GLOBALS = "__ketbook_globals.d.ts";
const MODULE = /^\s*\/\*\*\s*@module\s+([\w./-]+)[\s\S]*?\*\//;
const REQUIRE = /\brequire\(\s*(["'])([^"'\n]+)\1\s*\)/g;

/** The compiler's numbers for "Cannot find name", also with a suggestion, as a namespace, and as a property's value. */
const MISSING_NAME = new Set([2304, 2552, 2503, 18004]);

interface Missing {
  number: number;
  start: { line: number; character: number };
  messageText: string;
}

/** Whether a module that the compiler can't find stands in its own URL. */
const isDataModule = ({ number, messageText }: Missing) => number === 2307 && messageText.includes("'data:");

/** Opens the types of a notebook's cells. */
export function openTypedCells({ folder, language, defineModule }: TypedCellsParts): TypedCells {
  const service = nativeTypes(folder, typeConfiguration(folder, [ROOT, GLOBALS]));
  const documents = openDocuments(oxc, language);
  const ending = language === "typescript" ? ".ts" : ".js";
  const modules = new Set<string>();
  let listed: readonly string[] = [];

  service?.put(GLOBALS, GLOBAL_TYPES);
  list();
  // The compiler reads the types of Node while the kernel starts.
  const warm = restore();
  void service?.diagnose(warm);

  /** Lists the documents in the one through which the compiler finds them, and the library, so that it is read early. */
  function list(): void {
    const names = [...documents.listed(), ...modules];
    const specifiers = [LIBRARY, ...names.map(name => `./${name}`)];
    service?.put(ROOT, specifiers.map(name => `import "${name}";`).join("\n"));
    for (const name of listed) if (!names.includes(name)) service?.drop(name + ending);
    listed = names;
  }

  /** Takes out of the committed cells' document what was only asked about. */
  function restore(): string {
    const { name, text } = documents.current();
    service?.put(name + ending, text);
    return name + ending;
  }

  function open(code: string): { name: string; prefixLines: number; commit(): void } {
    const { name, text, prefixLines, commit } = documents.write(code);
    if (name !== documents.current().name) restore();
    list();
    service?.put(name + ending, text);
    return { name: name + ending, prefixLines, commit };
  }

  /** Whether a name that is missing is one that a later cell can declare before it is used. */
  function mayComeLater(code: string, { number, start, messageText }: Missing): boolean {
    if (!MISSING_NAME.has(number)) return false;
    const [, suggested] = /Did you mean '([^']+)'/.exec(messageText) ?? [];
    if (suggested && suggested in globalThis) return false;
    const offset = lineStarts(code)[start.line]! + start.character;
    return isDeferred(oxc.parse(code, language).body, offset);
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
      const { mistakes } = oxc.emit(code, language);
      if (mistakes.length > 0) return syntaxFailure(code, mistakes);
      const { name, prefixLines, commit } = open(code);
      const lines = code.split("\n").length;
      const wanted = language === "typescript" && !isUnchecked(code);
      const found = wanted ? ((await service?.diagnose(name)) ?? []) : [];
      const own = found
        .map(({ start, end, message, code: number }) => ({
          start: { ...start, line: start.line - prefixLines },
          end: { ...end, line: end.line - prefixLines },
          messageText: `${message} (TS${number})`,
          number,
        }))
        .filter(({ start }) => start.line >= 0 && start.line < lines)
        .filter(wrong => !mayComeLater(code, wrong) && !isDataModule(wrong));
      if (own.length > 0) return compileFailure(code, own);
      commit();
      return undefined;
    },
    complete: async question => (await ask(question, (...place) => service?.complete(...place))) ?? [],
    hover: question => ask(question, (...place) => service?.hover(...place)),
    signature: question => ask(question, (...place) => service?.signature(...place)),
    async special(code, publish) {
      const name = MODULE.exec(code)?.[1];
      if (name === undefined) return undefined;
      const file = name.endsWith(ending) ? name : name + ending;
      const { mistakes } = oxc.emit(code, language);
      if (mistakes.length > 0) return syntaxFailure(code, mistakes);
      service?.put(file, code);
      modules.add(file.slice(0, -ending.length));
      list();
      const wrong = language === "typescript" ? ((await service?.diagnose(file)) ?? []) : [];
      for (const { start, message } of wrong) {
        const text = `${file} ${start.line + 1}:${start.character + 1} - ${message}\n`;
        publish("stream", { name: "stderr", text });
      }
      defineModule(join(folder, file), code);
      return "done";
    },
    declared: documents.declared,
    preloading() {
      const types = ownLibrary()?.types;
      const { body } = oxc.parse(types ? readFileSync(types, "utf8") : "", "typescript");
      return `import { ${[...exportedFrom(body)].join(", ")} } from "${LIBRARY}";`;
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
