import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession, textOf } from "./session.ts";

const folder = mkdtempSync(join(tmpdir(), "ketbook-languages-"));
const root = join(import.meta.dirname, "../../..");

/** A copy of the built package, whose languages of cells can be broken. */
beforeAll(() => {
  for (const name of ["dist", "package.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WHOLE = `{
  tag: "shout",
  claims: code => code.startsWith("SHOUT"),
  cellOf: async code => ({ source: JSON.stringify(code.toLowerCase()) }),
  complete: async (_, offset) => ({ start: offset, items: [] }),
  describe: async () => undefined,
}`;

test.each([
  ["cannot be read", "export const languages = [", /SyntaxError/],
  ["throws", "throw new Error('no such engine');", /Error: no such engine/],
  [
    "exports no languages",
    "export const language = {};",
    /`languages` must be an array of objects with tag, claims/,
  ],
  [
    "exports a part of a language",
    `export const languages = [{ tag: "half" }, ${WHOLE}];`,
    /must be an array/,
  ],
])(
  "a kernel whose languages %s starts, says so in its first cell, and runs cells",
  async (_, source, message) => {
    writeFileSync(join(folder, "dist/cell-languages.js"), source);
    const session = await openSession({ entry: join(folder, "dist/kernel.js"), waitForTypes: false });
    const first = await session.run("1 + 1");
    const said = first.outputs
      .filter(output => output.output_type === "stream")
      .map(({ text }) => String(text));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("cell-languages.js");
    expect(said[0]).toMatch(message);
    expect(textOf(first)).toBe("2");
    const next = await session.run(source.includes(WHOLE) ? "SHOUT IT" : "[1, 2].map(each => each + 1)");
    expect(next.outputs).toHaveLength(1);
    expect(textOf(next)).toBe(source.includes(WHOLE) ? "shout it" : "[ 2, 3 ]");
    await session.shutdown();
  },
);

test("a language that throws fails the cell and not the kernel", async () => {
  const broken = WHOLE.replace(
    'code.startsWith("SHOUT")',
    '{ if (code.startsWith("SHOUT")) throw new Error("hoarse") }',
  );
  writeFileSync(join(folder, "dist/cell-languages.js"), `export const languages = [${broken}];`);
  const session = await openSession({ entry: join(folder, "dist/kernel.js"), waitForTypes: false });
  expect((await session.run("SHOUT IT")).reply).toMatchObject({
    status: "error",
    ename: "Error",
    evalue: "hoarse",
  });
  expect(textOf(await session.run("1 + 1"))).toBe("2");
  await session.shutdown();
});
