import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { executeNotebook } from "../../src/cli/ipynb/execute.ts";
import type { CodeCell, Output } from "../../src/ipynb/format.ts";
import { parseNotebook } from "../../src/ipynb/parse.ts";
import { newFolder } from "../folder.ts";
import { code, displayable, notebookFile, sourceFile } from "../notebook-run/support.ts";

const install = `require(${sourceFile("kernels/last-expression.ts")}).installRichDisplay();`;

/** The cells of all tests, which run in one tslab in the order of the tests. */
const cells: string[] = [];
let outputs: Output[][] = [];

/** Adds cells to the notebook, and tests what they put out. */
function testCells(name: string, added: string[], look: (outputs: Output[][]) => void): void {
  const start = cells.length;
  cells.push(...added);
  test(name, () => look(outputs.slice(start, start + added.length)));
}

beforeAll(async () => {
  const notebook = parseNotebook(notebookFile(...cells.map(cell => code(cell))));
  const failure = await executeNotebook(notebook, { kernel: "tslab", folder: newFolder(), timeout: 30_000 });
  expect(failure?.error).toBeUndefined();
  outputs = notebook.cells.map(cell => (cell as CodeCell).outputs);
});

function stdout(text: string): Output {
  return { output_type: "stream", name: "stdout", text };
}

function plain(text: string, metadata = {}): Output {
  return { output_type: "display_data", data: { "text/plain": text }, metadata };
}

testCells(
  "3,000 values shown in one turn all arrive, in order",
  [
    `const { show } = require(${sourceFile("kernels/show.ts")});
for (let i = 0; i < 3000; i += 1) show(${displayable('{ "text/plain": String(i) }')});`,
    "'next'",
  ],
  ([shown, next]) => {
    expect(shown).toEqual(Array.from({ length: 3000 }, (_, index) => plain(String(index))));
    expect(next).toEqual([stdout("next\n")]);
  },
);

// By default tslab's socket sends 512 messages a turn and keeps 1,000: the others get lost, with the one that ends the cell.
testCells(
  "all that a cell prints in one turn arrives, and the cell ends, also while the front end is paused",
  [
    "for (let i = 0; i < 600; i += 1) console.log(i);",
    `require("node:child_process").spawn("sh", ["-c", "sleep 0.5; kill -CONT " + process.ppid]);
process.kill(process.ppid, "SIGSTOP");
for (let i = 0; i < 1800; i += 1) console.log("x".repeat(9_999));`,
  ],
  ([printed, paused]) => {
    expect(printed).toEqual([stdout(Array.from({ length: 600 }, (_, index) => `${index}\n`).join(""))]);
    expect(paused).toEqual([stdout(`${"x".repeat(9_999)}\n`.repeat(1800))]);
  },
);

const following = `const { live } = require(${sourceFile("kernels/live.ts")});
let drawn = 0;
const view = (text: string) => ({ [Symbol.for("Jupyter.display")]: () => { drawn += 1; return { "text/plain": text }; } });
const following = live();
const begun = performance.now();
for (let i = 0; i <= 100; i += 1) { following.update(view("state " + i)); await new Promise(r => setTimeout(r, 10)); }
await new Promise(r => setTimeout(r, 300));
const seconds = (performance.now() - begun) / 1000;`;

testCells(
  "a live display changes one output in place, at most four times a second, and ends on its last state",
  [
    following,
    "drawn >= 4 && drawn <= 4 * seconds + 1",
    'const ending = live();\nending.update(view("working"));\nending.done(view("done"));\nending.update(view("too late"));',
    "live().clear();",
  ],
  ([followed, drawn, ended, silent]) => {
    expect(followed).toEqual([plain("state 100")]);
    expect(drawn).toEqual([stdout("true\n")]);
    expect(ended).toEqual([plain("done")]);
    expect(silent).toEqual([]);
  },
);

testCells(
  "a cell's last expression shows itself, from the installing cell on, and nothing else changes",
  [
    "let before = 1;",
    `const one = ${displayable('{ "text/plain": "one" }')};\n${install}\none`,
    "one",
    "one;\nconsole.log(1);\nnull",
    "undefined",
    "0",
    "({ a: 1 })",
    "const two = one;",
    "await new Promise(done => setTimeout(done, 10));\ntwo",
    "exports.hasOwnProperty('two') && String(exports)",
    "let one = 5;\none + 1",
    "Promise.resolve(1)",
  ],
  outputs => {
    expect(outputs).toEqual([
      [],
      [plain("one")],
      [plain("one")],
      [stdout("1\n")],
      [],
      [stdout("0\n")],
      [stdout("{ a: 1 }\n")],
      [],
      [plain("one")],
      [stdout("[object Object]\n")],
      [stdout("6\n")],
      [stdout("Promise { 1 }\n")],
    ]);
  },
);

testCells(
  "an object's shorthand reads variables of earlier cells, also of those before the installing one, as they are now",
  [
    "let after = 2;\nfunction twice(n: number) { return 2 * n; }\nconst process = 3;",
    "after = 4;\n({ before, after, twice: { twice }.twice(after), isGlobal: typeof globalThis.process })",
  ],
  ([, read]) => expect(read).toEqual([stdout("{ before: 1, after: 4, twice: 8, isGlobal: 'object' }\n")]),
);

testCells(
  "a value that can't make its bundle says so, and its metadata goes along when it has some",
  [
    `({ [Symbol.for("Jupyter.display")]: () => { throw new Error("no font"); } })`,
    `({
      [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "sized" }),
      [Symbol.for("ketbook.display.metadata")]: () => ({ "image/png": { width: 10 } }),
    })`,
  ],
  ([broken, sized]) => {
    expect(broken).toEqual([plain("This value could not be shown: no font")]);
    expect(sized).toEqual([plain("sized", { "image/png": { width: 10 } })]);
  },
);

const copy = newFolder();
for (const part of ["package.json", "src"])
  cpSync(fileURLToPath(new URL(`../../${part}`, import.meta.url)), join(copy, part), { recursive: true });
const second = JSON.stringify(join(copy, "src", "kernels", "last-expression.ts"));

testCells(
  "installing twice, from two copies of the library, shows a value once",
  [
    `${install}\nconsole.log(require(${second}).installRichDisplay());`,
    displayable('{ "text/plain": "once" }'),
  ],
  ([, shown]) => expect(shown).toEqual([plain("once")]),
);
