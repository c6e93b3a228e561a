import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { newFolder } from "../folder.ts";
import { isNotebook } from "../notebook-run/nbformat.ts";
import { code, type FileCell, hasGone } from "../notebook-run/support.ts";
import { pathOf, unavailable } from "./available.ts";
import { closePages, workerBrowser } from "./browser.ts";
import { classicNotebook, jupyterEnvironment } from "./classic.ts";

afterAll(closePages);

const kernelspec = { name: "ketbook", display_name: "TypeScript (Ketbook)", language: "typescript" };
const cells = [
  "const rows = [{ n: 1 }, { n: 2 }];\nrows",
  "console.log(process.pid);\n({ rows })",
  "function fail(): never { throw new RangeError('no'); }\nfail();",
  "'goes on'",
  "OPENQASM 3.0;\nqubit q;\nreset q;",
];

function notebookIn(folder: string): string {
  const path = join(folder, "test.ipynb");
  const file = {
    nbformat: 4,
    nbformat_minor: 4,
    metadata: { kernelspec },
    cells: cells.map(each => code(each)),
  };
  writeFileSync(path, JSON.stringify(file));
  return path;
}

test.skipIf(unavailable("jupyter-nbconvert"))(
  "Debian's nbconvert executes a notebook, continues after an error, and leaves no kernel",
  async () => {
    const folder = newFolder();
    const path = notebookIn(folder);
    const options = ["--to", "notebook", "--execute", "--allow-errors", "--inplace", path];
    await promisify(execFile)(pathOf("jupyter-nbconvert")!, options, { env: jupyterEnvironment(folder) });
    const file = JSON.parse(readFileSync(path, "utf8"));
    const [table, shorthand, failed, after, program] = file.cells as FileCell[];
    expect([...file.cells].map(cell => cell.execution_count)).toEqual([1, 2, 3, 4, 5]);
    expect(table!.outputs[0].data["text/html"].join("")).toContain("<table");
    expect(shorthand!.outputs[1].data["text/plain"].join("")).toBe("{ rows: [ { n: 1 }, { n: 2 } ] }");
    expect(failed!.outputs).toMatchObject([{ output_type: "error", ename: "RangeError", evalue: "no" }]);
    expect(after!.outputs).toMatchObject([{ data: { "text/plain": ["goes on"] } }]);
    expect(program!.outputs[0].data).toHaveProperty("text/html");
    expect(await hasGone(Number(shorthand!.outputs[0].text[0]))).toBe(true);
    file.nbformat_minor = 5;
    for (const [index, cell] of file.cells.entries()) cell.id ??= `cell-${index}`;
    expect(isNotebook(file), JSON.stringify(isNotebook.errors)).toBe(true);
  },
  90_000,
);

test.skipIf(unavailable("jupyter-notebook", "chromium"))(
  "classic Notebook shows results, tables, errors and circuits, and interrupts a cell",
  async () => {
    const folder = newFolder();
    notebookIn(folder);
    const server = await classicNotebook(folder);
    const page = await (await workerBrowser()).newPage();
    try {
      const until = (script: string) => page.waitForFunction(script, undefined, { timeout: 60_000 });
      await page.goto(`${server.url}/notebooks/test.ipynb`);
      await until("window.Jupyter?.notebook?.kernel?.is_connected()");
      await page.evaluate("Jupyter.notebook.execute_all_cells()");
      await until("document.querySelectorAll('.output_error').length === 1");
      expect(await page.locator(".output_html table").count()).toBe(1);
      expect(await page.locator(".output_error").textContent()).toMatch(
        /RangeError: no[\s\S]*> 1 \| function fail/,
      );
      const counts = "Jupyter.notebook.get_cells().map(cell => cell.input_prompt_number ?? null)";
      await expect.poll(() => page.evaluate(counts)).toEqual([1, 2, 3, null, null]);
      await page.evaluate("Jupyter.notebook.execute_cells([3, 4])");
      await until("document.querySelector('.output_html img')?.naturalWidth > 0");

      const last = "Jupyter.notebook.get_cell(3)";
      await page.evaluate(`${last}.set_text('while (true);'); ${last}.execute()`);
      await until("Jupyter.notebook.kernel_busy");
      await new Promise(done => setTimeout(done, 300));
      await page.evaluate("Jupyter.notebook.kernel.interrupt()");
      await until(
        "[...document.querySelectorAll('.output_error')].some(e => e.innerText.includes('Interrupted'))",
      );
      await until("!Jupyter.notebook.kernel_busy");
      await new Promise(done => setTimeout(done, 500));
      await page.evaluate(`${last}.set_text('rows.length + 40'); ${last}.execute()`);
      await until("[...document.querySelectorAll('.output_result')].some(e => e.innerText.trim() === '42')");

      const typeset = async (text: string) => {
        await page.evaluate(`${last}.set_text(${JSON.stringify(text)}); ${last}.execute()`);
        await until(`!Jupyter.notebook.kernel_busy && ${last}.output_area.outputs[0]?.data["text/html"]`);
        await page.evaluate("new Promise(done => MathJax.Hub.Queue(done))");
        return page.evaluate(`${last}.element.find(".output_html .MathJax").length`);
      };
      expect(await typeset("display.html('<b>$x^2$</b>')")).toBe(1);
      expect(await typeset("[{ price: 'cost $5 to $6' }]")).toBe(0);
    } finally {
      await server.close();
    }
  },
  120_000,
);
