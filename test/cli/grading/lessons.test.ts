import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { NotebookGrade } from "../../../src/cli/grading/grade-class.ts";
import type { Notebook } from "../../../src/ipynb/format.ts";
import { parseNotebook } from "../../../src/ipynb/parse.ts";
import { releaseNotebook } from "../../../src/ipynb/release.ts";
import { writeNotebooks } from "./class.ts";

const root = mkdtempSync(join(tmpdir(), "ketbook-lessons-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const folder = join(import.meta.dirname, "../../../notebooks/course");
const lessons = readdirSync(folder)
  .filter(name => name.endsWith(".ipynb"))
  .map(name => ({ name, ...parseNotebook(readFileSync(join(folder, name), "utf8")) }));

/** All lessons in one notebook, without the cells that wait for anything but a check: a grade has no service. */
const course: Notebook = {
  metadata: lessons[0]!.metadata,
  cells: lessons.flatMap(({ name, cells }) =>
    cells
      .filter(({ cell_type, source }) => cell_type === "code" && !/\bawait (?!check\()/.test(source))
      .map(cell => ({ ...cell, id: `${name.slice(0, 2)}-${cell.id}` })),
  ),
};

test("each lesson's solutions pass without a service, and its students' copy passes nothing", () => {
  writeNotebooks(join(root, "course"), { all: course });
  writeNotebooks(join(root, "class"), { solved: course, unanswered: releaseNotebook(course) });
  const out = join(root, "out");
  const command = ["grade", join(root, "class"), "--against", join(root, "course"), "-o", out];
  execFileSync(process.execPath, ["dist/cli.js", ...command, "--timeout", "60"], { stdio: "pipe" });
  const grades: NotebookGrade[] = JSON.parse(readFileSync(join(out, "grades.json"), "utf8"));
  const passed = Object.fromEntries(
    grades.map(({ student, exercises }) => [student, exercises.filter(each => each.passed).length]),
  );
  const set = course.cells.filter(({ source }) => /^exercise\(/m.test(source)).length;
  expect(set).toBeGreaterThanOrEqual(lessons.length);
  expect(passed).toEqual({ solved: set, unanswered: 0 });
}, 300_000);
