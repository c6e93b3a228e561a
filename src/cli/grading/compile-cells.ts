import type { CodeCell, Notebook } from "../../ipynb/format.ts";
import { isJavaScript } from "../../ipynb/parse.ts";
import { compileCell } from "../../kernels/cells/compile.ts";
import type { Declared } from "../../kernels/cells/declarations.ts";
import { oxc } from "../../kernels/jupyter/syntax.ts";
import type { SandboxCell } from "./sandbox-messages.ts";

const MAX_CELL_LENGTH = 200_000;

/** Compiles the cells of a notebook to scripts that share their top-level names, and runs nothing of them. */
export function compileCells(notebook: Notebook, before: (index: number) => void): SandboxCell[] {
  const language = isJavaScript(notebook) ? "javascript" : "typescript";
  const known = new Map<string, Declared>();
  const globals = new Set(Object.getOwnPropertyNames(globalThis));
  return notebook.cells
    .filter((cell): cell is CodeCell => cell.cell_type === "code")
    .map(({ source }, index) => {
      before(index);
      if (source.length > MAX_CELL_LENGTH) return { mistake: "The cell is too long." };
      try {
        const cell = compileCell(oxc, source, { run: index + 1, language, known, globals, scope: "global" });
        if ("mistakes" in cell) return { mistake: `SyntaxError: ${cell.mistakes[0]?.message ?? ""}` };
        for (const [name, declared] of cell.declared) known.set(name, declared);
        return { script: cell.code };
      } catch (error) {
        return { mistake: `SyntaxError: ${(error as Error).message}` };
      }
    });
}
