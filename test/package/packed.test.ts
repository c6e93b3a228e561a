import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useOwnService } from "../notebook/own-service.ts";
import { installPacked } from "./packed.ts";

useOwnService();

const modules = join(import.meta.dirname, "../../node_modules");
let folder: string;

beforeAll(() => {
  folder = installPacked();
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

const compilers = {
  "tslab's own TypeScript, as tslab resolves them": {
    compiler: "@tslab/typescript-for-tslab/lib/tsc.js",
    uses: "",
    flags: "--target es2022 --lib es2022 --module commonjs --moduleResolution node10 --types node",
  },
  "the newest TypeScript": {
    compiler: "typescript/bin/tsc",
    uses: "export async function using(): Promise<void> { await using g = await group({}); await run('').in(g); }",
    flags: "--target es2024 --lib es2024,esnext.disposable,dom --module nodenext",
  },
};

test.each(Object.entries(compilers))("the types check under %s", (_, { compiler, flags, uses }) => {
  writeFileSync(
    join(folder, "cell.ts"),
    `import { devices, group, job, qasm, run, type Result } from "ketbook";
     ${uses}
     export async function cell(): Promise<string> {
       const bell = qasm\`h q[\${0}];\`;
       const result: Result = await run(bell).on("a:b:c:d").shots(10).options({ seed: 1 });
       const handle = await run(bell).submit();
       const [first] = await devices().filter({ deviceType: "QPU" }).filter(d => d.numberQubits! > 5);
       // @ts-expect-error shots takes a number
       run(bell).shots("many");
       const record = (await job(handle.qrn)).record;
       return result.counts["00"]!.toFixed() + first!.name + record.status;
     }`,
  );
  const options = [join(modules, compiler), "--noEmit", "--strict", ...flags.split(" "), "cell.ts"];
  const check = spawnSync(process.execPath, options, { cwd: folder, encoding: "utf8" });
  expect(check.stdout).toBe("");
  expect(check.status).toBe(0);
});

test("the types are small and name no other package", () => {
  const types = join(folder, "node_modules/ketbook/dist/index.d.ts");
  expect(readFileSync(types, "utf8")).not.toMatch(/from ["']|import\(/);
  expect(statSync(types).size).toBeLessThan(40_000);
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
