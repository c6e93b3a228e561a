import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { useOwnService } from "../notebook/own-service.ts";

useOwnService();

const root = join(import.meta.dirname, "../..");
mkdirSync(join(root, "notebooks/out"), { recursive: true });
const folder = mkdtempSync(join(root, "notebooks/out/examples-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The examples in the documentation of a source file, each under the first name that is declared below it. */
function examplesOf(path: string): [string, string][] {
  const comments = readFileSync(path, "utf8").matchAll(/\/\*\*\n((?: *\*.*\n)+?) *\*\/\n(.*)/g);
  return [...comments].flatMap(([, comment = "", below = ""]) => {
    const name = /(?:class|function|const|interface)? ?(\w+)[<(:{ ]/.exec(
      below.replace(/export |async /g, ""),
    )?.[1];
    const text = comment.replace(/^ *\* ?/gm, "");
    return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]): [string, string] => [
      name ?? below,
      code,
    ]);
  });
}

const folders = ["notebook", "client", "charts", "results"].map(name => join(root, "src", name));
const examples = folders
  .flatMap(folder =>
    readdirSync(folder, { encoding: "utf8", recursive: true })
      .filter(name => name.endsWith(".ts"))
      .map(name => join(folder, name)),
  )
  .flatMap(examplesOf);
const files = examples.map(([name, code], index) => {
  const path = join(folder, `${name}-${index}.mts`);
  writeFileSync(path, code);
  return [name, path] as const;
});

test("the ten most used names have an example in their documentation", () => {
  const names = new Set(examples.map(([name]) => name));
  const most = [
    "qasm",
    "run",
    "sweep",
    "devices",
    "device",
    "job",
    "jobs",
    "createGroup",
    "credits",
    "connect",
  ];
  expect(most.filter(name => !names.has(name))).toEqual([]);
});

test("the examples in the documentation are well typed", () => {
  const options = "--noEmit --strict --target es2024 --module nodenext --skipLibCheck --types node";
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const checked = () =>
    execFileSync(
      process.execPath,
      [compiler, "--ignoreConfig", ...options.split(" "), ...files.map(([, path]) => path)],
      {
        cwd: root,
        encoding: "utf8",
      },
    );
  expect(checked).not.toThrow();
});

test.each(files)("the example of %s runs", (_, path) => {
  execFileSync(process.execPath, [path], { cwd: root, encoding: "utf8" });
});
