import { expect, test } from "vitest";
import { errorOf, openSession, textOf } from "./session.ts";

const session = await openSession({ env: { NODE_OPTIONS: "--max-old-space-size=70" } });

test.each([
  ["many objects", "const all: object[] = [];\nfor (;;) all.push({});"],
  ["long arrays", "const all: number[][] = [];\nfor (;;) all.push(new Array(1e5).fill(0));"],
  ["one long array", "const all = new Array(5e7).fill({});"],
  [
    "in a timer",
    "await new Promise(() => setTimeout(() => { const all: object[] = []; for (;;) all.push({}); }, 1));",
  ],
])("a cell that fills the memory says so, and the kernel continues: %s", async (_, code) => {
  await session.run("const kept = 1;");
  const turn = "await new Promise(done => setTimeout(done, 100));";
  const failed = await session.run(`console.log("before");\n${turn}\n${code}`);
  expect(failed.reply).toMatchObject({ status: "error", ename: "OutOfMemory" });
  expect(errorOf(failed).evalue).toMatch(
    /The cells' memory is full \(\d+ MB\)\. The variables are gone; the notebook is not/,
  );
  expect(failed.outputs[0]).toMatchObject({ name: "stdout", text: "before\n" });
  expect(textOf(await session.run("// @ts-nocheck\ntypeof kept"))).toBe("undefined");
  expect(textOf(await session.run("const kept = 2;\nkept"))).toBe("2");
});

test("a process of cells that ends by itself is replaced, with the types of its variables", async () => {
  await session.run("const typed = 1;");
  const { reply } = await session.run("process.kill(process.pid, 'SIGKILL');\nawait new Promise(() => {});");
  expect(reply).toMatchObject({ ename: "CellsEnded", evalue: expect.stringContaining("SIGKILL") });
  expect((await session.run("typed + 1")).reply).toMatchObject({
    ename: "TypeScriptError",
    evalue: expect.stringContaining("Cannot find name 'typed'"),
  });
});

test("cells that wait run in the next process, and an end between two cells is told below the last one", async () => {
  const failing = session.run("process.abort();");
  const next = session.run("'ran'");
  expect((await failing).reply).toMatchObject({ ename: "CellsEnded" });
  expect(textOf(await next)).toBe("ran");
  const { messages } = await session.run("setTimeout(() => process.abort(), 100);\nundefined");
  await expect
    .poll(() => messages.map(({ content }) => content?.text).join(""))
    .toContain("The variables are gone; the notebook is not");
});
