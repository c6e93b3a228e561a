import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import type { Notebook } from "../../src/ipynb/format.ts";
import { parseNotebook } from "../../src/ipynb/parse.ts";
import { notebookText } from "../../src/ipynb/text.ts";
import { useOwnData } from "../notebook/own-data.ts";
import { type Cell, cellsOf, faultsOf } from "./executed.ts";

useOwnData();

const root = join(import.meta.dirname, "../..");
const names = readdirSync(join(root, "notebooks")).filter(name => name.endsWith(".ipynb"));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const examples = [...read("README.md").matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);

const kinds = (cell: Cell | undefined) =>
  (cell?.outputs ?? []).flatMap(output => Object.keys(output.data ?? {}));

const executed = new Map<string, Cell[]>();
let page: string;

/** Executes notebooks one after the other in one kernel, which lets cells declare a name again, by the built command. */
beforeAll(async () => {
  const notebooks = names.map((name): [string, Notebook["cells"]] => [
    name,
    parseNotebook(read(`notebooks/${name}`)).cells,
  ]);
  notebooks.push([
    "README.md",
    examples.map((source, index) => ({
      ...{ cell_type: "code", id: `example-${index}`, metadata: {} },
      ...{ execution_count: null, outputs: [], source },
    })),
  ]);
  const cells = notebooks.flatMap(([name, own]) => own.map(cell => ({ ...cell, id: `${name}:${cell.id}` })));
  mkdirSync(join(root, "notebooks/out"), { recursive: true });
  const folder = mkdtempSync(join(root, "notebooks/out/executed-"));
  try {
    const [input, output, html] = ["all.ipynb", "executed.ipynb", "page.html"].map(name =>
      join(folder, name),
    );
    writeFileSync(input!, notebookText({ ...parseNotebook(read("notebooks/tour.ipynb")), cells }));
    const command = ["dist/cli.js", "run", input!, "--output", output!, "--html", html!, "--allow-errors"];
    await promisify(execFile)(process.execPath, command, { cwd: root });
    const done = cellsOf(output!);
    for (const [name, own] of notebooks) {
      const shown = done.splice(0, own.length);
      executed.set(
        name,
        shown.map((cell, index) => ({ ...cell, id: own[index]!.id })),
      );
    }
    page = readFileSync(html!, "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 600_000);

test.each(names)("every cell of %s runs and shows something", name => {
  const cells = executed.get(name)!;
  const silent = cells.filter(cell => cell.cell_type === "code" && !/^import /.test(cell.source.join("")));
  for (const cell of silent) expect(cell.outputs, cell.source.join("")).not.toEqual([]);
  expect(faultsOf(cells)).toEqual([]);
});

test("they are a page, too", () => {
  expect(page).toContain("<!doctype html>");
});

test("the tour shows circuits, tables, cards and charts", () => {
  const cells = executed.get("tour.ipynb")!;
  const shown = (id: string) => kinds(cells.find(cell => cell.id === id));
  for (const id of ["bell", "devices", "filter", "prepared", "job", "teleport"])
    expect(shown(id)).toContain("text/html");
  for (const id of ["run", "exact", "submit", "teleport-run", "loops"]) {
    expect(shown(id)).toEqual(expect.arrayContaining(["application/vnd.vegalite.v5+json", "image/png"]));
  }
});

test("the examples of the README run in a notebook, one after the other", () => {
  expect(examples.length).toBeGreaterThanOrEqual(3);
  const cells = executed.get("README.md")!;
  expect(faultsOf(cells)).toEqual([]);
  expect(kinds(cells[0])).toContain("application/vnd.vegalite.v5+json");
  expect(kinds(cells[1])).toContain("text/html");
});
