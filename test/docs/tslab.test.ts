import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { executeNotebook } from "../../src/cli/ipynb/execute.ts";
import { parseNotebook } from "../../src/ipynb/parse.ts";
import { notebookText } from "../../src/ipynb/text.ts";
import { committedNotebooks, NOTEBOOKS } from "../../tools/notebooks/outputs.ts";
import { useOwnService } from "../notebook/own-service.ts";
import { type Cell, cellsOf, faultsOf } from "./executed.ts";

useOwnService();

/** Ways in which code cells show themselves: a chart, something else, or nothing. */
const shapesOf = (cells: readonly Cell[]) =>
  cells
    .filter(({ cell_type }) => cell_type === "code")
    .map(({ id, outputs = [] }) => [
      id,
      outputs.map(({ data = {} }) => ("image/png" in data ? "chart" : "other")),
    ]);

test.each(committedNotebooks().filter(name => name !== "kernel.ipynb"))(
  "%s runs in tslab, and each cell shows what it is committed with",
  async name => {
    const path = join(NOTEBOOKS, name);
    const notebook = parseNotebook(readFileSync(path, "utf8"));
    const options = { kernel: "tslab", folder: dirname(path), timeout: 60_000 } as const;
    const failure = await executeNotebook(notebook, options);
    expect(failure?.error).toBeUndefined();
    const cells: Cell[] = JSON.parse(notebookText(notebook)).cells;
    expect(faultsOf(cells)).toEqual([]);
    expect(shapesOf(cells)).toEqual(shapesOf(cellsOf(path)));
  },
  120_000,
);

test("the notebook of Ketbook's own kernel says so in its first lines", () => {
  const [title] = parseNotebook(readFileSync(join(NOTEBOOKS, "kernel.ipynb"), "utf8")).cells;
  expect(title?.source).toMatch(/^# Ketbook's own kernel\n\nThis notebook runs only in Ketbook's kernel/);
});
