import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectKernel, type KernelClient } from "../../src/cli/ipynb/kernel.ts";
import { newConnection } from "../../src/cli/ipynb/kernel-process.ts";
import { npmInstall } from "./node-versions.ts";

const MAX_BYTES = 80e6;
const folder = mkdtempSync(join(tmpdir(), "ketbook-kernel-package-"));
const installed = join(folder, "node_modules/ketbook-kernel");
const shown: Record<string, unknown>[] = [];
let client: KernelClient;
let end = async () => {};

beforeAll(async () => {
  const built = execFileSync(process.execPath, ["tools/kernel-package/build.ts", folder], {
    encoding: "utf8",
  });
  npmInstall(folder, built.trim());
  const guide = readFileSync("docs/guide/kernel.md", "utf8");
  const [, language = ""] = /^```\n(export const languages[\s\S]*?)^```$/m.exec(guide) ?? [];
  writeFileSync(join(installed, "dist/cell-languages.js"), language);
  const prefix = join(folder, "prefix");
  execFileSync(process.execPath, [join(installed, "dist/cli.js"), "install", "--prefix", prefix]);
  const spec = JSON.parse(
    readFileSync(join(prefix, "share/jupyter/kernels/ketbook-kernel/kernel.json"), "utf8"),
  ) as { argv: string[] };
  const connection = await newConnection();
  const file = join(folder, "connection.json");
  writeFileSync(file, JSON.stringify(connection));
  const notebooks = join(folder, "notebooks");
  mkdirSync(notebooks);
  const [, ...args] = [...spec.argv, "--wait-for-types"].map(part => part.replace("{connection_file}", file));
  const kernel = spawn(process.execPath, args, { cwd: notebooks, stdio: "ignore" });
  const ended = once(kernel, "exit");
  client = connectKernel(createRequire(import.meta.url)("zeromq"), connection, ({ content }) => {
    if (content?.data) shown.push(content.data as Record<string, unknown>);
  });
  end = async () => {
    client.shutdown();
    await ended;
    client.close();
  };
  await client.ready();
}, 300_000);

afterAll(async () => {
  await end();
  rmSync(folder, { recursive: true, force: true });
});

const run = (code: string) => client.execute(code).done;

test("the kernel's own package runs and checks cells", async () => {
  expect(await run("const numbers: number[] = [1, 2];\nnumbers.length + 1")).toMatchObject({ status: "ok" });
  expect(shown.pop()).toEqual({ "text/plain": "3" });
  expect(await run('const wrong: number = "text";')).toMatchObject({ ename: "TypeScriptError" });
});

test("its cells display values, by the global and by an import", async () => {
  const code = 'import { display as shows, type DisplayHandle } from "ketbook-kernel";\n';
  const use = 'const handle: DisplayHandle = display.html("<b>here</b>");\nshows === display';
  expect(await run(code + use)).toMatchObject({ status: "ok" });
  expect(shown.splice(0)).toMatchObject([{ "text/html": "<b>here</b>" }, { "text/plain": "true" }]);
});

test("it runs cells in the language that the guide adds", async () => {
  const open = 'import { DatabaseSync } from "node:sqlite";\nconst database = new DatabaseSync(":memory:");';
  expect(await run(open)).toMatchObject({ status: "ok" });
  expect(await run("SELECT 1 + 1 AS sum")).toMatchObject({ status: "ok" });
  expect(shown.pop()?.["text/plain"]).toMatch(/sum: 2/);
});

test("it brings no quantum code", () => {
  const dist = join(installed, "dist");
  const text = readdirSync(dist).map(file => readFileSync(join(dist, file), "utf8"));
  expect(text.join("\n")).not.toMatch(/openqasm|qubit|statevector/i);
});

test("it takes less than 80 MB with all that it needs", () => {
  const files = readdirSync(join(folder, "node_modules"), { recursive: true, withFileTypes: true });
  const sizes = files.map(file => (file.isFile() ? statSync(join(file.parentPath, file.name)).size : 0));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MAX_BYTES);
});
