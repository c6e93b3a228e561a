import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { type JsxOptions, transformSync } from "oxc-transform";
import { RUNTIME } from "../cells/declarations.ts";
import { nestingProblem } from "../cells/nesting.ts";
import {
  childrenOf,
  type Language,
  type Namespaces,
  type Syntax,
  type SyntaxMistake,
  type SyntaxNode,
} from "../cells/syntax.ts";
import { compilerOptions } from "./folder-configuration.ts";
import { nativeCompiler } from "./native-types.ts";

interface OxcError {
  message: string;
  labels: readonly { start: number; end: number }[];
}

export const oxc: Syntax = {
  emit(source, language) {
    const deep = tooDeep(source);
    if (deep) return { code: "", mappings: "", mistakes: deep };
    const { code, map, errors } = transformSync("cell.ts", source, {
      lang: langOf(source, language),
      sourceType: "module",
      sourcemap: true,
      target: "esnext",
      jsx: jsxOptions(source),
      typescript: { onlyRemoveTypeImports: true },
    });
    const mistakes = mistakesOf(errors.filter(isSyntaxError));
    const lowered =
      mistakes.length === 0 && needsDownlevel(source, language)
        ? downlevel(source, language, { keepImports: true })
        : undefined;
    return { code, mappings: map?.mappings ?? "", ...lowered, mistakes: lowered ? [] : mistakesOf(errors) };
  },
  parse(source, language) {
    const deep = tooDeep(source);
    if (deep) return { body: [], mistakes: deep };
    const { program, errors } = parseSync("cell.ts", source, {
      lang: langOf(source, language),
      sourceType: "module",
    });
    const body = program.body as unknown as SyntaxNode[];
    return { body, mistakes: mistakesOf(errors), jsx: langOf(source, language).endsWith("x") };
  },
  namespaces(source, language) {
    const { body } = oxc.parse(source, language);
    return { names: namespacesIn(body), isLast: /^TS/.test(body.at(-1)?.type ?? "") };
  },
};

/** Refuses source that would end this process: Oxc recurses on a stack without a guard. */
function tooDeep(source: string): SyntaxMistake[] | undefined {
  const message = nestingProblem(source);
  return message === undefined ? undefined : [{ message, start: 0, end: 0 }];
}

function namespacesIn(body: readonly SyntaxNode[]): Namespaces["names"] {
  const statements = body.map(each => (each.declaration as SyntaxNode | null | undefined) ?? each);
  const named = statements.filter(
    ({ type }) => type === "TSEnumDeclaration" || type === "TSModuleDeclaration",
  );
  return new Set(named.map(each => (each.id as { name?: string }).name ?? ""));
}

/** Whether an error is one of the source, and not of what Oxc can't emit, which TypeScript's own compiler can. */
export const isSyntaxError = ({ message }: { message: string }): boolean =>
  !/^Namespaces? |\bnamespace\b.*support/i.test(message);

function mistakesOf(errors: readonly OxcError[]): SyntaxMistake[] {
  return errors.map(({ message, labels: [label] }) => ({
    message,
    start: label?.start ?? 0,
    end: label?.end ?? label?.start ?? 0,
  }));
}

/** The names of functions that the compiler adds to what it emits for decorators. */
export const EMITTED_HELPER =
  /^__(?:esDecorate|runInitializers|propKey|setFunctionName|decorate|param|metadata)$/;

const MARKUP = /<\/|\/>/;
let read: { source: string; lang: Lang } | undefined;

type Lang = "ts" | "tsx" | "js" | "jsx";

/** The language of a source: with elements of JSX where it can't be read without, or is read further with them. */
function langOf(source: string, language: Language): Lang {
  const plain = language === "typescript" ? "ts" : "js";
  if (!MARKUP.test(source)) return plain;
  if (read?.source === source && read.lang.startsWith(plain)) return read.lang;
  const end = (lang: Lang) => {
    const [first] = parseSync("cell", source, { lang, sourceType: "module" }).errors;
    return first ? (first.labels[0]?.start ?? 0) : Number.POSITIVE_INFINITY;
  };
  read = { source, lang: end(plain) >= end(`${plain}x`) ? plain : `${plain}x` };
  return read.lang;
}

