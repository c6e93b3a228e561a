import { tsPlugin } from "@sveltejs/acorn-typescript";
import { Parser } from "acorn";
import type ts from "typescript-6.0";
import { type Language, RUNTIME, type Syntax, type SyntaxNode } from "../../kernels/cells/index.ts";
import { browserSyntax, type Downlevelled, MARKUP, needsCompiler } from "../kernel/syntax.ts";

/** Makes what emits JavaScript by TypeScript's own compiler: decorators, accessors, namespaces and JSX too. */
export function openEmitter(compiler: typeof ts): (source: string) => Downlevelled {
  const transpile = (source: string, fileName: string) =>
    compiler.transpileModule(source, {
      fileName,
      reportDiagnostics: true,
      compilerOptions: {
        jsx: compiler.JsxEmit.React,
        jsxFactory: `${RUNTIME}.jsx`,
        jsxFragmentFactory: `${RUNTIME}.Fragment`,
        target: compiler.ScriptTarget.ES2024,
        module: compiler.ModuleKind.Preserve,
        verbatimModuleSyntax: true,
        sourceMap: true,
      },
    });
  return source => {
    const plain = transpile(source, "cell.ts");
    const wrong = MARKUP.test(source) && (plain.diagnostics ?? []).length > 0;
    const { outputText, sourceMapText } = wrong ? transpile(source, "cell.tsx") : plain;
    const { mappings } = JSON.parse(sourceMapText ?? "{}") as { mappings: string };
    return { code: outputText.replace(/\/\/# sourceMappingURL=.*\s*$/, ""), mappings };
  };
}

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
