import { constants, copyFileSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { Command } from "commander";
import { NotebookError, notebookText, releaseNotebook, repeatedExercises } from "../ipynb/index.ts";
import { explained } from "./explained.ts";
import { findCourse } from "./grading/find-notebooks.ts";
import { readNotebook, writeWhole } from "./ipynb/notebook-file.ts";

export function courseCommand(): Command {
  return new Command("course")
    .description("copy the built-in course, or make the students' copy of your own")
    .addCommand(
      new Command("copy")
        .description("copy the lessons of the built-in course into a folder; existing files are kept")
        .argument("[folder]", "the folder for the lessons", "course")
        .action((folder: string) => explained("course copy", () => copy(folder))),
    )
    .addCommand(
      new Command("release")
        .description("copy a course's notebooks without solutions, hidden tests and the outputs of answers")
        .argument("<course>", "a notebook, or a folder of notebooks")
        .argument("<out>", "the folder for the copies")
        .action((course: string, out: string) => explained("course release", () => release(course, out))),
    );
}

/** The released lessons, which the build writes next to the command. */
const LESSONS = new URL("./course/", import.meta.url);

function copy(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const names = readdirSync(LESSONS);
  const kept = names.filter(name => existsSync(join(folder, name)));
  for (const name of names.filter(name => !kept.includes(name)))
    copyFileSync(new URL(name, LESSONS), join(folder, name), constants.COPYFILE_EXCL);
  process.stdout.write(`${names.length - kept.length} files copied to ${folder}\n`);
  if (kept.length > 0) process.stdout.write(`Already there, and kept: ${kept.join(", ")}\n`);
}

function release(course: string, out: string): void {
  const { paths, cut } = findCourse(course);
  if (cut) throw new NotebookError(cut);
  if (paths.length === 0) throw new NotebookError(`There is no notebook at ${course}.`);
  if (resolve(out) === resolve(course) || resolve(out) === resolve(dirname(paths[0]!)))
    throw new NotebookError("Give another folder for the copies: they would take the place of the course.");
  const base = paths.length === 1 && paths[0] === course ? dirname(course) : course;
  const copies = paths.map(path => {
    try {
      const notebook = readNotebook(path, { outputs: true });
      const released = releaseNotebook(notebook);
      const isSame = released.cells.every(({ source }, index) => source === notebook.cells[index]!.source);
      return { path, text: notebookText(released), isSame, repeated: repeatedExercises(notebook) };
    } catch (error) {
      if (error instanceof NotebookError) throw new NotebookError(`${path}: ${error.message}`);
      throw error;
    }
  });
  for (const { path, text, repeated } of copies) {
    if (repeated) process.stderr.write(`${path}: ${repeated}\n`);
    const to = join(out, relative(base, path));
    mkdirSync(dirname(to), { recursive: true });
    writeWhole(to, text);
  }
  process.stdout.write(
    `${copies.length} notebook${copies.length === 1 ? "" : "s"} without solutions in ${out}\n`,
  );
  const same = copies.flatMap(({ path, isSame }) => (isSame ? [basename(path)] : []));
  if (same.length > 0)
    process.stdout.write(`Nothing was marked to be removed in ${same.join(", ")}: see ### BEGIN SOLUTION.\n`);
}
