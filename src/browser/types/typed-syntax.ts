import { tsPlugin } from "@sveltejs/acorn-typescript";
import { Parser } from "acorn";
import type { Language, Syntax, SyntaxNode } from "../../kernels/cells/syntax.ts";
import { browserSyntax, type Downlevelled, MARKUP, needsCompiler } from "../kernel/syntax.ts";

const TypeScriptParser = Parser.extend(tsPlugin());
const MarkupParser = Parser.extend(tsPlugin({ jsx: true }));
const MAX_KNOWN = 500;

/**
 * Makes a parser that keeps types, in whose trees the places are those of the source, with the emitter of browsers. `emit`
 * is that of TypeScript's own compiler.
 */
export function typedSyntax(emit: (source: string) => Downlevelled): Syntax {
  const plain = browserSyntax(source => (needsCompiler(source) ? emit(source) : undefined));
  const known = new Map<string, ReturnType<Syntax["parse"]>>();

  function parse(source: string, language: Language): ReturnType<Syntax["parse"]> {
    if (language === "javascript") return plain.parse(source, language);
    const options = { ecmaVersion: "latest", sourceType: "module", locations: true } as const;
    for (const jsx of MARKUP.test(source) ? [false, true] : [false]) {
      try {
        const { body } = (jsx ? MarkupParser : TypeScriptParser).parse(source, options);
        return { body: body as unknown as SyntaxNode[], mistakes: [], jsx };
      } catch {
        // It is read without types below.
      }
    }
    return plain.parse(source, language);
  }

  return {
    ...plain,
    parse(source, language) {
      const before = known.get(source);
      if (before) return before;
      const parsed = parse(source, language);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(source, parsed);
      return parsed;
    },
  };
}
