import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { Command } from "commander";
import { visible } from "../display/index.ts";
import { csvField, rowsToCsv } from "../results/index.ts";
import { addStudents, endClass, reportClass, StoreError, toMicro } from "../service/index.ts";
import { say } from "./explained.ts";
import { actor, credits, type KeyOptions, limitsOf, withKeyOptions } from "./options.ts";
import { notEmpty, type Place, withMadeStore, withPlace, withStore } from "./place.ts";

/** Budget of a student by default: megabytes, and unfinished jobs. */
const DEFAULTS = { storage: 50, waiting: 50 };

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
    .requiredOption(
      "--from <file>",
      "CSV with a student per line, or a column user, username, student, login, name or email",
    )
    .option("--name <class>", "name of the class (default: that of the file)", notEmpty)
    .option("--credits <number>", "credits of each student, which nobody else can spend", credits, 50)
    .addHelpText("after", "\nStudents who have a valid key already are left as they are.")
    .action((options: CreateOptions) =>
      withMadeStore("class create", options, async store => {
        const { from, name = basename(from, extname(from)), tier, allow, expires: expiresAt } = options;
        if (allow) (await import("./device.ts")).checkPatterns(options);
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
        const keys = made === 1 ? "1 key was" : `${made} keys were`;
        say("class", `${keys} made for the class ${visible(name)}.${kept}${shown}`);
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
        if (unknown.length > 0) say("class", `Graded, but not in the class: ${visible(unknown.join(", "))}`);
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

const MAX_STUDENTS = 10_000;
const MAX_BYTES = 10_000_000;
const MAX_NAME_LENGTH = 100;
const MAX_PROBLEMS = 10;

/** Titles of the column that names students; the first one found is used. */
const NAME_TITLES = ["user", "username", "student", "login", "name", "email"];

/** Reads a table of RFC 4180 as rows with the numbers of their lines; commas or semicolons part its fields. */
function readCsv(file: string): { line: number; fields: string[] }[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new StoreError(`${visible(file)} cannot be read: ${(error as Error).message}.`);
  }
  if (bytes.length > MAX_BYTES) throw new StoreError(`${visible(file)} has more than ${MAX_BYTES} bytes.`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new StoreError(`${visible(file)} is not UTF-8 text. Save it as CSV in UTF-8.`);
  }
  const first = text.split("\n", 1)[0]!;
  const separator = first.includes(";") && !first.includes(",") ? ";" : ",";
  const field = new RegExp(`("(?:[^"]|"")*"|[^"${separator}\\r\\n]*)(${separator}|\\r\\n|\\n|\\r|$)`, "y");
  const rows: { line: number; fields: string[] }[] = [];
  let line = 1;
  let row = { line, fields: [] as string[] };
  while (field.lastIndex < text.length) {
    const [whole, content, end] = field.exec(text) ?? [];
    if (whole === undefined)
      throw new StoreError(
        `Line ${line} of ${visible(file)} has a stray quotation mark. Nothing was changed.`,
      );
    row.fields.push(content!.startsWith('"') ? content!.slice(1, -1).replaceAll('""', '"') : content!);
    line += whole.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end === separator) continue;
    rows.push(row);
    row = { line, fields: [] };
  }
  if (row.fields.length > 0) rows.push(row);
  return rows.filter(({ fields }) => fields.some(each => each.trim() !== ""));
}

/**
 * Reads the names of students from a CSV file: of its column `user`, `username`, `student`, `login`, `name` or `email`, or of its
 * only one, which needs no title. Throws a `StoreError` that lists what is wrong, by lines.
 */
export function readRoster(file: string): string[] {
  const rows = readCsv(file);
  const titles = rows[0]?.fields.map(title => title.trim().toLowerCase()) ?? [];
  const title = NAME_TITLES.find(each => titles.includes(each));
  const column = title === undefined ? 0 : titles.indexOf(title);
  const problems: string[] = [];
  if (title === undefined && titles.length > 1)
    problems.push(`line 1 names none of the columns ${NAME_TITLES.join(", ")}`);
  const lines = new Map<string, number>();
  const names = rows.slice(title === undefined ? 0 : 1).map(({ line, fields }) => {
    const name = (fields[column] ?? "").trim().normalize();
    const key = name.normalize("NFKC").toLowerCase();
    const problem = lines.has(key) ? `is on line ${lines.get(key)} already` : problemOf(name);
    if (problem)
      problems.push(`line ${line}: ${JSON.stringify(visible(name.slice(0, MAX_NAME_LENGTH)))} ${problem}`);
    lines.set(key, line);
    return name;
  });
  if (names.length === 0) problems.push("it has no students");
  if (names.length > MAX_STUDENTS)
    problems.unshift(`it has ${names.length} students, at most ${MAX_STUDENTS}`);
  if (problems.length === 0) return names;
  const more = problems.length > MAX_PROBLEMS ? [`and ${problems.length - MAX_PROBLEMS} more`] : [];
  throw new StoreError(
    `${visible(file)} is not a roster, and no key was made:\n${[...problems.slice(0, MAX_PROBLEMS), ...more].join("\n")}`,
  );
}

function problemOf(name: string): string | undefined {
  if (name === "") return "is empty";
  if (name.length > MAX_NAME_LENGTH) return `has more than ${MAX_NAME_LENGTH} characters`;
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return "has invisible characters";
  if (/^[=+\-@'＝＋－＠]/.test(name)) return "begins as a formula of a spreadsheet";
  return undefined;
}
