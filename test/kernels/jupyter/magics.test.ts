import { expect, test } from "vitest";
import { errorOf, markupOf, openSession, textOf } from "./session.ts";

const session = await openSession();

test("!command runs in a shell, and its failure is the cell's", async () => {
  expect((await session.run("!echo one && echo two")).outputs).toMatchObject([{ text: "one\ntwo\n" }]);
  expect(errorOf(await session.run("!exit 3")).evalue).toBe("exit 3 ended with exit code 3");
  expect(textOf(await session.run("!false"))).toBe("true");
});

test("%%html and %%markdown show what they hold", async () => {
  expect(markupOf(await session.run("%%html\n<b>bold</b>"))).toBe("<b>bold</b>");
  expect((await session.run("%%markdown\n# Title")).outputs).toMatchObject([
    { data: { "text/markdown": "# Title" } },
  ]);
});

test("%time runs a program and says how long it took, and %who which names there are", async () => {
  await session.run("const known = 1;");
  expect((await session.run("%time console.log(known)")).outputs).toMatchObject([
    { text: expect.stringMatching(/^1\nTime: \d+\.\d ms\n$/) },
  ]);
  expect((await session.run("%who")).outputs).toMatchObject([{ text: expect.stringMatching(/\bknown\b/) }]);
});

test("an unknown one says which there are", async () => {
  expect(errorOf(await session.run("%%bash\nls")).evalue).toMatch(/Unknown magic %%bash.*%%html/);
});

test("a shell command that fails shows how it ended, and nothing of the program that ran it", async () => {
  expect(errorOf(await session.run("!exit 3")).traceback).toBe("Error: exit 3 ended with exit code 3");
});

test("what follows the dot of an unknown name is completed by no name of another cell", async () => {
  await session.run("const declaredBefore = 1;");
  const namesAt = async (code: string) =>
    (await session.ask("complete_request", { code, cursor_pos: code.length })).matches;
  expect(await namesAt("unknownVar.")).toEqual([]);
  expect(await namesAt("[...declaredB")).toEqual(["declaredBefore"]);
});
