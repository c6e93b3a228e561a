import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check, checks, exercise } from "../../../src/course.ts";
import { circuits, qasm } from "../../../src/index.ts";
import { HEAD, variantsOf } from "./answer-variants.ts";
import { type Answer, answers, exact } from "./course-answers.ts";

const folder = join(import.meta.dirname, "../../../notebooks/course");
const lessons = readdirSync(folder).filter(name => name.endsWith(".ipynb"));
const sourcesOf = (name: string): string[] =>
  JSON.parse(readFileSync(join(folder, name), "utf8"))
    .cells.filter((cell: { cell_type: string }) => cell.cell_type === "code")
    .map((cell: { source: string[] }) => cell.source.join(""));
const setting = lessons.flatMap(sourcesOf).filter(source => /^exercise\(/m.test(source));
for (const source of setting)
  new Function("exercise", "checks", "qasm", "exact", source)(exercise, checks, qasm, exact);

test("every exercise of the course has its answers here", () => {
  const set = setting.map(source => /^exercise\("([^"]+)"/m.exec(source)![1]);
  expect(Object.keys(answers).sort()).toEqual(set.sort());
});

test("every lesson imports what its exercises tell to use", () => {
  for (const name of lessons) expect(sourcesOf(name)[0], name).toMatch(/\bhint\b/);
});

describe.each(Object.entries(answers))("%s", (id, { right, wrong }) => {
  const passes = async (answer: unknown) =>
    (await check(id, typeof answer === "string" && isProgram ? qasm(HEAD + answer) : (answer as Answer)))
      .passed;
  const isProgram = typeof right[0] === "string";
  test.each(right)("right: %s", async answer => expect(await passes(answer)).toBe(true));
  test.each(wrong)("wrong: %s", async answer => expect(await passes(answer)).toBe(false));
  test.each([...variantsOf(id, right[0]!, true), ...variantsOf(id, wrong.at(1)!, false)])(
    "with %s: %s",
    async (_, answer, isRight) => expect(await passes(answer)).toBe(isRight),
  );
});

test("every exercise has ten right and ten wrong answers", () => {
  for (const [id, { right, wrong }] of Object.entries(answers)) {
    const all = [...variantsOf(id, right[0]!, true), ...variantsOf(id, wrong.at(1)!, false)];
    const isNumber = typeof right[0] === "number";
    expect(right.length + all.filter(([, , isRight]) => isRight).length, id).toBeGreaterThan(
      isNumber ? 4 : 9,
    );
    expect(wrong.length + all.filter(([, , isRight]) => !isRight).length, id).toBeGreaterThan(9);
  }
});

test("the largest unitary can be sealed", () => {
  expect(checks.unitary(circuits.qft(8)).seal().length).toBeGreaterThan(500_000);
});

test("no target can be read where a check is sealed", () => {
  for (const source of setting) expect(source).not.toMatch(/checks\.unitary|checks\.number/);
  const text = checks.unitary(`${HEAD}qubit[2] q; cx q[0], q[1];`).seal();
  expect(text).not.toContain("cx");
  expect(atob(text.slice(8))).not.toContain("unitary");
  expect(() => checks.sealed(text.slice(0, -9))).toThrow(/not complete/);
  expect(() => checks.resources({ gates: 1 }).seal()).toThrow(/Resources has no target/);
});
