import { basename } from "node:path";
import {
  type Cell,
  exercisesChecked,
  type Notebook,
  nbgraderOf,
  releaseNotebook,
} from "../../ipynb/index.ts";

/** Outline of a course's notebook for the process that reads submissions, without anything that students do not have. */
export type CourseOutline = ReturnType<typeof outlineOf>;

export const outlineOf = (path: string, notebook: Notebook) => ({
  name: basename(path),
  /** The exercises that its cells check. */
  exercises: [...new Set(notebook.cells.flatMap(exercisesChecked))],
  /** Its cells as students got them. */
  cells: releaseNotebook(notebook).cells,
});

/** Finds the course's notebook that a submission is a copy of: by its name, else by the exercises that it checks. */
export function matchCourse(
  courses: readonly CourseOutline[],
  name: string,
  notebook?: Notebook,
): CourseOutline | undefined {
  if (courses.length === 1) return courses[0];
  const named = courses.find(course => course.name === basename(name));
  if (named || !notebook) return named;
  const checked = new Set(notebook.cells.flatMap(exercisesChecked));
  const shared = ({ exercises }: CourseOutline) => exercises.filter(id => checked.has(id)).length;
  const best = courses.reduce((a, b) => (shared(b) > shared(a) ? b : a));
  return shared(best) > 0 ? best : undefined;
}

/**
 * Puts the course's own cells, which nbgrader has locked, in the place of a student's copies of them, as they were released.
 * Those that a student has removed come at the end.
 */
export function restoreLocked(submitted: Notebook, { cells }: CourseOutline): Notebook {
  const locked = new Map<string, Cell>();
  for (const cell of cells) {
    const { id, isLocked } = nbgraderOf(cell);
    if (id !== undefined && isLocked) locked.set(id, cell);
  }
  const restored = submitted.cells.map(cell => {
    const { id = "" } = nbgraderOf(cell);
    const own = locked.get(id);
    locked.delete(id);
    return own ?? cell;
  });
  return { metadata: submitted.metadata, cells: [...restored, ...locked.values()] };
}

/** Returns the points of each exercise: those that nbgrader has for the cell that checks it, else 1. */
export function pointsOf(course: Notebook, exercises: readonly string[]): Map<string, number> {
  const points = new Map(exercises.map(id => [id, 1]));
  for (const cell of course.cells) {
    const { points: given } = nbgraderOf(cell);
    const checked = [...new Set(exercisesChecked(cell))].filter(id => points.has(id));
    for (const id of checked) if (given !== undefined) points.set(id, given / checked.length);
  }
  return points;
}
