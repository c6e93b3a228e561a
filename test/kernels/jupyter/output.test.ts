import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Message } from "../../../src/ipynb/format.ts";
import { displayable, sourceFile } from "../../notebook-run/support.ts";
import { openSession, textOf } from "./session.ts";

const session = await openSession();

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
