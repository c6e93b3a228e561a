import { type Cell, type Notebook, NotebookError } from "./format.ts";

/** Line in the place of a solution. */
const STUB = "// Write your answer here.";
const MARKERS = ["SOLUTION", "HIDDEN TESTS"] as const;
const MARKER = /^\s*(?:\/\/|#|<!--)[\s#]*(BEGIN|END)\s+(SOLUTION|HIDDEN TESTS)\b/i;

/**
 * Makes the students' copy of a course's notebook. A line that asks for the answer replaces the text between
 * `### BEGIN SOLUTION` and `### END SOLUTION`, as comments; the text between `### BEGIN HIDDEN TESTS` and `### END HIDDEN TESTS` is removed.
 * A cell that nbgrader marks as a solution is emptied if it has no markers. Outputs from the first answer on are removed, and
 * so are those of cells that were not run in order, since they may show an answer. Metadata are kept.
 *
 * @throws NotebookError for a marker without its other half.
 */
export function releaseNotebook(notebook: Notebook): Notebook {
  const solved = notebook.cells.findIndex(
    cell => nbgraderOf(cell).isSolution || cell.source.split("\n").some(line => MARKER.test(line)),
  );
  let runs = 0;
  const cells = notebook.cells.map((cell, index): Cell => {
    const released = releaseCell(cell, index);
    if (released.cell_type !== "code") return released;
    if (cell.source.trim() !== "") runs += 1;
    const isBefore = (solved < 0 || index < solved) && released.execution_count === runs;
    return isBefore ? released : { ...released, outputs: [], execution_count: null };
  });
  return { metadata: notebook.metadata, cells };
}

function releaseCell(cell: Cell, index: number): Cell {
  const { lines, hadSolution } = withoutMarked(cell.source, index + 1);
  const isWhole = nbgraderOf(cell).isSolution && !hadSolution;
  const stub = cell.cell_type === "code" ? STUB : "YOUR ANSWER HERE";
  return { ...cell, source: isWhole ? stub : lines.join("\n") };
}

function withoutMarked(source: string, number: number): { lines: string[]; hadSolution: boolean } {
  const lines: string[] = [];
  let open: (typeof MARKERS)[number] | undefined;
  let hadSolution = false;
  for (const line of source.split("\n")) {
    const [edge, name] = (MARKER.exec(line) ?? []).slice(1).map(word => word.toUpperCase());
    if (!edge) {
      if (/###\s*(?:BEGIN|END)\s+(?:SOLUTION|HIDDEN TESTS)\b/i.test(line))
        throw new NotebookError(`Cell ${number}: ${line.trim()} must be on a separate line.`);
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

interface NbgraderMetadata {
  /** The same in the course's notebook and in every copy of it. */
  readonly id: string | undefined;
  /** True for the course's own cells, as opposed to answers. */
  readonly isLocked: boolean;
  /** True where the cell holds a part for students to replace. */
  readonly isSolution: boolean;
  /** Points for the cell; undefined where it is not graded. */
  readonly points: number | undefined;
}

/** Reads what nbgrader keeps of a cell; of other cells nothing is set. */
export function nbgraderOf({ metadata }: Cell): NbgraderMetadata {
  const {
    grade_id: id,
    locked,
    solution,
    grade,
    points,
  } = Object(metadata.nbgrader) as Record<string, unknown>;
  return {
    id: typeof id === "string" ? id : undefined,
    isLocked: locked === true && solution !== true,
    isSolution: solution === true,
    points: grade === true && typeof points === "number" && points >= 0 ? points : undefined,
  };
}

const CHECKED = /\bcheck\s*\(\s*(["'`])([\w.-]+)\1/g;

const SET = /\bexercise\s*\(\s*(["'`])([\w.-]+)\1/g;
const idsIn = ({ source }: Cell, call: RegExp) => [...source.matchAll(call)].map(match => match[2]!);

export const exercisesChecked = (cell: Cell): string[] => idsIn(cell, CHECKED);

/** Says which exercises a notebook sets more than once, in code cells; undefined where there are none. */
export function repeatedExercises({ cells }: Notebook): string | undefined {
  const ids = cells.flatMap(cell => (cell.cell_type === "code" ? idsIn(cell, SET) : []));
  const repeated = [...new Set(ids.filter((id, index) => ids.indexOf(id) < index))];
  return repeated.length === 0
    ? undefined
    : `More than one exercise is called ${repeated.join(", ")}, and only the last of them counts. Give each a different name.`;
}
