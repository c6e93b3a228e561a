import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Notebook } from "../../../src/ipynb/format.ts";
import { releaseNotebook, repeatedExercises } from "../../../src/ipynb/release.ts";
import { notebookText } from "../../../src/ipynb/text.ts";
import { cell, course, solution } from "./class.ts";

const release = (...sources: Notebook["cells"]) => releaseNotebook({ metadata: {}, cells: sources }).cells;

test("the students' copy has no solutions, hidden tests and outputs", () => {
  const before = structuredClone(course);
  before.cells[2] = {
    ...before.cells[2]!,
    outputs: [{ output_type: "stream", name: "stdout", text: "printed" }],
  } as never;
  const text = notebookText(releaseNotebook(before));
  expect(text).not.toMatch(/SOLUTION|HIDDEN|hidden = 42|cx q\[0\]|printed/);
  expect(text).toContain("// Write your answer here.");
});

test("nbgrader's metadata and ids are kept", () => {
  const released = releaseNotebook(course);
  expect(released.cells.map(({ id, metadata }) => ({ id, metadata }))).toEqual(
    course.cells.map(({ id, metadata }) => ({ id, metadata })),
  );
});

test("what stands around a solution stays, and the stub is as far from the left", () => {
  const [released] = release(
    cell("function f() {\n  // ### BEGIN SOLUTION\n  return 1;\n  // ### END SOLUTION\n}"),
  );
  expect(released!.source).toBe("function f() {\n  // Write your answer here.\n}");
});

test("a solution without markers is emptied", () => {
  const [released, prose] = release(cell("const x = 1;", solution("a")), {
    ...{ cell_type: "markdown", id: "b", source: "Because it is 1." },
    metadata: { nbgrader: solution("b") as never },
  });
  expect(released!.source).toBe("// Write your answer here.");
  expect(prose!.source).toBe("YOUR ANSWER HERE");
});

test.each([
  "### BEGIN SOLUTION\nx",
  "x\n### END SOLUTION",
  "### BEGIN SOLUTION\n### END HIDDEN TESTS",
  "### BEGIN SOLUTION\n### BEGIN SOLUTION",
])("a marker without its other half is refused: %j", source =>
  expect(() => release(cell("1"), cell(source))).toThrow(/Cell 2: .*(has no other half|has no ### END)/),
);

test("outputs stay up to the first answer, of cells that were run in order", () => {
  const shown = (source: string, count: number, nbgrader?: object) =>
    ({
      ...cell(source, nbgrader),
      execution_count: count,
      outputs: [{ output_type: "stream", name: "stdout", text: `of ${count}` }],
    }) as Notebook["cells"][0];
  const released = release(
    ...[
      shown("1", 1),
      shown("2", 9),
      shown("3", 3),
      shown("let x;\n// ### BEGIN SOLUTION\n// ### END SOLUTION", 4),
    ],
    shown("x", 5),
  );
  const kept = released.map(each => each.cell_type === "code" && each.outputs.length > 0);
  expect(kept).toEqual([true, false, true, false, false]);
});

test("markers are found in any case and as plain comments, and have lines of their own", () => {
  for (const [begin, end] of [
    ["// BEGIN SOLUTION", "// END SOLUTION"],
    ["  // ### begin solution", "  // ### end solution"],
    ["# BEGIN SOLUTION", "# END SOLUTION"],
  ]) {
    const [released] = release(cell(`let x;\n${begin}\nx = 42;\n${end}`));
    expect(released!.source).not.toContain("42");
    expect(released!.source).toContain("Write your answer here.");
  }
  expect(() => release(cell("let x = 1; // ### BEGIN SOLUTION\nx = 2;\n// ### END SOLUTION"))).toThrow(
    "must be on a separate line",
  );
});

test("a course is released without its executed copies, and says where nothing was marked", () => {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-course-"));
  try {
    const plain = notebookText({ metadata: {}, cells: [cell("1 + 1")] });
    for (const name of ["a.ipynb", "a.executed.ipynb"]) writeFileSync(join(folder, name), plain);
    const command = ["dist/cli.js", "course", "release", folder, join(folder, "out")];
    const said = execFileSync(process.execPath, command, { encoding: "utf8" });
    expect(said).toContain("Nothing was marked to be removed in a.ipynb");
    expect(readdirSync(join(folder, "out"))).toEqual(["a.ipynb"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("exercises that a notebook sets more than once are named", () => {
  const cells = ['exercise("a", {})', 'exercise("b", {});\nexercise("a", {})'].map(source => cell(source));
  expect(repeatedExercises({ metadata: {}, cells })).toMatch(/^More than one exercise is called a, and only/);
  expect(repeatedExercises({ metadata: {}, cells: cells.slice(1) })).toBeUndefined();
});

test("the built-in course is copied without its solutions, and existing files are kept", () => {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-course-"));
  try {
    writeFileSync(join(folder, "10-grover.ipynb"), "mine");
    const copied = execFileSync(process.execPath, ["dist/cli.js", "course", "copy", folder], {
      encoding: "utf8",
    });
    expect(copied).toContain("Already there, and kept: 10-grover.ipynb");
    expect(readFileSync(join(folder, "10-grover.ipynb"), "utf8")).toBe("mine");
    const lessons = readdirSync(folder).filter(name => name.endsWith(".ipynb") && !name.startsWith("10"));
    expect(lessons).toHaveLength(25);
    for (const name of lessons) {
      const text = readFileSync(join(folder, name), "utf8");
      expect(text).toContain("// Write your answer here.");
      expect(text).not.toContain("SOLUTION");
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
