import { basename, extname } from "node:path";
import { Command } from "commander";
import { visible } from "../display/index.ts";
import { csvField, rowsToCsv } from "../results/index.ts";
import { addStudents, endClass, reportClass } from "../service/accounts/class.ts";
import { toMicro } from "../service/billing/credits.ts";
import { actor, checkPatterns, credits, type KeyOptions, limitsOf, withKeyOptions } from "./key-options.ts";
import { notEmpty } from "./not-empty.ts";
import { type Place, withPlace } from "./place.ts";
import { readCsv, readRoster } from "./roster.ts";
import { withStore } from "./store.ts";

/** Budget of a student by default: megabytes, and unfinished jobs. */
const DEFAULTS = { storage: 50, waiting: 50 };

/** `ketbook class`: makes, reports and ends the accounts of a class, whether or not the service runs. */
export function classCommand(): Command {
  return new Command("class")
    .description("make, report and end the accounts of a class")
    .addCommand(createCommand())
    .addCommand(reportCommand())
    .addCommand(endCommand());
}

interface CreateOptions extends KeyOptions {
  from: string;
  name?: string;
  credits: number;
}

const createCommand = () =>
  withKeyOptions(withPlace(new Command("create")), DEFAULTS)
    .description("make a key for each student of a roster, and print the keys as CSV, once")
    .requiredOption("--from <file>", "CSV with a student per line, or a column user, student, name or email")
    .option("--name <class>", "name of the class (default: that of the file)", notEmpty)
    .option("--credits <number>", "credits of each student, which nobody else can spend", credits, 50)
    .addHelpText("after", "\nStudents who have a valid key already are left as they are.")
    .action((options: CreateOptions) =>
      withStore("class create", options, async store => {
        const { from, name = basename(from, extname(from)), tier, allow, expires: expiresAt } = options;
        checkPatterns(options);
        const students = readRoster(from);
        const budget = { credits: toMicro(options.credits), ...limitsOf(options) };
        const request = { organization: name, grant: 0, budget, tier, allow, expiresAt, actor: actor() };
        let made = 0;
        process.stdout.write("user,apiKey\r\n");
        for await (const keys of addStudents(store, students, request, Date.now())) {
          process.stdout.write(keys.map(({ user, apiKey }) => `${csvField(user)},${apiKey}\r\n`).join(""));
          made += keys.length;
        }
        const kept = made < students.length ? ` ${students.length - made} students had one already.` : "";
        const shown = made > 0 ? " Keep them: they are shown this once only." : "";
        say(
          `${made === 1 ? "1 key was" : `${made} keys were`} made for the class ${visible(name)}.${kept}${shown}`,
        );
      }),
    );

interface ReportOptions extends Place {
  grades?: string;
  json?: boolean;
}

const reportCommand = () =>
  withPlace(new Command("report"))
    .description("print what each student has used as CSV, without keys")
    .argument("<class>", "name of the class")
    .option("--grades <file>", "grades.csv of ketbook grade, whose points are added")
    .option("--json", "print JSON")
    .action((name: string, { grades, json, ...place }: ReportOptions) =>
      withStore("class report", place, async store => {
        const marks = grades === undefined ? undefined : readMarks(grades);
        const rows = (await reportClass(store, name)).map(row => ({
          ...row,
          ...(marks && (marks.get(row.user) ?? { points: null, maxPoints: null })),
        }));
        process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : rowsToCsv(rows));
        const users = new Set(rows.map(({ user }) => user));
        const unknown = [...(marks?.keys() ?? [])].filter(student => !users.has(student));
        if (unknown.length > 0) say(`Graded, but not in the class: ${visible(unknown.join(", "))}`);
      }),
    );

/** Reads the points of each student in the grades of `ketbook grade`: the total, which comes last, or the sum. */
function readMarks(file: string): Map<string, { points: number; maxPoints: number }> {
  const [titles, ...rows] = readCsv(file).map(({ fields }) => fields);
  const at = (title: string) => titles?.indexOf(title) ?? -1;
  const columns = ["student", "notebook", "points", "max points"].map(at);
  if (columns.includes(-1))
    throw new Error(`${visible(file)} has no columns student, notebook, points and max points.`);
  const marks = new Map<string, { points: number; maxPoints: number }>();
  for (const row of rows) {
    const [name = "", notebook, points, maxPoints] = columns.map(column => row[column]);
    const student = name.normalize();
    const own = { points: Number(points), maxPoints: Number(maxPoints) };
    const sum = marks.get(student);
    const isTotal = !sum || notebook === "total";
    marks.set(
      student,
      isTotal ? own : { points: sum.points + own.points, maxPoints: sum.maxPoints + own.maxPoints },
    );
  }
  return marks;
}

const endCommand = () =>
  withPlace(new Command("end"))
    .description("revoke every key of a class; jobs, results and credits stay")
    .argument("<class>", "name of the class")
    .action((name: string, place: Place) =>
      withStore("class end", place, async store => {
        const keys = await endClass(store, name, Date.now(), actor());
        process.stdout.write(
          `${keys} keys of ${visible(name)} are revoked. Jobs and results stay: ketbook backup keeps a copy.\n`,
        );
      }),
    );

const say = (text: string) => process.stderr.write(`ketbook class: ${text}\n`);
