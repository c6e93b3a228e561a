import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newFolder } from "../../notebook-run/support.ts";
import { errorOf, openSession, type Session, textOf } from "./session.ts";

let session: Session;

function install(folder: string, name: string, manifest: object, files: Record<string, string>): void {
  const root = join(folder, "node_modules", name);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "package.json"), JSON.stringify({ name, version: "1.0.0", ...manifest }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), text);
}

beforeAll(async () => {
  const folder = newFolder();
  install(
    folder,
    "late",
    { type: "module", exports: { types: "./late.d.ts", import: "./late.js" } },
    {
      "late.js": "await null;\nexport const answer = 42;",
      "late.d.ts": "export declare const answer: number;",
    },
  );
  writeFileSync(join(folder, "local.ts"), "export const local: string = 'local';");
  writeFileSync(join(folder, "plain.mjs"), "export default 'plain';");
  session = await openSession({ folder });
  const cells = [
    "const rows = [1, 2];\nconst point = { x: 1, y: { z: 3 }, 'a-b': 4 };\nlet x = 0;",
    "function half(n: number) { return n / 2; }",
  ];
  for (const cell of cells) expect((await session.run(cell)).reply.status).toBe("ok");
});

test.each([
  ["({ rows, half }).rows", "[ 1, 2 ]"],
  ["const { x: first, y: { z }, 'a-b': ab } = point;\n[first, z, ab]", "[ 1, 3, 4 ]"],
  ["const [one, ...others] = rows;\n[one, others]", "[ 1, [ 2 ] ]"],
  ["let target = 0;\n({ x: target } = point);\ntarget", "1"],
  ["({ x } = point);\nx", "1"],
  ["({ x = 9 } = {} as { x?: number });\nx", "9"],
  ["const { length } = rows;\nlength", "2"],
  ["(({ x }: { x: number }) => x)(point)", "1"],
])("%j means what it says with what earlier cells declared", async (code, value) => {
  expect(textOf(await session.run(code))).toBe(value);
});

test("for await works at the top of a cell", async () => {
  const { outputs } = await session.run(`async function* count() { yield 1; yield 2; }
const seen: number[] = [];
for await (const n of count()) seen.push(n);
for await (const n of [Promise.resolve(3), 4]) { if (n === 4) break; seen.push(n); }
seen`);
  expect(outputs).toMatchObject([{ data: { "text/plain": "[ 1, 2, 3 ]" } }]);
});

test.each([
  ['(await import("late")).answer', "42"],
  ['const { answer } = await import("late");\nconst typed: number = answer;\ntyped', "42"],
  ['const { default: plain } = await import("./plain.mjs");\nplain', "plain"],
  ['(await import("./local")).local', "local"],
  ['(await import("node:path")).sep', "/"],
  ['const name = "node:" + "os";\ntypeof (await import(name)).cpus', "function"],
  ['typeof (await import("ketbook")).run', "function"],
])("%s imports", async (code, value) => {
  const ran = await session.run(code);
  expect(textOf(ran), JSON.stringify(ran.outputs)).toBe(value);
  expect(ran.outputs).toHaveLength(1);
});

test("vega can be imported and used", async () => {
  const own = await openSession({ folder: join(import.meta.dirname, "../../..") });
  const ran = await own.run(
    'const vega = await import("vega");\nawait new vega.View(vega.parse({ marks: [], width: 10, height: 10 })).toSVG()',
  );
  expect(textOf(ran), JSON.stringify(ran.outputs)).toMatch(/^<svg /);
});

test("a module that waits at its top can be imported by a declaration", async () => {
  expect(textOf(await session.run('import { answer } from "late";\nanswer'))).toBe("42");
});

test("a module that isn't there says so", async () => {
  expect(errorOf(await session.run('await import("nowhere" + "");')).evalue).toMatch(/nowhere/);
});

test("completion and inspection count characters, also after a picture of two units, and answer in any case", async () => {
  const code = '"🐈🐈"; rows.leng';
  const completed = await session.ask("complete_request", { code, cursor_pos: [...code].length });
  expect(completed).toMatchObject({ status: "ok", cursor_start: 11, cursor_end: 15 });
  expect(completed.matches).toContain("length");
  const inspected = await session.ask("inspect_request", {
    code: '"🐈"; rows',
    cursor_pos: 7,
    detail_level: 0,
  });
  expect(inspected).toMatchObject({
    found: true,
    data: { "text/plain": expect.stringContaining("number[]") },
  });
  const program = "OPENQASM 3.0; qu";
  expect(await session.ask("complete_request", { code: program, cursor_pos: 16 })).toMatchObject({
    matches: ["qubit"],
  });
  expect(await session.ask("inspect_request", { code: program, cursor_pos: 10 })).toMatchObject({
    found: false,
  });
});

test("the kernel says which language it speaks", () => {
  expect(session.info).toMatchObject({
    status: "ok",
    implementation: "ketbook",
    language_info: { name: "typescript", version: expect.stringMatching(/^7\./) },
  });
});
