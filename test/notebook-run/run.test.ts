import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { isNotebook } from "./nbformat.ts";
import {
  code,
  displayable,
  type FileCell,
  finished,
  notebookFile,
  prose,
  sourceFile,
  startCli,
  workspace,
} from "./support.ts";

const rich = `require(${sourceFile("kernels/last-expression.ts")}).installRichDisplay();`;
const bundle = `{
  "application/vnd.vegalite.v5+json": { mark: "bar", data: { values: [1, 2] } },
  "image/png": "iVBORw0KGgo=",
  "text/plain": "00 ████\\n11 ███"
}`;

describe("ketbook run", () => {
  test("executes the cells in order and writes a valid notebook and a page", async () => {
    const work = workspace(
      notebookFile(
        prose("# Title\n\nProse."),
        code("const n = 20;\nconsole.log('a');\nconsole.log('b');\nconsole.error('c');"),
        code("  \n"),
        code("n + 1"),
        code("const later: number = await new Promise(done => setTimeout(done, 20, n * 2));\nlater"),
        code(`${rich}\n${displayable(bundle)}`),
        code(displayable('{ "text/html": "<b>bold</b>", "text/plain": "bold" }')),
      ),
    );
    const { code: exit, stdout, stderr } = await work.run();
    expect(stderr).toBe("");
    expect(exit).toBe(0);
    expect(stdout.trim().split("\n")).toEqual([
      expect.stringMatching(/^\[1\/5\] Title … \d+\.\d s$/),
      expect.stringMatching(/^\[2\/5\] n \+ 1 … /),
      expect.stringMatching(/^\[3\/5\] const later/),
      expect.stringMatching(/^\[4\/5\] /),
      expect.stringMatching(/^\[5\/5\] /),
      expect.stringMatching(/^Notebook: .*out\/done\.ipynb$/),
      expect.stringMatching(/^Page: {5}.*out\/done\.html$/),
    ]);

    expect(isNotebook(work.file()), JSON.stringify(isNotebook.errors)).toBe(true);
    const [, first, empty, second, third, chart, table] = work.cells();
    expect(first?.outputs).toEqual([
      { output_type: "stream", name: "stdout", text: ["a\n", "b\n"] },
      { output_type: "stream", name: "stderr", text: ["c\n"] },
    ]);
    expect(empty).toMatchObject({ execution_count: null, outputs: [] });
    expect(second).toMatchObject({
      execution_count: 2,
      outputs: [{ output_type: "execute_result", data: { "text/plain": ["21"] } }],
    });
    expect(third?.outputs).toMatchObject([{ data: { "text/plain": ["40"] } }]);
    expect(chart?.outputs).toEqual([
      {
        output_type: "execute_result",
        execution_count: 4,
        metadata: {},
        data: {
          "application/vnd.vegalite.v5+json": { mark: "bar", data: { values: [1, 2] } },
          "image/png": "iVBORw0KGgo=",
          "text/plain": ["00 ████\n", "11 ███"],
        },
      },
    ]);
    expect(table?.outputs).toMatchObject([{ data: { "text/html": ["<b>bold</b>"] } }]);

    const page = work.page();
    expect(page).toContain('<img src="data:image/png;base64,iVBORw0KGgo=" alt="00 ████\n11 ███">');
    expect(page).toContain("<b>bold</b>");
    expect(work.temporaryFiles()).toEqual([]);
  });

  test("ends at a failing cell with exit code 1, says which and why, and keeps what was done", async () => {
    const work = workspace(
      notebookFile(
        code("console.log('fine')"),
        code(
          "// Too many qubits\nfunction boom(): never {\n  console.error('careful');\n  throw new RangeError('40 qubits');\n}\nboom();",
        ),
        code("console.log('never')"),
      ),
    );
    const { code: exit, stderr, stdout } = await work.run();
    expect(exit).toBe(1);
    expect(stderr).toBe("Cell 2 failed (Too many qubits)\nRangeError: 40 qubits\n");
    expect(stdout).toContain("Notebook: ");
    expect(isNotebook(work.file()), JSON.stringify(isNotebook.errors)).toBe(true);
    const [first, failed, never] = work.cells();
    expect(first?.outputs).toHaveLength(1);
    expect(failed?.outputs).toMatchObject([
      { output_type: "stream", name: "stderr", text: ["careful\n"] },
      { output_type: "error", ename: "RangeError", evalue: "40 qubits" },
    ]);
    const traceback = stripVTControlCharacters(failed?.outputs[1].traceback.join("\n"));
    expect(traceback).toContain("Cell [2], line 4, in boom\n");
    expect(traceback).toContain("> 4 |   throw new RangeError('40 qubits');\n");
    expect(traceback).toContain("> 6 | boom();\n");
    expect(traceback).not.toMatch(/tslab|node:/);
    expect(never).toMatchObject({ execution_count: null, outputs: [] });
    expect(work.page()).toContain("<strong>RangeError</strong> 40 qubits");
  });

  test("takes the tslab that is nearest to the notebook, and says what its kernel said when it doesn't start", async () => {
    const work = workspace(notebookFile(code("1")));
    const installed = join(work.folder, "node_modules", "tslab");
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, "package.json"), '{ "version": "0.0.1", "bin": { "tslab": "start.cjs" } }');
    writeFileSync(join(installed, "start.cjs"), 'console.error("no TypeScript here"); process.exit(7);');
    const { code: exit, stderr } = await work.run("--kernel", "tslab");
    expect(exit).toBe(1);
    expect(stderr).toBe(
      "ketbook run: The tslab kernel ended at its start (exit code 7).\nno TypeScript here\n",
    );
    expect(work.temporaryFiles()).toEqual([]);
  });
});

