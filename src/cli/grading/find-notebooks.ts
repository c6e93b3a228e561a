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

/** Notebooks below a folder. */
export interface FoundNotebooks {
  readonly paths: readonly string[];
  /** Description of what a limit left out; null if nothing. */
  readonly cut: string | null;
}

/** Finds the notebooks of a folder, or the one of a path, by name. Links are left out: they may lead anywhere. */
export function findNotebooks(path: string): FoundNotebooks {
  const paths: string[] = [];
  let cut: string | null = null;
  const look = (one: string, depth: number): void => {
    const stat = lstatSync(one);
    const isNotebook = stat.isFile() && one.endsWith(".ipynb");
    if (!isNotebook && !stat.isDirectory()) return;
    if (paths.length >= MAX_NOTEBOOKS)
      cut ??= `There are more than ${MAX_NOTEBOOKS} notebooks: ${one} and those after it are left out.`;
    else if (isNotebook) paths.push(one);
    else if (depth > MAX_DEPTH) cut ??= `Folders more than ${MAX_DEPTH} deep are left out, such as ${one}.`;
    else
      for (const name of readdirSync(one).sort())
        if (!name.startsWith(".") && name !== "node_modules") look(join(one, name), depth + 1);
  };
  look(path, 0);
  return { paths, cut };
}

/** Submissions in a folder. */
export interface FoundSubmissions {
  readonly files: readonly SubmittedFile[];
  /** All students, those included whose folder has no notebook. */
  readonly students: readonly string[];
  readonly cut: string | null;
}

/** Finds the submissions in a folder: a notebook for each student, or a folder for each. */
export function findSubmissions(folder: string): FoundSubmissions {
  const { paths, cut } = findNotebooks(folder);
  const files = paths.map(path => {
    const name = relative(folder, path) || basename(path);
    const [first = name, ...below] = name.split(sep);
    return { path, name, student: below.length > 0 ? first : basename(first, ".ipynb") };
  });
  const folders = lstatSync(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
  const empty = folders.filter(each => each.isDirectory() && !/^\.|^node_modules$/.test(each.name));
  const students = new Set([...files.map(({ student }) => student), ...empty.map(({ name }) => name)]);
  return { files, students: [...students].sort(), cut };
}
