import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useOwnService } from "../notebook/own-service.ts";
import { type Cell, execute, faultsOf } from "./executed.ts";

useOwnService();

const root = join(import.meta.dirname, "../..");
const notebooks = join(root, "notebooks");

const kinds = (cell: Cell | undefined) =>
  (cell?.outputs ?? []).flatMap(output => Object.keys(output.data ?? {}));

test.each(readdirSync(notebooks).filter(name => name.endsWith(".ipynb")))(
  "every cell of %s runs and shows something",
  name => {
    const { cells, html } = execute(join(notebooks, name));
    const silent = cells.filter(cell => cell.cell_type === "code" && !/^import /.test(cell.source.join("")));
    for (const cell of silent) expect(cell.outputs, cell.source.join("")).not.toEqual([]);
    expect(faultsOf(cells)).toEqual([]);
    expect(html).toContain("<!doctype html>");
  },
  240_000,
);

test("the tour shows circuits, tables, cards and charts", () => {
  const { cells } = execute(join(notebooks, "tour.ipynb"));
  const shown = (id: string) => kinds(cells.find(cell => cell.id === id));
  for (const id of ["bell", "devices", "filter", "prepared", "job", "teleport"])
    expect(shown(id)).toContain("text/html");
  for (const id of ["run", "exact", "submit", "teleport-run", "loops"]) {
    expect(shown(id)).toEqual(expect.arrayContaining(["application/vnd.vegalite.v5+json", "image/png"]));
  }
}, 240_000);

test("the examples of the README run in a notebook, one after the other", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  expect(examples.length).toBeGreaterThanOrEqual(3);
  const path = join(notebooks, "out", "readme.ipynb");
  mkdirSync(join(notebooks, "out"), { recursive: true });
  const cells = examples.map((source, index) => ({
    cell_type: "code",
    id: `example-${index}`,
    metadata: {},
    execution_count: null,
    outputs: [],
    source,
  }));
  writeFileSync(path, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
  const executed = execute(path);
  expect(kinds(executed.cells[0])).toContain("application/vnd.vegalite.v5+json");
  expect(kinds(executed.cells[1])).toContain("text/html");
}, 120_000);
