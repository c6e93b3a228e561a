import { NotebookError } from "../../ipynb/errors.ts";
import type { Cell, Notebook } from "../../ipynb/format.ts";
import { nbgraderOf } from "./nbgrader.ts";

/** What stands in a cell in the place of a solution. */
const STUB = "// Write your answer here.";
const MARKERS = ["SOLUTION", "HIDDEN TESTS"] as const;

/**
 * Makes the students' copy of a course's notebook: what stands between `### BEGIN SOLUTION` and `### END SOLUTION` becomes
 * a line that asks for the answer, what stands between `### BEGIN HIDDEN TESTS` and `### END HIDDEN TESTS` is left out, and
 * so are outputs. A cell that nbgrader has as a solution, and that has no markers, is emptied. Metadata are kept.
 *
 * @throws NotebookError for a marker without its other half.
 */
export function releaseNotebook(notebook: Notebook): Notebook {
  return { metadata: notebook.metadata, cells: notebook.cells.map(releaseCell) };
}

function releaseCell(cell: Cell, index: number): Cell {
  const { lines, hadSolution } = withoutMarked(cell.source, index + 1);
  const isWhole = nbgraderOf(cell).isSolution && !hadSolution;
  const stub = cell.cell_type === "code" ? STUB : "YOUR ANSWER HERE";
  const source = isWhole ? stub : lines.join("\n");
  return cell.cell_type === "code"
    ? { ...cell, source, outputs: [], execution_count: null }
    : { ...cell, source };
}

function withoutMarked(source: string, number: number): { lines: string[]; hadSolution: boolean } {
  const lines: string[] = [];
  let open: (typeof MARKERS)[number] | undefined;
  let hadSolution = false;
  for (const line of source.split("\n")) {
    const [, edge, name] = /###\s*(BEGIN|END)\s+(SOLUTION|HIDDEN TESTS)\b/.exec(line) ?? [];
    if (!edge) {
      if (!open) lines.push(line);
      continue;
    }
    if ((edge === "BEGIN") === (open !== undefined) || (edge === "END" && name !== open))
      throw new NotebookError(`Cell ${number}: ${line.trim()} has no other half.`);
    open = edge === "BEGIN" ? (name as typeof open) : undefined;
    if (edge === "BEGIN" && name === "SOLUTION") {
      hadSolution = true;
      lines.push(`${/^\s*/.exec(line)![0]}${STUB}`);
    }
  }
  if (open) throw new NotebookError(`Cell ${number}: ### BEGIN ${open} has no ### END ${open}.`);
  return { lines, hadSolution };
}
