import { lstatSync, readdirSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";

const MAX_DEPTH = 6;
const MAX_NOTEBOOKS = 10_000;

/** The notebook of a student. */
export interface SubmittedFile {
  readonly path: string;
  /** The path below the folder of submissions. */
  readonly name: string;
  /** The first folder below that of the submissions; of a file that is in none, its name. */
  readonly student: string;
}

/** Finds the notebooks of a folder, or the one of a path, by name. Links are left out: they may lead anywhere. */
export function findNotebooks(path: string): string[] {
  const found: string[] = [];
  const look = (one: string, depth: number): void => {
    const stat = lstatSync(one);
    if (stat.isFile() && one.endsWith(".ipynb")) found.push(one);
    if (!stat.isDirectory() || depth > MAX_DEPTH || found.length >= MAX_NOTEBOOKS) return;
    for (const name of readdirSync(one).sort())
      if (!name.startsWith(".") && name !== "node_modules") look(join(one, name), depth + 1);
  };
  look(path, 0);
  return found;
}

/** Finds the submissions in a folder, which are those of a student each, or in a folder for each student. */
export function findSubmissions(folder: string): SubmittedFile[] {
  return findNotebooks(folder).map(path => {
    const name = relative(folder, path) || basename(path);
    const [first = name, ...below] = name.split(sep);
    return { path, name, student: below.length > 0 ? first : basename(first, ".ipynb") };
  });
}