describe("one long notebook, by `ketbook run --allow-errors` without a reader", () => {
  const show = sourceFile("kernels/show.ts");
  const parts = {
    live: [
      code(`${rich}
let step = 0;
const settling = {
  [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "step " + step }),
  settled: () => new Promise<void>(done => setTimeout(() => { step = 1; done(); }, 1500)),
};
settling`),
      code(`const live = require(${sourceFile("kernels/live.ts")}).live();
for (let i = 0; i < 3; i += 1) {
  live.update(${displayable('{ "text/plain": "progress " + i }')});
  await new Promise(done => setTimeout(done, 100));
}
live.clear();`),
      code(`require(${show}).show(${displayable('{ "text/plain": "shown by itself" }')})`),
    ],
    long: [code("for (let i = 0; i < 6; i += 1) console.log('x'.repeat(5e6));"), code("'next'")],
    lines: [code("for (let i = 0; i < 20_000; i += 1) console.log(i);")],
    errors: [
      code("const wrong: number = 'text';\nmissing;", { tags: ["raises-exception"] }),
      code("throw 'just text'"),
      code("await Promise.reject(new TypeError('late'))"),
      code("JSON.parse('{')"),
      code("require('fs').readdirSync('/nowhere')"),
      code("'still here'"),
    ],
    folder: [code("process.cwd()")],
  };
  const work = workspace(notebookFile(...Object.values(parts).flat()));
  let exit: number | null;
  const cells = {} as Record<keyof typeof parts, FileCell[]>;

  beforeAll(async () => {
    const child = startCli(["run", join(work.folder, "test.ipynb"), "--allow-errors"]);
    child.stdout?.destroy();
    ({ code: exit } = await finished(child));
    const all = JSON.parse(readFileSync(join(work.folder, "test.executed.ipynb"), "utf8")).cells;
    for (const part of Object.keys(parts) as (keyof typeof parts)[])
      cells[part] = all.splice(0, parts[part].length);
  });

  test("continues when nobody reads what it reports", () => {
    expect(exit).toBe(0);
  });

  test("replaces shown outputs in place, waits for pending ones and drops cleared ones", () => {
    const [first, second, third] = cells.live;
    expect(first?.outputs).toMatchObject([
      { output_type: "display_data", data: { "text/plain": ["step 1"] }, metadata: {} },
    ]);
    expect(second?.outputs).toEqual([]);
    expect(third?.outputs).toMatchObject([{ data: { "text/plain": ["shown by itself"] } }]);
  });

  test("continues after a cell that may fail, and says line and column of what doesn't compile", () => {
    const [compile, thrown, late, parsed, system, last] = cells.errors;
    expect(compile?.outputs).toMatchObject([
      {
        ename: "TypeScriptError",
        evalue: "line 1:7 - Type 'string' is not assignable to type 'number'. (TS2322) (and 1 more)",
      },
    ]);
    expect(thrown?.outputs).toMatchObject([{ ename: "Error", evalue: "just text" }]);
    expect(late?.outputs).toMatchObject([{ ename: "TypeError", evalue: "late" }]);
    expect(parsed?.outputs).toMatchObject([
      { ename: "SyntaxError", evalue: expect.stringMatching(/^Expected property name/) },
    ]);
    expect(system?.outputs).toMatchObject([
      { ename: "Error", evalue: expect.stringMatching(/^ENOENT: no such file/) },
    ]);
    expect(last?.outputs).toMatchObject([{ data: { "text/plain": ["still here"] } }]);
  });

  test("cuts what a cell puts out beyond 20 MB and says so", () => {
    const [cell, next] = cells.long;
    expect(cell?.outputs.at(-1).text).toContain("[What this cell puts out beyond 20 MB is left out.]\n");
    expect(JSON.stringify(cell).length).toBeLessThan(21e6);
    expect(next?.outputs).toHaveLength(1);
  });

  test("keeps every line of a cell that writes 20,000 of them in one turn", () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index}\n`);
    expect(cells.lines[0]?.outputs).toEqual([{ output_type: "stream", name: "stdout", text: lines }]);
  });

  test("works in the notebook's folder, and writes beside the notebook when nothing else is said", () => {
    expect(cells.folder[0]!.outputs[0].data["text/plain"][0]).toContain(work.folder.split("/").at(-1));
  });
});
