import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

/** Runs modules one after the other, those that connect to other services last, and prints the error of each that has one. */
const RUN_ALL = `
const errors = {};
for (const path of process.argv.slice(1)) await import(path).catch(error => (errors[path] = String(error.stack)));
process.stdout.write("\\n" + JSON.stringify(errors));`;

describe("the example of", () => {
  let errors: Record<string, string>;
  beforeAll(async () => {
    const connects = (path: string) => readFileSync(path, "utf8").includes("connect(");
    const connectingLast = files.map(([, path]) => path).sort((a, b) => +connects(a) - +connects(b));
    const options = ["--input-type=module", "-e", RUN_ALL, ...connectingLast];
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: root });
    errors = JSON.parse(stdout.slice(stdout.lastIndexOf("\n")));
  }, 120_000);

  test.each(files)("%s runs", (_, path) => {
    expect(errors[path]).toBeUndefined();
  });
});
