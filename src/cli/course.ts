import { mkdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Command } from "commander";
import { NotebookError } from "../ipynb/errors.ts";
import { notebookText } from "../ipynb/text.ts";
import { findNotebooks } from "./grading/find-notebooks.ts";
import { releaseNotebook } from "./grading/release.ts";
import { readNotebook } from "./ipynb/read.ts";
import { writeWhole } from "./ipynb/write.ts";

/** `ketbook course`: makes the students' copy of a course. */
export function courseCommand(): Command {
  return new Command("course").description("make the students' copy of a course").addCommand(
    new Command("release")
      .description("copy a course's notebooks without their solutions, hidden tests and outputs")
      .argument("<course>", "a notebook, or a folder of notebooks")
      .argument("<out>", "the folder for the copies")
      .action((course: string, out: string) => {
        try {
          release(course, out);
        } catch (error) {
          const { code, message } = error as NodeJS.ErrnoException;
          if (!(error instanceof NotebookError) && !code) throw error;
          process.stderr.write(`ketbook course release: ${message}\n`);
          process.exitCode = 1;
        }
      }),
  );
}

function release(course: string, out: string): void {
  const paths = findNotebooks(course);
  if (paths.length === 0) throw new NotebookError(`There is no notebook at ${course}.`);
  if (resolve(out) === resolve(course) || resolve(out) === resolve(dirname(paths[0]!)))
    throw new NotebookError("Give another folder for the copies: they would take the place of the course.");
  const base = paths.length === 1 && paths[0] === course ? dirname(course) : course;
  const copies = paths.map(path => {
    try {
      return { path, text: notebookText(releaseNotebook(readNotebook(path))) };
    } catch (error) {
      if (error instanceof NotebookError) throw new NotebookError(`${path}: ${error.message}`);
      throw error;
    }
  });
  for (const { path, text } of copies) {
    const to = join(out, relative(base, path));
    mkdirSync(dirname(to), { recursive: true });
    writeWhole(to, text);
  }
  process.stdout.write(
    `${copies.length} notebook${copies.length === 1 ? "" : "s"} without solutions in ${out}\n`,
  );
}
