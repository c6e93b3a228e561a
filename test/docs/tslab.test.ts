import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
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

/** Executes notebooks one after the other in one tslab, which lets cells declare a name again. */
async function execute(names: readonly string[]): Promise<Cell[][]> {
  const notebooks = names.map(name => parseNotebook(readFileSync(join(NOTEBOOKS, name), "utf8")));
  const all = { ...notebooks[0]!, cells: notebooks.flatMap(({ cells }) => cells) };
  const options = { kernel: "tslab", folder: NOTEBOOKS, timeout: 60_000, allowErrors: true } as const;
  await executeNotebook(all, options);
  return notebooks.map(notebook => JSON.parse(notebookText(notebook)).cells);
}

describe("in tslab", () => {
  const names = committedNotebooks().filter(name => name !== "kernel.ipynb");
  const executed = new Map<string, Cell[]>();
  beforeAll(async () => {
    for (const [index, cells] of (await execute(names)).entries()) executed.set(names[index]!, cells);
  }, 600_000);

  test.each(names)(
    "%s runs, and each cell shows what it is committed with",
    async name => {
      // A retry executes its notebook alone.
      const cells = executed.get(name) ?? (await execute([name]))[0]!;
      executed.delete(name);
      expect(faultsOf(cells)).toEqual([]);
      expect(shapesOf(cells)).toEqual(shapesOf(cellsOf(join(NOTEBOOKS, name))));
    },
    120_000,
  );
});

test("the notebook of Ketbook's own kernel says so in its first lines", () => {
  const [title] = parseNotebook(readFileSync(join(NOTEBOOKS, "kernel.ipynb"), "utf8")).cells;
  expect(title?.source).toMatch(/^# Ketbook's own kernel\n\nThis notebook runs only in Ketbook's kernel/);
});
