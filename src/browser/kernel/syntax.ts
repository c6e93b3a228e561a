import { parse } from "acorn";
import { transform } from "sucrase";
import { attempted } from "../../host/attempted.ts";
import {
  type Emission,
  isNode,
  type Language,
  lineStarts,
  type Namespaces,
  placeAt,
  readMappings,
  type Syntax,
  type SyntaxMistake,
  type SyntaxNode,
} from "../../kernels/cells/index.ts";

/**
 * Finds the enums and namespaces that some JavaScript was emitted for: `var Name;` and then
 * `(function (Name) { … })(Name || (Name = {}));`.
 */
function emittedNamespaces(body: readonly SyntaxNode[]): Namespaces {
  const names = body.map(namespaceOf);
  return {
    names: new Set(names.filter(name => name !== undefined)),
    isLast: body.length === 0 || names.at(-1) !== undefined,
  };
}

function namespaceOf({ type, expression }: SyntaxNode): string | undefined {
  const call = type === "ExpressionStatement" ? unwrapped(expression) : undefined;
  const callee = unwrapped(call?.callee);
  const [argument] = (call?.arguments ?? []) as SyntaxNode[];
  if (callee?.type !== "FunctionExpression" || argument?.operator !== "||") return undefined;
  const [parameter] = callee.params as SyntaxNode[];
  const isFilled = unwrapped(argument.right)?.type === "AssignmentExpression";
  return isFilled && parameter?.type === "Identifier" ? (parameter.name as string) : undefined;
}

function unwrapped(node: unknown): SyntaxNode | undefined {
  if (!isNode(node)) return undefined;
  return node.type === "ParenthesizedExpression" ? unwrapped(node.expression) : node;
}

/** JavaScript that TypeScript's own compiler has made of a source. */
export type Downlevelled = Pick<Emission, "code" | "mappings">;

/** Finds what TypeScript's own compiler has made of a source that others can't emit; undefined where it has not. */
export type FindDownlevelled = (source: string, language: Language) => Downlevelled | undefined;

const HINT = /@|\baccessor\b|\bnamespace\b|\bmodule\b/;
const WORDS = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** A namespace with values, which would be dropped silently. */
const NAMESPACE = /(?:^|[;}\n])\s*(?:export\s+)?(?:namespace|module)\s+[\w$.]+\s*\{/;

/** The end of an element of JSX, which is one where a source can't be read without. */
export const MARKUP = /<\/|\/>/;

/** Returns true for a source that may need TypeScript's own compiler: decorators, accessors, namespaces or JSX. */
export const needsCompiler = (source: string): boolean =>
  HINT.test(source.replace(WORDS, "")) ||
  (MARKUP.test(source) && attempted(() => strip(source, "typescript"))?.mistakes.length !== 0);

/** Makes a parser and emitter for browsers: Sucrase strips types, Acorn reads what is left. */
export function browserSyntax(downlevelled: FindDownlevelled = () => undefined): Syntax {
  function read(code: string): { body: readonly SyntaxNode[]; mistakes: SyntaxMistake[] } {
    try {
      const { body } = parse(code, { ecmaVersion: "latest", sourceType: "module", preserveParens: true });
      return { body: body as unknown as SyntaxNode[], mistakes: [] };
    } catch (error) {
      return { body: [], mistakes: [mistakeOf(error as SyntaxError & { pos: number }, code)] };
    }
  }

  function emit(source: string, language: Language): Emission {
    try {
      const lowered = downlevelled(source, language);
      return lowered ? { ...lowered, mistakes: [] } : strip(source, language);
    } catch (error) {
      return { code: "", mappings: "", mistakes: [strippingMistake(error as SucraseError, source)] };
    }
  }

  return {
    emit(source, language) {
      const emission = emit(source, language);
      if (emission.mistakes.length > 0) return emission;
      const { mistakes } = read(emission.code);
      return { ...emission, mistakes: mistakes.map(at => inSource(at, emission, source)) };
    },
    parse(source, language) {
      if (language === "javascript") return read(source);
      const { code, mistakes } = emit(source, language);
      return mistakes.length > 0 ? { body: [], mistakes } : read(code);
    },
    namespaces: (_source, _language, emitted) => emittedNamespaces(emitted),
  };
}

function strip(source: string, language: Language): Emission {
  const namespace = NAMESPACE.exec(source.replace(WORDS, each => each.replace(/[^\n]/g, " ")));
  if (namespace) {
    const start = namespace.index + namespace[0].search(/namespace|module/);
    const message =
      "A namespace requires TypeScript's compiler, which could not be loaded. Use an object or a class.";
    return { code: "", mappings: "", mistakes: [{ message, start, end: start + "namespace".length }] };
  }
  const { code, sourceMap } = transform(source, {
    transforms: language === "typescript" ? ["typescript"] : [],
    keepUnusedImports: true,
    disableESTransforms: true,
    preserveDynamicImport: true,
    sourceMapOptions: { compiledFilename: "cell.js" },
    filePath: "cell.ts",
  });
  return { code, mappings: sourceMap!.mappings, mistakes: [] };
}

function mistakeOf({ message, pos }: SyntaxError & { pos: number }, code: string): SyntaxMistake {
  const start = Math.min(pos, code.length);
  return { message: message.replace(/ \(\d+:\d+\)$/, ""), start, end: Math.min(start + 1, code.length) };
}

type SucraseError = Error & { pos?: number; loc?: { line: number; column: number } };

function strippingMistake({ message, pos, loc }: SucraseError, source: string): SyntaxMistake {
  const [, line, column] = /\((\d+):(\d+)\)$/.exec(message) ?? [];
  const starts = lineStarts(source);
  const place = loc ?? (line ? { line: Number(line), column: Number(column) - 1 } : { line: 1, column: 0 });
  const start = pos ?? (starts[place.line - 1] ?? 0) + place.column;
  const said = message.replace(/^Error transforming [^:]*: /, "").replace(/ \(\d+:\d+\)$/, "");
  return { message: said, start, end: Math.min(start + 1, source.length) };
}

/** A mistake in emitted code, in its source. */
function inSource(
  { message, start }: SyntaxMistake,
  { code, mappings }: Emission,
  source: string,
): SyntaxMistake {
  const place = readMappings(mappings)(placeAt(lineStarts(code), start));
  const at = place ? (lineStarts(source)[place.line] ?? 0) + place.column : 0;
  return { message, start: at, end: Math.min(at + 1, source.length) };
}
