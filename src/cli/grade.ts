import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { NotebookError } from "../ipynb/errors.ts";
import { gradeClass } from "./grading/grade-class.ts";
import { gradesCsv, gradesJson, gradesPage, gradesText } from "./grading/grade-table.ts";
import { openJournal } from "./grading/journal.ts";
import { hasNamespaces } from "./grading/sandbox-process.ts";
import { writeWhole } from "./ipynb/write.ts";

interface GradeCommandOptions {
  against: string;
  output: string;
  timeout: number;
  memory: number;
  jobs?: number;
  students?: string;
}

/** `ketbook grade`: executes the notebooks of a class and judges their answers. */
export function gradeCommand(): Command {
  return new Command("grade")
    .description("grade the notebooks of a class by the exercises of a course")
    .argument("<folder>", "notebooks named for a student each, or in a folder for each student")
    .requiredOption("--against <course>", "the course's own notebook, or the folder of its notebooks")
    .option("-o, --output <folder>", "where grades.html, grades.csv and grades.json go", "grades")
    .option("--timeout <seconds>", "most processor time for one notebook", numberFrom(1, 3600), 20)
    .option("--memory <megabytes>", "most memory for one notebook", numberFrom(64, 65_536), 512)
    .option(
      "--jobs <number>",
      "notebooks that are executed at the same time (default: one a core)",
      numberFrom(1, 256),
    )
    .option("--students <file>", "the names of all students, one per line")
    .addHelpText(
      "after",
      `
Each notebook is read and executed in separate processes. The one that executes it reads only the library's files, writes none,
starts no process and reaches no network; \`run\` simulates in that process. Nothing that it shows is believed: the last answer that
it passes to each check is judged in the course's own notebook, which is trusted and executed as it is.`,
    )
    .action(async (folder: string, options: GradeCommandOptions) => {
      try {
        await grade(folder, options);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (!(error instanceof NotebookError) && !code) throw error;
        process.stderr.write(`ketbook grade: ${message}\n`);
        process.exitCode = 1;
      }
    });
}

async function grade(
  folder: string,
  { against, output, timeout, memory, jobs, students }: GradeCommandOptions,
): Promise<void> {
  const warn = (text: string) => process.stderr.write(`ketbook grade: ${text}\n`);
  if (!hasNamespaces())
    warn(
      "this system cannot isolate processes (Linux can, through unshare); only Node's permissions restrict notebooks.",
    );
  mkdirSync(output, { recursive: true });
  const journal = openJournal(join(output, "grades.part.jsonl"));
  const names = students === undefined ? undefined : readFileSync(students, "utf8").split(/\r?\n/);
  const grades = await gradeClass(folder, against, {
    limits: { seconds: timeout, megabytes: memory },
    ...(jobs !== undefined && { jobs }),
    ...(names && { students: names.map(name => name.trim().normalize()).filter(Boolean) }),
    ...{ journal, warn },
  });
  writeWhole(join(output, "grades.html"), gradesPage(grades));
  writeWhole(join(output, "grades.csv"), gradesCsv(grades));
  writeWhole(join(output, "grades.json"), gradesJson(grades));
  journal.remove();
  process.stdout.write(`${gradesText(grades)}\nGrades: ${join(output, "grades.html")}, .csv and .json\n`);
}

const numberFrom = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (!(value >= least && value <= most))
    throw new InvalidArgumentError(`Give a number from ${least} to ${most}.`);
  return value;
};
