import type { Declared } from "./declarations.ts";
import { type RewriteOptions, rewriteCell } from "./rewrite.ts";
import { type LineColumn, lineStarts, placeAt, readMappings } from "./source-map.ts";
import type { Syntax, SyntaxMistake } from "./syntax.ts";

export interface CompiledCell {
  /** Number of the run; no other run has it. */
  run: number;
  source: string;
  code: string;
  declared: ReadonlyMap<string, Declared>;
  map: CellMap;
}

export interface CellMap {
  /** Place in the source of a place in the script. */
  placeOf(place: LineColumn): LineColumn | undefined;
  /** Place in the source of an offset in the JavaScript that the script was made from. */
  placeOfOffset(offset: number): LineColumn | undefined;
}

export type CompileOptions = Omit<RewriteOptions, "enums" | "shows">;

const HASHBANG = /^#!.*/;
const NAMESPACE = /\b(?:enum|namespace|module)\b/;

export function compileCell(
  syntax: Syntax,
  source: string,
  options: CompileOptions,
): CompiledCell | { mistakes: readonly SyntaxMistake[] } {
  try {
    return compileParsed(syntax, source, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { mistakes: [{ message: "The cell is nested too deeply. Split it.", start: 0, end: 0 }] };
  }
}

function compileParsed(
  syntax: Syntax,
  source: string,
  options: CompileOptions,
): ReturnType<typeof compileCell> {
  const text = source.replace(HASHBANG, line => "//".padEnd(line.length));
  const { code, mappings, mistakes } = syntax.emit(text, options.language);
  if (mistakes.length > 0) return { mistakes };
  const { body } = syntax.parse(code, "javascript");
  // The code emitted for them looks like variables and calls.
  const found = NAMESPACE.test(text) ? syntax.namespaces(text, options.language, body) : undefined;
  const enums = found?.names ?? new Set<string>();
  const shows = !found?.isLast;
  const { text: script, originOf, declared } = rewriteCell(code, body, { ...options, enums, shows });
  let map: CellMap | undefined;
  return {
    run: options.run,
    source,
    code: script,
    declared,
    get map() {
      map ??= mapOf(script, code, mappings, originOf);
      return map;
    },
  };
}

function mapOf(
  script: string,
  code: string,
  mappings: string,
  originOf: (offset: number) => number | undefined,
): CellMap {
  const [scriptLines, codeLines] = [lineStarts(script), lineStarts(code)];
  const find = readMappings(mappings);
  const placeOfOffset = (offset: number) => find(placeAt(codeLines, offset));
  return {
    placeOfOffset,
    placeOf({ line, column }) {
      const start = scriptLines[line];
      const origin = start === undefined ? undefined : originOf(start + column);
      return origin === undefined ? undefined : placeOfOffset(origin);
    },
  };
}
