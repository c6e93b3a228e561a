import type ts from "typescript-6.0";
import type { Downlevelled } from "../kernel/syntax.ts";

/** Makes what emits JavaScript by TypeScript's own compiler: decorators, accessors and namespaces too. */
export function openEmitter(compiler: typeof ts): (source: string) => Downlevelled {
  return source => {
    const { outputText, sourceMapText } = compiler.transpileModule(source, {
      fileName: "cell.ts",
      compilerOptions: {
        target: compiler.ScriptTarget.ES2024,
        module: compiler.ModuleKind.Preserve,
        verbatimModuleSyntax: true,
        sourceMap: true,
      },
    });
    const { mappings } = JSON.parse(sourceMapText ?? "{}") as { mappings: string };
    return { code: outputText.replace(/\/\/# sourceMappingURL=.*\s*$/, ""), mappings };
  };
}
