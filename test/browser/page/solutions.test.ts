import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildSite } from "../build-once.ts";

test("no file of the built site has a solution of the course", { timeout: 120_000 }, async () => {
  const course = new URL("../../../notebooks/course/", import.meta.url);
  const solutions = readdirSync(course)
    .filter(name => name.endsWith(".ipynb"))
    .flatMap(name =>
      Array.from(
        sourceOf(readFileSync(new URL(name, course), "utf8")).matchAll(
          /### BEGIN SOLUTION\n([\s\S]*?)\n\/\/ ### END/g,
        ),
        ([, text]) => text!,
      ),
    )
    .filter(solution => solution.length > 20);
  expect(solutions.length).toBeGreaterThan(12);
  const folder = await buildSite();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(each => each.isFile());
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    const text = readFileSync(path, "utf8");
    const read = path.endsWith(".ipynb") ? sourceOf(text) : text;
    const isScript = /\.(?:js|wasm)$/.test(path);
    if (!isScript) expect(text, path).not.toMatch(/###\s*(?:BEGIN|END)/);
    for (const solution of solutions) expect(read.includes(solution), `${path}: ${solution}`).toBe(false);
  }
});

const sourceOf = (notebook: string): string =>
  (JSON.parse(notebook) as { cells: { source: string[] }[] }).cells
    .map(({ source }) => source.join(""))
    .join("\n");
