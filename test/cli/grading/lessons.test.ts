import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { NotebookGrade } from "../../../src/cli/grading/grade-class.ts";
import type { Notebook } from "../../../src/ipynb/format.ts";
import { parseNotebook } from "../../../src/ipynb/parse.ts";
import { releaseNotebook } from "../../../src/ipynb/release.ts";
import { cell, writeNotebooks } from "./class.ts";

const root = mkdtempSync(join(tmpdir(), "ketbook-lessons-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const folder = join(import.meta.dirname, "../../../notebooks/course");
const lessons = readdirSync(folder)
  .filter(name => name.endsWith(".ipynb"))
  .map(name => ({ name, ...parseNotebook(readFileSync(join(folder, name), "utf8")) }));

/** The cells of code of a lesson without those that wait for anything but a check: a grade has no service. */
const codeOf = ({ cells }: Pick<Notebook, "cells">) =>
  cells.filter(({ cell_type, source }) => cell_type === "code" && !/\bawait (?!check\()/.test(source));

/** All lessons in one notebook. */
const solved: Notebook = {
  metadata: lessons[0]!.metadata,
  cells: lessons.flatMap(({ name, ...lesson }) =>
    codeOf(lesson).map(each => ({ ...each, id: `${name.slice(0, 2)}-${each.id}` })),
  ),
};

/** Their exercises, in a cell per lesson with its imports and the constants that one of them uses. */
const course: Notebook = {
  metadata: lessons[0]!.metadata,
  cells: lessons.map(lesson => {
    const sources = codeOf(lesson).map(({ source }) => source);
    return cell(
      sources.filter(source => /^(?:import |exercise\(|const (?:hydrogen|exact)\b)/m.test(source)).join("\n"),
    );
  }),
};

test("each lesson's solutions pass without a service, and its students' copy passes nothing", () => {
  writeNotebooks(join(root, "course"), { all: course });
  writeNotebooks(join(root, "class"), { solved, unanswered: releaseNotebook(solved) });
  const out = join(root, "out");
  const command = ["grade", join(root, "class"), "--against", join(root, "course"), "-o", out];
  execFileSync(process.execPath, ["dist/cli.js", ...command, "--timeout", "60"], { stdio: "pipe" });
  const grades: NotebookGrade[] = JSON.parse(readFileSync(join(out, "grades.json"), "utf8"));
  const passed = Object.fromEntries(
    grades.map(({ student, exercises }) => [student, exercises.filter(each => each.passed).length]),
  );
  const set = solved.cells.filter(({ source }) => /^exercise\(/m.test(source)).length;
  expect(set).toBeGreaterThanOrEqual(lessons.length);
  expect(passed).toEqual({ solved: set, unanswered: 0 });
}, 300_000);
