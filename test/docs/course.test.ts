import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cellsOf } from "./executed.ts";

const course = join(import.meta.dirname, "../../notebooks/course");
const lessons = readdirSync(course)
  .filter(name => name.endsWith(".ipynb"))
  .sort();

test("lessons are numbered from 1 without a gap", () => {
  expect(lessons.map(name => Number(name.slice(0, 2)))).toEqual(lessons.map((_, index) => index + 1));
});

test("README.md says how many lessons there are", () => {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  expect(readme).toContain(`[a course](notebooks/course) of ${lessons.length} notebooks`);
});

describe.each(lessons)("%s", name => {
  const cells = cellsOf(join(course, name));
  const prose = cells.filter(cell => cell.cell_type === "markdown").map(cell => cell.source.join(""));
  const code = cells.filter(cell => cell.cell_type === "code").map(cell => cell.source.join(""));

  test("begins with what one will learn, explains its figures, and ends with its sources", () => {
    expect(prose[0]).toMatch(
      new RegExp(`^# ${Number(name.slice(0, 2))} · .*minutes.*You will learn\n\n- `, "s"),
    );
    expect(prose.join("\n")).toContain("Wrong intuition");
    expect(prose.join("\n")).toContain("Reading the figure");
    expect(prose.at(-1)).toMatch(/^## Sources\n\n- /);
  });

  test("has exercises, whose solutions stand between the marks that a release cuts", () => {
    const all = code.join("\n");
    expect(all).toContain("exercise(");
    const answers = code.filter(cell => /^await check\(/m.test(cell));
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) expect(answer).toMatch(/### BEGIN SOLUTION\n[\s\S]*### END SOLUTION\n/);
  });

  test("declares each name in a single cell, as Deno's kernel requires", () => {
    const names = code.flatMap(cell =>
      [...cell.matchAll(/^(?:let|const|class|function) (\w+)/gm)].map(([, name]) => name),
    );
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("asserts its claims, on seeds that are fixed", () => {
    expect(code.join("\n").match(/\bassert\(/g)?.length).toBeGreaterThanOrEqual(3);
    for (const cell of code) if (/\.shots\((?!0\))/.test(cell)) expect(cell).toContain("seed");
  });
});
