import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Message } from "../../../src/ipynb/format.ts";
import { displayable, sourceFile } from "../../notebook-run/support.ts";
import { openSession, textOf } from "./session.ts";

const session = await openSession();
await session.run("import { execFileSync, execSync, fork, spawn, spawnSync } from 'node:child_process';");

test("100,000 lines of one cell all arrive in order, in few messages, and the next cell runs", async () => {
  const { messages, outputs } = await session.run("for (let i = 0; i < 100_000; i += 1) console.log(i);");
  const lines = Array.from({ length: 100_000 }, (_, index) => `${index}\n`).join("");
  expect(outputs).toEqual([{ output_type: "stream", name: "stdout", text: lines }]);
  expect(messages.length).toBeLessThan(100);
  expect(textOf(await session.run("'next'"))).toBe("next");
});

test.each([
  ["require('fs').writeSync(1, 'between\\n')"],
  ["(await import('node:fs')).writeSync(1, Buffer.from('a between\\n b'), 2, 8)"],
  ["require('node:fs').writeSync(1, new TextEncoder().encode('between\\n'))"],
  ["require('fs').writeSync(1, '6265747765656e0a', null, 'hex')"],
])("what is written to the descriptor of standard output arrives in order: %s", async code => {
  const { outputs } = await session.run(
    `console.log("before");\nconst bytes = ${code};\nconsole.log("after", bytes);`,
  );
  expect(outputs).toMatchObject([{ name: "stdout", text: "before\nbetween\nafter 8\n" }]);
});

test("what is written to the descriptor of standard error arrives there, and files are written as ever", async () => {
  const { outputs } = await session.run(`require("fs").writeSync(2, "to stderr");
const file = require("fs").openSync("written.txt", "w");
require("fs").writeSync(file, "to a file");
require("fs").closeSync(file);
require("fs").readFileSync("written.txt", "utf8")`);
  expect(outputs).toMatchObject([
    { name: "stderr", text: "to stderr" },
    { data: { "text/plain": "to a file" } },
  ]);
  expect(await session.run("require('fs').writeSync(1, 5)")).toMatchObject({ reply: { status: "error" } });
});

test("lines that are written over many turns arrive in order too, and other outputs in their place", async () => {
  const { outputs } = await session.run(`for (let i = 0; i < 300; i += 1) {
  console.log("out", i);
  if (i % 100 === 99) console.error("err", i);
  if (i === 150) require(${sourceFile("kernels/show.ts")}).show(${displayable('{ "text/plain": "shown" }')});
  await new Promise(done => setImmediate(done));
}
"done"`);
  const kinds = outputs.map(output => ("name" in output ? output.name : output.output_type));
  expect(kinds).toEqual([
    "stdout",
    "stderr",
    "stdout",
    "display_data",
    "stdout",
    "stderr",
    "stdout",
    "stderr",
    "execute_result",
  ]);
  const text = outputs
    .map(output => ("name" in output && output.name === "stdout" ? output.text : ""))
    .join("");
  expect(text).toBe(Array.from({ length: 300 }, (_, index) => `out ${index}\n`).join(""));
});

test("characters that are written in pieces arrive whole", async () => {
  const { outputs } = await session.run(`const bytes = Buffer.from("ψ⟩ 🐈");
for (const byte of bytes) process.stdout.write(Buffer.from([byte]));
await new Promise<void>(done => process.stdout.write("\\n", () => done()));`);
  expect(outputs).toMatchObject([{ text: "ψ⟩ 🐈\n" }]);
});

test("what a callback writes after its cell has ended belongs to the cell that ran last", async () => {
  const late: Message[] = [];
  const first = await session.run("setTimeout(() => console.log('late'), 150);\nundefined", message =>
    late.push(message),
  );
  expect(first.outputs).toEqual([]);
  await expect.poll(() => first.outputs).toEqual([{ output_type: "stream", name: "stdout", text: "late\n" }]);

  await session.run(
    "setTimeout(() => { console.log('later'); null!.x }, 500);\nundefined".replace(
      "null!.x",
      "(null as any).x",
    ),
  );
  const second = await session.run("'second'");
  await expect.poll(() => second.outputs.length).toBe(3);
  expect(second.outputs[1]).toMatchObject({ name: "stdout", text: "later\n" });
  expect(second.outputs[2]).toMatchObject({ name: "stderr", text: expect.stringContaining("Uncaught") });
  expect(second.outputs[2]).toMatchObject({ text: expect.stringContaining("Cell [") });
});

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

test("a program that writes without end can be stopped, and all that it has written is there", async () => {
  let read = 0;
  const running = session.run("for (let i = 0; ; i += 1) console.log(i);", () => {
    read += 1;
  });
  await expect.poll(() => read).toBeGreaterThan(3);
  session.interrupt();
  const { reply, outputs } = await running;
  expect(reply).toMatchObject({ status: "error", ename: "Interrupted" });
  const [output] = outputs;
  const lines = output?.output_type === "stream" ? output.text.split("\n").slice(0, -1) : [];
  // What could not be kept of 50 MB is the collector's affair.
  for (const [index, line] of lines.slice(0, 1_000_000).entries()) {
    if (line !== String(index)) throw new Error(`Line ${index} says ${line}`);
  }
  await sleep(100);
  expect(textOf(await session.run("'alive'"))).toBe("alive");
});
