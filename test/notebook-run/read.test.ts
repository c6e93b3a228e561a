import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadZeroMq } from "../../src/cli/ipynb/kernel-process.ts";
import { parseNotebook } from "../../src/ipynb/parse.ts";
import { notebookText } from "../../src/ipynb/text.ts";
import { newFolder } from "../folder.ts";
import { isNotebook } from "./nbformat.ts";
import { code, finished, notebookFile, startCli, workspace } from "./support.ts";

test.each([
  ["broken JSON", "{ nope", "This is not a notebook but broken JSON: "],
  ["another document", "[1, 2]", "This is not a Jupyter notebook: its `nbformat` is missing."],
  [
    "version 3",
    '{ "nbformat": 3, "worksheets": [] }',
    "This notebook is in format 3; only version 4 is read.",
  ],
  ["no cells", '{ "nbformat": 4 }', "This notebook has no list of cells."],
  ["a strange cell", notebookFile({ cell_type: "table" }), 'Cell 1 has the unknown type "table".'],
  [
    "a cell without text",
    notebookFile({ cell_type: "code", source: 5 }),
    "The source of cell 1 is not text.",
  ],
  [
    "another language",
    '{ "nbformat": 4, "cells": [], "metadata": { "kernelspec": { "language": "python" } } }',
    "This notebook is in python; only TypeScript and JavaScript can be executed.",
  ],
])("refuses %s with a clear message and exit code 1", async (_what, text, message) => {
  expect(() => parseNotebook(text)).toThrow(message);
});

test("says on the command line what is wrong with a notebook, and writes nothing", async () => {
  const work = workspace('{ "nbformat": 3, "worksheets": [] }');
  const { code: exit, stderr, stdout } = await work.run();
  expect(exit).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^ketbook run: .*test\.ipynb: This notebook is in format 3; .*\n$/);
  expect(existsSync(join(work.folder, "out"))).toBe(false);
  const missing = await finished(startCli(["run", join(work.folder, "nowhere.ipynb")]));
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no notebook at") });
});

test("keeps good cell ids, makes missing, broken and repeated ones, and drops unknown members", () => {
  const cells = [
    { ...code("1"), id: "keep-me_1" },
    { ...code("2"), id: "keep-me_1" },
    { ...code("3"), id: "not an id" },
    { ...code("4"), prompt_number: 7 },
    { cell_type: "markdown", metadata: {}, source: ["a\n", "b"], outputs: [] },
  ];
  const file = JSON.parse(notebookText(parseNotebook(notebookFile(...cells))));
  expect(isNotebook(file), JSON.stringify(isNotebook.errors)).toBe(true);
  const ids = file.cells.map((cell: { id: string }) => cell.id);
  expect(ids[0]).toBe("keep-me_1");
  expect(new Set(ids).size).toBe(5);
  expect(file.cells[4].source).toEqual(["a\n", "b"]);
});

test("says how to mend a zeromq that does not load", () => {
  expect(() => loadZeroMq(join(newFolder(), "package.json"))).toThrow(
    /zeromq.*does not load.*npm rebuild zeromq/s,
  );
});
