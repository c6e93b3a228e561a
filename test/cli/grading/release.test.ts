import { expect, test } from "vitest";
import { releaseNotebook } from "../../../src/cli/grading/release.ts";
import type { Notebook } from "../../../src/ipynb/format.ts";
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
