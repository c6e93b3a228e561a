import type ts from "typescript-6.0";
import {
  CELL_OPTIONS,
  type CompletionItem,
  DEFAULT_OPTIONS,
  type Diagnostic,
  LIBRARY_FILES,
  ROOT_DOCUMENTS,
  type Signature,
  type TypeService,
} from "../../kernels/cells/index.ts";

type Compiler = Pick<typeof ts, "displayPartsToString">;

/** Writes what the compiler knows of a name as Markdown. */
export function describe(
  { displayParts, documentation, tags = [] }: ts.QuickInfo,
  compiler: Compiler,
): string | undefined {
  const form = compiler.displayPartsToString(displayParts);
  if (!form) return undefined;
  const said = tags.map(({ name, text }) => {
    const [first = "", ...rest] = compiler.displayPartsToString(text).split(/(?<=^\S+)\s/);
    if (name === "param") return `*@param* \`${first}\` ${rest.join(" ")}`;
    const whole = compiler.displayPartsToString(text);
    return name === "example"
      ? `*@example*\n\`\`\`typescript\n${whole.replace(/^```\w*\n|\n```$/g, "")}\n\`\`\``
      : `*@${name}* ${whole}`;
  });
  return [`\`\`\`typescript\n${form}\n\`\`\``, compiler.displayPartsToString(documentation), ...said]
    .filter(Boolean)
    .join("\n\n");
}

function callOf(
  { items, selectedItemIndex, argumentIndex }: ts.SignatureHelpItems,
  compiler: Compiler,
): Signature | undefined {
  const item = items[selectedItemIndex];
  if (!item) return undefined;
  const text = (parts: ts.SymbolDisplayPart[]) => compiler.displayPartsToString(parts);
  const parameters = item.parameters.map(({ displayParts }) => text(displayParts));
  const parameter =
    parameters[item.isVariadic ? Math.min(argumentIndex, parameters.length - 1) : argumentIndex];
  return {
    label:
      text(item.prefixDisplayParts) +
      parameters.join(text(item.separatorDisplayParts)) +
      text(item.suffixDisplayParts),
    documentation: text(item.documentation),
    ...(parameter !== undefined && { parameter }),
  };
}

const LIBRARIES = ["esnext", "webworker"];
export const LIBRARY_TYPES = "/declarations";
const FROM_ANOTHER_MODULE = "16";
const PREFERENCES: ts.UserPreferences = {
  includeCompletionsForModuleExports: false,
  includeCompletionsWithInsertText: true,
};
const KINDS: Readonly<Record<string, string>> = {
  const: "constant",
  let: "variable",
  var: "variable",
  "local var": "variable",
  parameter: "variable",
  alias: "variable",
  "local function": "function",
  getter: "property",
  setter: "property",
  "enum member": "property",
  "external module name": "module",
  directory: "folder",
  script: "file",
  string: "text",
  "type parameter": "type",
  "primitive type": "keyword",
};

/**
 * Opens TypeScript's language service over documents in memory. `declarations` are those that there are besides, by file
 * name: of the language in `/lib`, and of the library in `/declarations`.
 */
export function openLanguageService(
  compiler: typeof ts,
  declarations: ReadonlyMap<string, string>,
): TypeService {
  const documents = new Map<string, string>();
  /** Changes with the names of documents, by which others import them. */
  let listing = 0;
  const read = (file: string) => documents.get(file) ?? declarations.get(file);

  const { options } = compiler.convertCompilerOptionsFromJson(
    {
      ...DEFAULT_OPTIONS,
      jsx: "preserve",
      lib: LIBRARIES,
      ...CELL_OPTIONS,
      types: [],
      paths: Object.fromEntries(
        Array.from(LIBRARY_FILES, ([name, file]) => [name, [`${LIBRARY_TYPES}/${file}.d.ts`]]),
      ),
    },
    "/",
  );
  const service = compiler.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => Object.values(ROOT_DOCUMENTS).map(fileOf),
    getScriptVersion: file => (documents.has(file) ? `${listing}\n${documents.get(file)}` : ""),
    getScriptSnapshot(file) {
      const text = read(file);
      return text === undefined ? undefined : compiler.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => "/",
    getDefaultLibFileName: () => "/lib/lib.esnext.d.ts",
    fileExists: file => read(file) !== undefined,
    readFile: read,
    directoryExists: folder => /^\/(?:declarations(?:\/types)?|lib)?$/.test(folder),
    getDirectories: () => [],
    readDirectory: () => [],
  });

  const fileFor = (name: string) => service.getProgram()!.getSourceFile(fileOf(name))!;
  const offsetOf = (name: string, line: number, character: number) =>
    fileFor(name).getPositionOfLineAndCharacter(line, character);

  function located(
    file: ts.SourceFile,
    { start = 0, length = 0, messageText, code, relatedInformation = [] }: ts.Diagnostic,
  ): Diagnostic {
    const at = (offset: number) => file.getLineAndCharacterOfPosition(offset);
    const textOf = (said: ts.Diagnostic["messageText"]) => compiler.flattenDiagnosticMessageText(said, "\n");
    const related = relatedInformation.map(each => ({
      message: textOf(each.messageText),
      start: each.file?.fileName === file.fileName ? at(each.start ?? 0) : undefined,
    }));
    return { start: at(start), end: at(start + length), message: textOf(messageText), code, related };
  }

  return {
    put(name, text) {
      const file = fileOf(name);
      if (!documents.has(file)) listing += 1;
      documents.set(file, text);
    },
    drop(name) {
      if (documents.delete(fileOf(name))) listing += 1;
    },
    close: () => service.dispose(),
    async diagnose(name) {
      // A cell whose every name is declared again below may be forgotten.
      if (!documents.has(fileOf(name))) return [];
      return [
        ...service.getSyntacticDiagnostics(fileOf(name)),
        ...service.getSemanticDiagnostics(fileOf(name)),
      ]
        .filter(({ category }) => category === compiler.DiagnosticCategory.Error)
        .map(diagnostic => located(fileFor(name), diagnostic));
    },
    async complete(name, line, character) {
      const offset = offsetOf(name, line, character);
      const found = service.getCompletionsAtPosition(fileOf(name), offset, PREFERENCES);
      return (found?.entries ?? [])
        .filter(({ sortText }) => sortText !== FROM_ANOTHER_MODULE)
        .sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1))
        .map(
          ({ name: entry, kind, insertText }): CompletionItem => ({
            name: entry,
            kind: KINDS[kind] ?? kind,
            ...(insertText !== undefined && { insert: insertText }),
          }),
        );
    },
    async hover(name, line, character) {
      const info = service.getQuickInfoAtPosition(fileOf(name), offsetOf(name, line, character));
      return info && describe(info, compiler);
    },
    async signature(name, line, character) {
      const offset = offsetOf(name, line, character);
      const help = service.getSignatureHelpItems(fileOf(name), offset, undefined);
      return help && callOf(help, compiler);
    },
  };
}

const fileOf = (name: string) => `/${name}`;
const rankOf = ({ sortText, name }: ts.CompletionEntry) => `${sortText} ${name}`;
