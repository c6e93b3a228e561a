import type ts from "typescript-6.0";
import { RUNTIME } from "../../kernels/cells/declarations.ts";
import { type Downlevelled, MARKUP } from "../kernel/syntax.ts";

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
