import { lstatSync, readdirSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";

const MAX_DEPTH = 6;
const MAX_NOTEBOOKS = 10_000;
const NOTEBOOK = /\.ipynb$/i;
const IGNORED = /^\.|^node_modules$/;

export interface SubmittedFile {
  readonly path: string;
  /** The path below the folder of submissions. */
  readonly name: string;
  /** The first folder below that of the submissions; of a file that is in none, its name. */
  readonly student: string;
  /** The reason it can't be read, if known. */
  readonly problem?: string | undefined;
}

/** Finds the notebooks of a folder, or the one of a path, by name. Links are not followed: they may lead anywhere. */
export function findNotebooks(path: string) {
  const paths: string[] = [];
  /** Reasons, by path: links, pipes, and what the system refuses to open. */
  const unreadable = new Map<string, string>();
  /** Description of the notebooks beyond a limit; null if none. */
  let cut = null as string | null;
  const look = (one: string, depth: number): void => {
    const stat = lstatSync(one);
    const isNotebook = NOTEBOOK.test(one) && !stat.isDirectory();
    if (!isNotebook && !stat.isDirectory()) return;
    if (paths.length + unreadable.size >= MAX_NOTEBOOKS)
      cut ??= `There are more than ${MAX_NOTEBOOKS} notebooks: ${one} and those after it are left out.`;
    else if (isNotebook && stat.isFile()) paths.push(one);
    else if (isNotebook) unreadable.set(one, "It is a link or a device, not a file.");
    else if (depth > MAX_DEPTH) cut ??= `Folders more than ${MAX_DEPTH} deep are left out, such as ${one}.`;
    else
      for (const name of readdirSync(one).sort())
        if (!IGNORED.test(name)) tryLook(join(one, name), depth + 1);
  };
  const tryLook = (one: string, depth: number): void => {
    try {
      look(one, depth);
    } catch (error) {
      const isMisnamed = one.includes("\ufffd");
      unreadable.set(one, isMisnamed ? "Its name is not UTF-8 text." : (error as Error).message);
    }
  };
  look(path, 0);
  return { paths, unreadable, cut };
}

/** Finds the notebooks of a course, without those that `ketbook run` has executed beside them. */
export function findCourse(path: string) {
  const { paths, ...rest } = findNotebooks(path);
  return { ...rest, paths: paths.filter(one => one === path || !/\.executed\.ipynb$/i.test(one)) };
}

/** Finds the submissions in a folder: a notebook for each student, or a folder for each. */
export function findSubmissions(folder: string) {
  const { paths, unreadable, cut } = findNotebooks(folder);
  const files = [...paths, ...unreadable.keys()].map((path): SubmittedFile => {
    const name = relative(folder, path) || basename(path);
    const [first = name, ...below] = name.split(sep);
    const student = below.length > 0 ? first : first.replace(NOTEBOOK, "");
    return { path, name, student: student.normalize(), problem: unreadable.get(path) };
  });
  const folders = lstatSync(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
  const empty = folders.filter(each => each.isDirectory() && !IGNORED.test(each.name));
  // Those included whose folder has no notebook.
  const students = new Set([
    ...files.map(({ student }) => student),
    ...empty.map(({ name }) => name.normalize()),
  ]);
  return { files, students: [...students].sort(), cut };
}
