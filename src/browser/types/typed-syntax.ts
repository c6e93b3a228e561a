import { tsPlugin } from "@sveltejs/acorn-typescript";
import { Parser } from "acorn";
import type { Language, Syntax, SyntaxNode } from "../../kernels/cells/syntax.ts";
import { browserSyntax, type Downlevelled, needsCompiler } from "../kernel/syntax.ts";

const TypeScriptParser = Parser.extend(tsPlugin());
const MAX_KNOWN = 500;

/**
 * Makes a parser that keeps types, in whose trees the places are those of the source, with the emitter of browsers. `emit`
 * is that of TypeScript's own compiler.
 */
export function typedSyntax(emit: (source: string) => Downlevelled): Syntax {
  const plain = browserSyntax(source => (needsCompiler(source) ? emit(source) : undefined));
  const known = new Map<string, readonly SyntaxNode[]>();

  function parse(source: string, language: Language): ReturnType<Syntax["parse"]> {
    if (language === "javascript") return plain.parse(source, language);
    try {
      const options = { ecmaVersion: "latest", sourceType: "module", locations: true } as const;
      const { body } = TypeScriptParser.parse(source, options);
      return { body: body as unknown as SyntaxNode[], mistakes: [] };
    } catch {
      return plain.parse(source, language);
    }
  }

  return {
    ...plain,
    parse(source, language) {
      const body = known.get(source);
      if (body) return { body, mistakes: [] };
      const parsed = parse(source, language);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(source, parsed.body);
      return parsed;
    },
  };
}
