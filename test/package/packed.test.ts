import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useOwnService } from "../notebook/own-service.ts";
import { installPacked } from "./packed.ts";

useOwnService();

let folder: string;

beforeAll(async () => {
  folder = await installPacked();
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function node(...options: string[]): string {
  return execFileSync(process.execPath, options, { cwd: folder, encoding: "utf8" });
}

test("the packed library can be required and imported", () => {
  const names = "Object.keys(k).filter(n => typeof k[n] === 'function').sort().join()";
  const required = node("-e", `const k = require("ketbook"); console.log(${names})`);
  const imported = node("--input-type=module", "-e", `import * as k from "ketbook"; console.log(${names})`);
  for (const name of ["connect", "devices", "job", "qasm", "run"])
    expect(required.split(",")).toContain(name);
  expect(imported).toBe(required);
});

test("subpaths can be required and imported, and share the library's state", () => {
  const script = `import { createRequire } from "node:module";
    import { KetbookError } from "ketbook";
    import { fetchResult } from "ketbook/client";
    import { check, exercise } from "ketbook/course";
    const require = createRequire(import.meta.url);
    let refused;
    try { exercise("", {}); } catch (error) { refused = error instanceof KetbookError; }
    const same = [require("ketbook/client").fetchResult === fetchResult, require("ketbook/course").check === check];
    console.log(JSON.stringify([refused, ...same]));`;
  expect(JSON.parse(node("--input-type=module", "-e", script))).toEqual([true, true, true]);
});

test("importing the library loads none of its dependencies: they come when they are needed", () => {
  const script = `const loaded = [];
    require("node:module").registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    require("ketbook");
    console.log(loaded.join("\\n"));`;
  const loaded = node("-e", script).trim().split("\n");
  expect(loaded.filter(url => url.includes("/ketbook/dist/")).length).toBeGreaterThan(0);
  expect(loaded.filter(url => url.startsWith("file:") && !url.includes("/ketbook/dist/"))).toEqual([]);
  expect(loaded).not.toContain("node:sqlite");
  expect(loaded.filter(url => url.endsWith("/vega.js"))).toEqual([]);
});

test("the command line of the packed library says what it can do", () => {
  const help = node("node_modules/ketbook/dist/cli.js", "--help");
  for (const command of ["serve", "run", "kernel", "doctor"]) expect(help).toContain(command);
});

test("a tslab cell that uses the packed library has full types and shows a Bell histogram", () => {
  const source = `import { run } from "ketbook";
    const bell = 'OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;';
    await run(bell).on("svc:svc:sim:statevector").shots(1000)`;
  const wrong = 'run(bell).shots("many")';
  const cells = [source, wrong].map((text, index) => ({
    cell_type: "code",
    id: `cell-${index}`,
    metadata: {},
    execution_count: null,
    outputs: [],
    source: text,
  }));
  writeFileSync(
    join(folder, "bell.ipynb"),
    JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }),
  );
  const command = ["node_modules/ketbook/dist/cli.js", "run", "bell.ipynb", "--output", "out.ipynb"];
  const run = spawnSync(process.execPath, command, { cwd: folder, encoding: "utf8" });
  expect(run.stderr).toMatch(/Argument of type 'string' is not assignable to parameter of type 'number'/);
  expect(run.status).toBe(1);
  const [shown] = JSON.parse(readFileSync(join(folder, "out.ipynb"), "utf8")).cells;
  expect(Object.keys(shown.outputs[0].data)).toContain("application/vnd.vegalite.v5+json");
});