/** Output of JSX elements: as a pragma or the folder's configuration says, otherwise as the kernel's own. */
export function jsxOptions(source: string): JsxOptions {
  if (/@jsx\s/.test(source)) return { runtime: "classic" };
  const { jsx, jsxFactory, jsxFragmentFactory, jsxImportSource } = compilerOptions(CONFIGURATION);
  if (/@jsxImportSource\s/.test(source) || jsxImportSource || jsx?.startsWith("react-jsx"))
    return { runtime: "automatic", importSource: jsxImportSource ?? "react" };
  if (jsx === "react")
    return {
      runtime: "classic",
      pragma: jsxFactory ?? "React.createElement",
      pragmaFrag: jsxFragmentFactory ?? "React.Fragment",
    };
  return { runtime: "classic", pragma: `${RUNTIME}.jsx`, pragmaFrag: `${RUNTIME}.Fragment` };
}
function jsxFlags(source: string): string[] {
  const { runtime, pragma, pragmaFrag, importSource } = jsxOptions(source);
  if (runtime === "automatic") return ["--jsx", "react-jsx", "--jsxImportSource", importSource ?? "react"];
  const factory = pragma
    ? ["--jsxFactory", pragma, "--jsxFragmentFactory", pragmaFrag ?? "React.Fragment"]
    : [];
  return ["--jsx", "react", ...factory];
}

const HINT = /@|\baccessor\b|\bnamespace\b/;

/**
 * Whether a source has what neither V8 runs nor Oxc lowers: decorators, `accessor` fields, namespaces of one name that
 * see each other's exports, and those that export what can change, or an alias.
 */
export function needsDownlevel(source: string, language: Language): boolean {
  if (!HINT.test(source)) return false;
  const { program } = parseSync("module.ts", source, { lang: langOf(source, language) });
  const namespaces = new Set<string>();
  return needs(program as unknown as SyntaxNode);

  function needs(node: SyntaxNode): boolean {
    if (node.type === "Decorator" || node.type === "AccessorProperty") return true;
    if (node.type === "TSModuleDeclaration") {
      const { name } = node.id as { name?: string };
      if (name && namespaces.has(name)) return true;
      if (name) namespaces.add(name);
      if (node.declare !== true && exportsVariable(node)) return true;
    }
    return [...childrenOf(node)].some(needs);
  }
}

function exportsVariable(namespace: SyntaxNode): boolean {
  return [...childrenOf(namespace.body as SyntaxNode)].some(({ type, declaration }) => {
    const { type: exported, kind } = Object(declaration) as Partial<SyntaxNode>;
    return (
      /^Export/.test(type) && (kind === "let" || kind === "var" || exported === "TSImportEqualsDeclaration")
    );
  });
}

const OPTIONS = [
  ["--ignoreConfig", "--noCheck", "--noResolve", "--noLib", "--isolatedModules", "--allowJs", "--sourceMap"],
  ["--target", "es2024", "--outDir", "out"],
].flat();

/** Key of a decorated class's metadata; sealed classes can't have it, and printing hides it. */
const METADATA = /\bObject(\.defineProperty\([\w$]+, Symbol\.metadata, \{ enumerable: )true/g;
const DECORATORS = ["experimentalDecorators", "emitDecoratorMetadata"] as const;
/** The kernel starts in the notebook's folder. */
const CONFIGURATION = join(process.cwd(), "tsconfig.json");

interface DownlevelOptions {
  /** Whether what is imported, and seems to be types, stays; default: false. */
  keepImports?: boolean;
  /** Whether a module becomes a CommonJS one; default: false. */
  commonjs?: boolean;
}

/** Emits JavaScript by TypeScript's own compiler; undefined where there is none for this machine. */
export function downlevel(
  source: string,
  language: Language,
  { keepImports = false, commonjs = false }: DownlevelOptions = {},
): { code: string; mappings: string } | undefined {
  const compiler = nativeCompiler();
  if (!compiler) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "ketbook-emit-"));
  try {
    const file = `module.${langOf(source, language)}`;
    const jsx = file.endsWith("x") ? jsxFlags(source) : [];
    writeFileSync(join(folder, file), source);
    const module = ["--module", commonjs ? "commonjs" : "preserve"];
    const imports = keepImports ? ["--verbatimModuleSyntax"] : [];
    const given = compilerOptions(CONFIGURATION);
    const decorators = DECORATORS.filter(name => given[name] === true).map(name => `--${name}`);
    spawnSync(compiler, [file, ...OPTIONS, ...module, ...imports, ...decorators, ...jsx], {
      cwd: folder,
      stdio: "ignore",
    });
    const read = (name: string) => readFileSync(join(folder, "out", name), "utf8");
    const { mappings } = JSON.parse(read("module.js.map")) as { mappings: string };
    const code = read("module.js")
      .replace(/\/\/# sourceMappingURL=.*\s*$/, "")
      .replace(METADATA, "Reflect$1null");
    return { code, mappings };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
