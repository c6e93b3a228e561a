import { readFileSync, writeSync } from "node:fs";
import {
  type CodeCell,
  isJavaScript,
  type Notebook,
  NotebookError,
  parseNotebook,
} from "../../ipynb/index.ts";
import { compileCell, type Declared } from "../../kernels/cells/index.ts";
import { loadSyntax } from "../../kernels/jupyter/index.ts";
import { type CourseOutline, matchCourse, restoreLocked } from "./course-outline.ts";
import type { ReaderMessage } from "./reader-process.ts";
import type { SandboxCell } from "./sandbox-messages.ts";

/**
 * The process that reads the notebook of a student. It parses and compiles, which may end it, and runs nothing of the notebook.
 * Its first argument is the file of the notebook; the course comes on standard input, and lines go to standard output.
 */

const MAX_CELL_LENGTH = 200_000;
const oxc = await loadSyntax();

/** Compiles the cells of a notebook to scripts that share their top-level names, and runs nothing of them. */
function compileCells(notebook: Notebook, before: (index: number) => void): SandboxCell[] {
  const language = isJavaScript(notebook) ? "javascript" : "typescript";
  const known = new Map<string, Declared>();
  const globals = new Set(Object.getOwnPropertyNames(globalThis));
  return notebook.cells
    .filter((cell): cell is CodeCell => cell.cell_type === "code")
    .map(({ source }, index) => {
      before(index);
      if (source.length > MAX_CELL_LENGTH) return { mistake: "The cell is too long." };
      try {
        const cell = compileCell(oxc, source, { run: index + 1, language, known, globals });
        if ("mistakes" in cell) return { mistake: `SyntaxError: ${cell.mistakes[0]?.message ?? ""}` };
        for (const [name, declared] of cell.declared) known.set(name, declared);
        return { script: cell.code };
      } catch (error) {
        return { mistake: `SyntaxError: ${(error as Error).message}` };
      }
    });
}

const MAX_CELLS = 1000;

function report(message: ReaderMessage): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written);
}

report({ kind: "starts" });
const [path = ""] = process.argv.slice(2);
const courses: CourseOutline[] = JSON.parse(readFileSync(0, "utf8"));
try {
  const notebook = parseNotebook(readFileSync(path, "utf8"));
  const { length } = notebook.cells;
  if (length > MAX_CELLS) throw new NotebookError(`It has ${length} cells, at most ${MAX_CELLS}.`);
  const course = matchCourse(courses, path, notebook);
  if (!course) throw new NotebookError("No notebook of the course has these exercises.");
  const own = new Set(course.cells.map(({ source }) => source));
  const restored = restoreLocked(notebook, course);
  const cells = compileCells(restored, index => report({ kind: "reads", cell: index + 1 }));
  const code = restored.cells.filter(({ cell_type }) => cell_type === "code");
  const unchanged = code.flatMap(({ source }, index) => (own.has(source) ? [index] : []));
  report({ kind: "done", course: courses.indexOf(course), unchanged, cells });
} catch (error) {
  report({ kind: "refused", reason: (error as Error).message.slice(0, 500) });
}
