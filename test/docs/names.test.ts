import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import type { Notebook } from "../../src/ipynb/format.ts";
import { parseNotebook } from "../../src/ipynb/parse.ts";
import { lexicalNames, referencesIn } from "../../src/kernels/cells/scope.ts";
import { boundIn, type SyntaxNode } from "../../src/kernels/cells/syntax.ts";
import { markdownNotebook } from "../../tools/docs/pages.ts";
import { committedNotebooks } from "../../tools/notebooks/outputs.ts";

const root = join(import.meta.dirname, "../..");

/** Globals of Ketbook's kernel beyond those of Node, and names of programs in OpenQASM. */
const OWN = ["display", "widgets", "ghz"];

/** Cells in other languages, and commands of the kernel. */
const isOther = (source: string) => /^(?:%|\/\/ name: |OPENQASM )/m.test(source.split("\n", 2).join("\n"));

/** Returns the names that cells use and none of those before them declares. */
function undeclaredIn({ cells }: Notebook): string[] {
  const declared = new Set<string>(OWN);
  return cells.flatMap(({ cell_type, source }) => {
    if (cell_type !== "code" || isOther(source)) return [];
    const { program } = parseSync("cell.mjs", stripTypeScriptTypes(source));
    const body = program.body as unknown as SyntaxNode[];
    for (const statement of body) {
      for (const [name] of lexicalNames(statement)) declared.add(name);
      if (statement.type !== "ImportDeclaration") continue;
      for (const { local } of statement.specifiers as { local: SyntaxNode }[])
        for (const { name } of boundIn(local)) declared.add(name);
    }
    return referencesIn(body)
      .map(({ name }) => name)
      .filter(name => !declared.has(name) && !(name in globalThis));
  });
}

const pages = ["docs", "docs/guide"].flatMap(folder =>
  readdirSync(join(root, folder))
    .filter(name => name.endsWith(".md"))
    .map(name => `${folder}/${name}`),
);
const read = (path: string) => readFileSync(join(root, path), "utf8");
const notebooks: [string, Notebook][] = [
  ...pages.map((path): [string, Notebook] => [path, markdownNotebook(read(path))]),
  ...committedNotebooks().map((name): [string, Notebook] => [name, parseNotebook(read(`notebooks/${name}`))]),
];

// The site and the tests execute several of them in one kernel, where names of others would be found.
test.each(notebooks)("%s declares every name that its cells use", (_, notebook) => {
  expect(undeclaredIn(notebook)).toEqual([]);
});
