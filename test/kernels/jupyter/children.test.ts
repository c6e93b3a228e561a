import { expect, test } from "vitest";
import { openSession, textOf } from "./session.ts";

const session = await openSession();
await session.run("import { execFileSync, execSync, fork, spawn, spawnSync } from 'node:child_process';");
const ended = (call: string) => `await new Promise<void>(done => ${call}.on("close", () => done()));`;

test.each([
  ["execSync('echo between', { stdio: 'inherit' });"],
  ["execFileSync('echo', ['between'], { stdio: 'inherit' });"],
  ["spawnSync('echo', ['between'], { stdio: ['ignore', 1, 'pipe'] });"],
  [ended("spawn('echo', ['between'], { stdio: 'inherit' })")],
  [ended("spawn('echo', ['between'], { stdio: ['ignore', process.stdout, 'ignore'] })")],
  [
    "await new Promise<void>(done => spawn('echo', ['between'], { stdio: 'inherit' }).on('exit', () => done()));",
  ],
])("what a child writes to the output that it inherits arrives in order: %s", async code => {
  const { outputs } = await session.run(`console.log("before");\n${code}\nconsole.log("after");`);
  expect(outputs).toMatchObject([{ name: "stdout", text: "before\nbetween\nafter\n" }]);
});

test("a forked module's output arrives, on the stream that it was written to", async () => {
  const { outputs } =
    await session.run(`require("node:fs").writeFileSync("child.cjs", "console.error('from a fork')");
${ended("fork('./child.cjs')")}`);
  expect(outputs).toMatchObject([{ name: "stderr", text: "from a fork\n" }]);
});

test("megabytes of output arrive, and an inherited input is empty", async () => {
  const { outputs } = await session.run("execSync('cat; seq 300000', { stdio: 'inherit' });");
  const text = outputs.map(output => (output.output_type === "stream" ? output.text : "")).join("");
  expect(text.split("\n")).toHaveLength(300_001);
});

test("output that a cell takes for itself stays with it", async () => {
  expect(textOf(await session.run("execSync('echo mine').toString()"))).toBe("mine\n");
  expect(textOf(await session.run("spawnSync('echo', ['mine']).stdout.toString()"))).toBe("mine\n");
});

test("a child that leaves its output to another process ends all the same", { timeout: 20_000 }, async () => {
  const left = "spawn('sh', ['-c', 'sleep 30 &'], { stdio: 'inherit' })";
  const { reply } = await session.run(`await new Promise<void>(done => ${left}.on('exit', () => done()));`);
  expect(reply.status).toBe("ok");
});

test("process.exit() ends its cell alone", async () => {
  const { reply } = await session.run("process.exit(3);");
  expect(reply).toMatchObject({ status: "error", ename: "ProcessExit" });
  expect(textOf(await session.run("1 + 1"))).toBe("2");
});
