import { readFileSync } from "node:fs";
import { visible } from "../display/index.ts";
import { StoreError } from "../service/storage-errors.ts";

const MAX_STUDENTS = 10_000;
const MAX_BYTES = 10_000_000;
const MAX_NAME_LENGTH = 100;
const MAX_PROBLEMS = 10;

/** Titles of the column that names students, the first that is there. */
const NAME_TITLES = ["user", "username", "student", "login", "name", "email"];

/** Reads a table of RFC 4180 as rows with the numbers of their lines; commas or semicolons part its fields. */
export function readCsv(file: string): { line: number; fields: string[] }[] {
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
 * first one if it has no titles. Throws a `StoreError` that lists what is wrong, by lines.
 */
export function readRoster(file: string): string[] {
  const rows = readCsv(file);
  const titles = rows[0]?.fields.map(title => title.trim().toLowerCase()) ?? [];
  const title = NAME_TITLES.find(each => titles.includes(each));
  const column = title === undefined ? 0 : titles.indexOf(title);
  const problems: string[] = [];
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
