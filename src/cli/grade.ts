import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { html, raw, table, visible } from "../display/index.ts";
import { rowsToCsv } from "../results/index.ts";
import { explained, say } from "./explained.ts";
import { type ExerciseGrade, gradeClass, type NotebookGrade, openJournal } from "./grading/grade-class.ts";
import { hasNamespaces } from "./grading/sandbox-process.ts";
import { writeWhole } from "./ipynb/notebook-file.ts";

interface GradeCommandOptions {
  against: string;
  output: string;
  timeout: number;
  memory: number;
  jobs?: number;
  students?: string;
}

export function gradeCommand(): Command {
  return new Command("grade")
    .description("grade the notebooks of a class by the exercises of a course")
    .argument("<folder>", "notebooks named for a student each, or in a folder for each student")
    .requiredOption("--against <course>", "the course's own notebook, or the folder of its notebooks")
    .option("-o, --output <folder>", "where grades.html, grades.csv and grades.json go", "grades")
    .option("--timeout <seconds>", "CPU time limit per notebook", numberFrom(1, 3600), 20)
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
    .action((folder: string, options: GradeCommandOptions) =>
      explained("grade", () => grade(folder, options)),
    );
}

async function grade(
  folder: string,
  { against, output, timeout, memory, jobs, students }: GradeCommandOptions,
): Promise<void> {
  const warn = (text: string) => say("grade", text);
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
  writeWhole(join(output, "grades.json"), `${JSON.stringify(grades, null, 2)}\n`);
  journal.remove();
  process.stdout.write(`${gradesText(grades)}\nGrades: ${join(output, "grades.html")}, .csv and .json\n`);
}

const numberFrom = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (!(value >= least && value <= most))
    throw new InvalidArgumentError(`Give a number from ${least} to ${most}.`);
  return value;
};

/**
 * Writes the grades of a class as a row for each notebook of a student, and a total for each student who has several. Control
 * characters are made visible, and text that a spreadsheet would take for a formula is escaped.
 */
function gradesCsv(grades: readonly NotebookGrade[]): string {
  const ids = exerciseIds(grades);
  const rows = [...Map.groupBy(grades, ({ student }) => student)].flatMap(([, own]) => [
    ...own.map(({ notebook, exercises, problems, ...grade }) => ({
      ...rowOf(grade, notebook),
      ...Object.fromEntries(ids.map(id => [`exercise ${id}`, exerciseOf({ exercises }, id)?.points])),
      problems: oneLine(problems.join(" ")),
    })),
    ...(own.length > 1 ? [rowOf(totalOf(own), "total")] : []),
  ]);
  return rowsToCsv(rows);
}

const exerciseIds = (grades: readonly NotebookGrade[]) => [
  ...new Set(grades.flatMap(({ exercises }) => exercises.map(({ exercise }) => exercise))),
];
const exerciseOf = ({ exercises }: Pick<NotebookGrade, "exercises">, id: string) =>
  exercises.find(({ exercise }) => exercise === id);

const oneLine = (text: string) => visible(text.replace(/\s+/g, " "));

const rowOf = (
  { student, points, maxPoints }: Pick<NotebookGrade, "student" | "points" | "maxPoints">,
  notebook: string,
) => ({ student: oneLine(student), notebook: oneLine(notebook), points, "max points": maxPoints });

/** Adds up the notebooks of a student. Of several copies of one, the best counts. */
function totalOf(grades: readonly NotebookGrade[]) {
  const copies = [...Map.groupBy(grades, ({ course }) => course).values()];
  const best = copies.map(same => same.reduce((a, b) => (b.points > a.points ? b : a)));
  return {
    student: grades[0]!.student,
    points: best.reduce((sum, { points }) => sum + points, 0),
    maxPoints: best.reduce((sum, { maxPoints }) => sum + maxPoints, 0),
  };
}

function gradesPage(grades: readonly NotebookGrade[]): string {
  const ids = exerciseIds(grades);
  const overview = table<NotebookGrade>({
    caption: "Grades",
    noun: "notebooks",
    limit: grades.length,
    rows: grades,
    columns: [
      { label: "Student", value: ({ student }) => student },
      { label: "Notebook", value: ({ notebook }) => notebook },
      {
        label: "Points",
        align: "right",
        value: ({ points, maxPoints }) => `${round(points)} / ${round(maxPoints)}`,
      },
      ...ids.map(id => ({ label: id, value: (grade: NotebookGrade) => mark(exerciseOf(grade, id)) })),
      { label: "Problems", value: ({ problems }) => (problems.length === 0 ? "" : String(problems.length)) },
    ],
  });
  const details = grades.map(
    ({ student, notebook, exercises, problems, notes }) =>
      html`<details><summary>${student}, ${notebook}</summary><ul>${exercises.map(
        ({ exercise, findings, passed }) =>
          html`<li>${passed ? "✓" : "✗"} <b>${exercise}</b>: ${findings
            .filter(one => one.passed === passed)
            .map(({ title, message }) => `${title}: ${message}`)
            .join(" ")}</li>`,
      )}${problems.map(problem => html`<li>${problem}</li>`)}${notes.map(
        note => html`<li>Not the student's: ${note}</li>`,
      )}</ul></details>`,
  );
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Grades</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color-scheme: light dark } summary { cursor: pointer }</style></head>
<body><h1>Grades</h1>${raw(overview.html)}<h2>What was found</h2>${details}</body></html>
`.toString();
}

const gradesText = (grades: readonly NotebookGrade[]): string =>
  grades
    .map(({ student, notebook, points, maxPoints, problems }) =>
      visible(
        `${student}  ${notebook}  ${round(points)} / ${round(maxPoints)}${problems.length > 0 ? `  ${problems.at(-1)}` : ""}`,
      ),
    )
    .join("\n");

const mark = (grade: ExerciseGrade | undefined) => (grade ? (grade.passed ? "✓" : "✗") : "");
const round = (points: number) => String(Math.round(points * 100) / 100);
