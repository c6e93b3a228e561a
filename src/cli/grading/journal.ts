import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import type { NotebookGrade } from "./grade-class.ts";

/** Grades of a run that has not ended, kept in a file to resume from. */
export interface Journal {
  find(key: string): NotebookGrade | undefined;
  add(key: string, grade: NotebookGrade): void;
  /** Removes the file, since all grades are written elsewhere. */
  remove(): void;
}

/** Opens the journal at a path, with the grades of a run that was interrupted. */
export function openJournal(path: string): Journal {
  const grades = new Map<string, NotebookGrade>();
  for (const line of existsSync(path) ? readFileSync(path, "utf8").split("\n") : [])
    try {
      const [key, grade] = JSON.parse(line);
      grades.set(key, grade);
    } catch {
      // The last line of a run that was interrupted may be incomplete.
    }
  return {
    find: key => grades.get(key),
    add: (key, grade) => appendFileSync(path, `\n${JSON.stringify([key, grade])}`),
    remove: () => rmSync(path, { force: true }),
  };
}
