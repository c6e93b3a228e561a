import { basename } from "node:path";
import type { Cell, Notebook } from "../../ipynb/format.ts";
import { exercisesChecked, nbgraderOf } from "../../ipynb/nbgrader.ts";
import { releaseNotebook } from "../../ipynb/release.ts";

/** A notebook of a course. */
export interface CourseNotebook {
  readonly path: string;
  readonly notebook: Notebook;
}

/** Finds the course's notebook that a submission is a copy of: by its name, else by the exercises that it checks. */
export function matchCourse(
  courses: readonly CourseNotebook[],
  path: string,
  notebook: Notebook,
): CourseNotebook | undefined {
  const [only, ...others] = courses;
  if (only && others.length === 0) return only;
  const named = courses.find(course => basename(course.path) === basename(path));
  if (named) return named;
  const checked = new Set(notebook.cells.flatMap(exercisesChecked));
  const shared = courses.map(course => ({
    course,
    count: new Set(course.notebook.cells.flatMap(exercisesChecked).filter(id => checked.has(id))).size,
  }));
  const best = shared.reduce((a, b) => (b.count > a.count ? b : a));
  return best.count > 0 ? best.course : undefined;
}

/**
 * Puts the course's own cells, which nbgrader has locked, in the place of a student's copies of them, as they were released.
 * Those that a student has removed come at the end.
 */
export function restoreLocked(submitted: Notebook, course: Notebook): Notebook {
  const locked = new Map<string, Cell>();
  for (const cell of releaseNotebook(course).cells) {
    const { id, isLocked } = nbgraderOf(cell);
    if (id !== undefined && isLocked) locked.set(id, cell);
  }
  const cells = submitted.cells.map(cell => {
    const { id = "" } = nbgraderOf(cell);
    const own = locked.get(id);
    locked.delete(id);
    return own ?? cell;
  });
  return { metadata: submitted.metadata, cells: [...cells, ...locked.values()] };
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
